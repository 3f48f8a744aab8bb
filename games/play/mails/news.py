"""Mails that tell what happened: a game began or ended, time ran out, table talk was called."""

from datetime import datetime

from django.utils.translation import gettext

from games.mail.kinds import Content, Section
from games.mail.models import Mail
from games.play.mails.letter import Letter, address, game_address, letter_of, until
from games.play.mails.pieces import beginning_of, end_of, hand_context, lines_of, reason_of
from games.play.models import Status, TurnLink
from games.play.queries import OVER
from games.play.telling.spoken import team_word
from games.play.telling.words import player_name, result_words, revealed_deal
from games.rules.events import (
    ClockPaused,
    ClockResumed,
    GameAnnulled,
    ResultRuled,
    TableTalkCalled,
    TurnExpired,
)


def render_started(mail: Mail, now: datetime) -> Content | None:
    """Tell those who are not on turn that the game has begun."""
    letter = _running(mail, now)
    if letter is None:
        return None
    return letter.compose(
        "started",
        gettext("The game has begun: %(game)s") % {"game": letter.title},
        first=_first_words(letter),
        **hand_context(letter, game_address(letter.game)),
        **beginning_of(letter),
    )


def started_section(mail: Mail, now: datetime) -> Section | None:
    letter = _running(mail, now)
    if letter is None:
        return None
    lines = [gettext("The game has begun."), _first_words(letter)]
    return letter.section(lines, game_address(letter.game), gettext("See the game"))


def render_over(mail: Mail, now: datetime) -> Content | None:
    """Tell the result and how it came to it, and the secret of the deal, which its seal can be held to."""
    letter = _over_letter(mail, now)
    if letter is None:
        return None
    game = letter.game
    return letter.compose(
        "over",
        gettext("The game is over: %(game)s") % {"game": letter.title},
        result=_result(letter),
        reason=_reason_of_end(letter),
        history=end_of(letter),
        history_title=gettext("Last plays"),
        score=lines_of(letter.view),
        secret=revealed_deal(game).get("secret", ""),
        seal=game.seal,
        rematch_url=f"{address('new-game')}?rematch={game.pk}",
    )


def over_section(mail: Mail, now: datetime) -> Section | None:
    letter = _over_letter(mail, now)
    if letter is None:
        return None
    lines = [_result(letter), _reason_of_end(letter)]
    return letter.section(lines, game_address(letter.game), gettext("See the whole game"))


def render_expired(mail: Mail, now: datetime) -> Content | None:
    """Tell whose time ran out what the game's policy did about it, and what now (R22)."""
    letter = _running(mail, now)
    if letter is None:
        return None
    return letter.compose(
        "expired",
        gettext("Your time ran out: %(game)s") % {"game": letter.title},
        told=[_ran_out(letter), *_expired_words(letter)],
        link=_link_if_on_turn(letter),
    )


def expired_section(mail: Mail, now: datetime) -> Section | None:
    letter = _running(mail, now)
    if letter is None:
        return None
    lines = [_ran_out(letter), *_expired_words(letter)]
    link = _link_if_on_turn(letter)
    if link:
        return letter.section(lines, link, gettext("Take your turn"))
    return letter.section(lines, game_address(letter.game), gettext("See the game"))


def render_paused(mail: Mail, now: datetime) -> Content | None:
    """Tell who is on turn that the clock was stopped, or that it runs again, and why (R23)."""
    letter = _paused_letter(mail, now)
    if letter is None:
        return None
    subject = (
        gettext("The clock stands: %(game)s")
        if letter.game.is_paused
        else gettext("The clock runs: %(game)s")
    )
    return letter.compose(
        "paused",
        subject % {"game": letter.title},
        told=_paused_words(letter),
        link=letter.link(TurnLink.Purpose.TURN, letter.number),
    )


def paused_section(mail: Mail, now: datetime) -> Section | None:
    letter = _paused_letter(mail, now)
    if letter is None:
        return None
    link = letter.link(TurnLink.Purpose.TURN, letter.number)
    return letter.section(_paused_words(letter), link, gettext("Take your turn"))


def render_talk(mail: Mail, now: datetime) -> Content | None:
    """Tell those who need not pay that table talk was called (R17)."""
    letter = _running(mail, now)
    if letter is None:
        return None
    return letter.compose(
        "talk",
        gettext("Table talk was called: %(game)s") % {"game": letter.title},
        shows_board=False,
        told=_talk_words(letter),
    )


def talk_section(mail: Mail, now: datetime) -> Section | None:
    letter = _running(mail, now)
    if letter is None:
        return None
    return letter.section(_talk_words(letter), game_address(letter.game), gettext("See the game"))


def _talk_words(letter: Letter) -> list[str]:
    """Return on which team it was called and who owes a card; the events end with it."""
    events = reversed(letter.seen.loaded.events)
    called = next((event for event in events if isinstance(event, TableTalkCalled)), None)
    if called is None:
        return []
    team = team_word(letter.view.ruleset.team_names[called.team])
    told = [gettext("Table talk was called on the team %(team)s (R17).") % {"team": team}]
    for seat in called.seats:
        words = {"player": player_name(letter.seen.places[seat])}
        told.append(gettext("%(player)s owes a card of their own choice.") % words)
    return told


def _running(mail: Mail, now: datetime) -> Letter | None:
    letter = letter_of(mail, now)
    return letter if letter is not None and letter.game.status == Status.ACTIVE else None


def _first_words(letter: Letter) -> str:
    """Return whose turn it is first, as the game stood at its start."""
    first = letter.seen.places[letter.view.start]
    return gettext("%(player)s (seat %(letter)s) plays first.") % {
        "player": player_name(first),
        "letter": first.letter,
    }


def _over_letter(mail: Mail, now: datetime) -> Letter | None:
    letter = letter_of(mail, now)
    if letter is None or letter.game.status not in OVER or letter.view.outcome is None:
        return None
    # Of a game that ended and was annulled after, only the second is told.
    return letter if letter.view.outcome.end == letter.game.end else None


def _result(letter: Letter) -> str:
    told = result_words(letter.game, letter.seen.places, letter.place.number)
    return gettext("%(sentence)s.") % {"sentence": told}


def _reason_of_end(letter: Letter) -> str:
    """Return why an organiser ruled or annulled."""
    if letter.game.status == Status.ANNULLED:
        return reason_of(letter, GameAnnulled)
    return reason_of(letter, ResultRuled)


def _paused_letter(mail: Mail, now: datetime) -> Letter | None:
    """Return the letter while the same turn waits and the clock is as the mail says."""
    letter = letter_of(mail, now)
    if letter is None or not letter.is_on_turn or letter.game.turns + 1 != letter.number:
        return None
    last = letter.seen.loaded.events[-1]
    return letter if isinstance(last, ClockPaused) == letter.game.is_paused else None


def _paused_words(letter: Letter) -> list[str]:
    """Return what became of the clock, and why."""
    if letter.game.is_paused:
        told, reason = _asked_words(letter), reason_of(letter, ClockPaused)
    else:
        ends, reason = until(letter.game, letter.member), reason_of(letter, ClockResumed)
        told = [
            gettext("An organiser lets the clock run again: it is your turn until %(until)s.")
            % {"until": ends}
            if ends
            else gettext("The clock runs again: it is your turn.")
        ]
    return [*told, reason] if reason else told


def _policy(letter: Letter) -> str:
    """Return what acted; the events end with those of the expiry."""
    for event in reversed(letter.seen.loaded.events):
        if isinstance(event, TurnExpired) and event.seat == letter.place.number:
            return event.policy
    return letter.game.expiry


def _ran_out(letter: Letter) -> str:
    return gettext("The time for turn %(turn)s ran out before you played (R22).") % {
        "turn": str(letter.number)
    }


def _expired_words(letter: Letter) -> list[str]:
    """Return what the policy did, and what now."""
    policy, is_out = _policy(letter), not letter.view.active[letter.place.number]
    if policy == "pass":
        told = [gettext("The turn was passed: nothing was played, discarded or drawn.")]
        if is_out:
            told.append(gettext("It was the third in a row, so your seat is out of the game."))
        else:
            told.append(gettext("You go on playing: a mail comes when it is your turn again."))
        return told
    if policy == "bot":
        return [
            gettext("A bot plays this one turn for you."),
            gettext("You go on playing: a mail comes when it is your turn again."),
        ]
    if policy == "ask":
        return _asked_words(letter)
    if policy == "forfeit_team":
        return [gettext("As agreed, your team is out of the game.")]
    return [gettext("As agreed, your seat is out of the game.")]


def _asked_words(letter: Letter) -> list[str]:
    ends = until(letter.game, letter.member)
    if letter.game.is_paused:
        told = [gettext("The clock stands until an organiser decides how the game goes on.")]
        if letter.is_on_turn:
            told.append(gettext("You can still play until then."))
        return told
    if letter.is_on_turn and ends:
        again = gettext("An organiser lets the clock run again: it is your turn until %(until)s.")
        return [again % {"until": ends}]
    return [gettext("An organiser has decided since: the game goes on.")]


def _link_if_on_turn(letter: Letter) -> str:
    is_same = letter.is_on_turn and letter.game.turns + 1 == letter.number
    return letter.link(TurnLink.Purpose.TURN, letter.number) if is_same else ""
