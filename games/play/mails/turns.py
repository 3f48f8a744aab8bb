"""Mails that ask the holder of a seat to act: a turn, a reminder, a card to draw or to pay, an answer."""

from datetime import datetime

from django.utils.translation import gettext

from games.mail.kinds import Content, Section
from games.mail.models import Mail
from games.play.mails.letter import Letter, letter_of, turn_words
from games.play.mails.pieces import beginning_of, hand_context, history_context, history_of, score_of
from games.play.models import TurnLink
from games.play.telling.spoken import team_word

Purpose = TurnLink.Purpose

HALF, USED_UP = 50, 100
"""The per cent of the time at which the first reminder goes, and that of the mail that leave was taken."""


def render_turn(mail: Mail, now: datetime) -> Content | None:
    """Tell that it is the reader's turn; that of the first turn also that the game has begun."""
    letter = _turn_letter(mail, now)
    if letter is None:
        return None
    link = letter.link(Purpose.TURN, letter.number)
    is_first = letter.number == 1
    return letter.compose(
        "turn",
        gettext("Your turn: %(game)s") % {"game": letter.title},
        headline=turn_words(letter.game, letter.member),
        clock_stands=letter.game.is_paused,
        is_first=is_first,
        link=link,
        score=score_of(letter),
        **history_context(letter),
        **hand_context(letter, link),
        **(beginning_of(letter) if is_first else {}),
    )


def turn_section(mail: Mail, now: datetime) -> Section | None:
    letter = _turn_letter(mail, now)
    if letter is None:
        return None
    begun = gettext("The game has begun.") if letter.number == 1 else ""
    link = letter.link(Purpose.TURN, letter.number)
    return letter.section(
        [f"{turn_words(letter.game, letter.member)}.", begun, *history_of(letter)],
        link,
        gettext("Take your turn"),
    )


def render_reminder(mail: Mail, now: datetime) -> Content | None:
    """Remind of a turn whose time runs; not once it has run out, nor when a later reminder goes as well."""
    letter = _turn_letter(mail, now)
    if letter is None or letter.game.is_paused:
        return None
    deadline = letter.game.deadline
    if deadline is None or deadline <= now or _has_another(mail):
        return None
    link = letter.link(Purpose.TURN, letter.number)
    return letter.compose(
        "reminder",
        gettext("Reminder, it is your turn: %(game)s") % {"game": letter.title},
        headline=turn_words(letter.game, letter.member),
        is_last=mail.refs["percent"] != HALF,
        is_on_leave=mail.refs["percent"] == USED_UP,
        link=link,
        score=score_of(letter),
        **history_context(letter),
        **hand_context(letter, link),
    )


def render_draw(mail: Mail, now: datetime) -> Content | None:
    """Tell that the reader has not drawn after a play (R16)."""
    letter = _open_letter(mail, now)
    if letter is None:
        return None
    return letter.compose(
        "draw",
        gettext("You have a card to draw: %(game)s") % {"game": letter.title},
        can_be_lost=letter.view.ruleset.loss_of_card != "never",
        link=letter.link(Purpose.DRAW, letter.number),
    )


def draw_section(mail: Mail, now: datetime) -> Section | None:
    letter = _open_letter(mail, now)
    if letter is None:
        return None
    link = letter.link(Purpose.DRAW, letter.number)
    return letter.section([gettext("You have a card to draw (R16).")], link, gettext("Draw the card"))


def render_pay(mail: Mail, now: datetime) -> Content | None:
    """Tell that table talk was called on the reader's team: a card is owed, of the reader's choice (R17)."""
    letter = _open_letter(mail, now)
    if letter is None:
        return None
    link = letter.link(Purpose.PAY, letter.number)
    return letter.compose(
        "pay",
        gettext("You owe a card: %(game)s") % {"game": letter.title},
        link=link,
        **hand_context(letter, link),
    )


def pay_section(mail: Mail, now: datetime) -> Section | None:
    letter = _open_letter(mail, now)
    if letter is None:
        return None
    link = letter.link(Purpose.PAY, letter.number)
    told = gettext("Table talk was called on your team: you owe a card (R17).")
    return letter.section([told], link, gettext("Choose the card"))


def render_answer(mail: Mail, now: datetime) -> Content | None:
    """Tell that another team offers a draw (R23)."""
    letter = _open_letter(mail, now)
    if letter is None:
        return None
    return letter.compose(
        "answer",
        gettext("A draw is offered: %(game)s") % {"game": letter.title},
        team=_offering_team(letter),
        link=letter.link(Purpose.ANSWER, letter.number),
    )


def answer_section(mail: Mail, now: datetime) -> Section | None:
    letter = _open_letter(mail, now)
    if letter is None:
        return None
    told = gettext("The team %(team)s offers a draw (R23).") % {"team": _offering_team(letter)}
    return letter.section([told], letter.link(Purpose.ANSWER, letter.number), gettext("Answer"))


def _turn_letter(mail: Mail, now: datetime) -> Letter | None:
    letter = letter_of(mail, now)
    if letter is None or not letter.is_on_turn or letter.game.turns + 1 != letter.number:
        return None
    return letter


def _open_letter(mail: Mail, now: datetime) -> Letter | None:
    """Return the letter of a mail whose kind is the purpose of its link, if that may still act."""
    letter = letter_of(mail, now)
    return letter if letter is not None and letter.may_still(mail.kind) else None


def _offering_team(letter: Letter) -> str:
    offer = letter.view.offer
    return "" if offer is None else team_word(letter.view.ruleset.team_names[offer[0]])


def _has_another(reminder: Mail) -> bool:
    """Tell whether a later reminder of the same turn waits as well, as after a day without a mail server."""
    same = Mail.objects.filter(kind=reminder.kind, member=reminder.member, pk__gt=reminder.pk)
    return same.filter(refs__game=reminder.refs["game"], refs__number=reminder.refs["number"]).exists()
