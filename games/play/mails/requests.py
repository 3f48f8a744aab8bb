"""Mails about more than a seat of one's own: to take one over, all one's links, and those to organisers."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.models import User
from games.clubs.models import Club
from games.clubs.queries import is_organiser
from games.mail.kinds import Content
from games.mail.models import Mail
from games.play.links import link_for
from games.play.mails.letter import Letter, address, in_frame, letter_about, may_act, turn_words, until
from games.play.models import Game, SeatOffer, Status, TurnLink
from games.play.presenting import team_name
from games.play.queries import seen_game, waiting_for
from games.play.telling.spoken import team_and_shape
from games.play.telling.words import game_title, player_name
from games.rules.events import SeatLeft, TurnExpired

Purpose = TurnLink.Purpose
WORDS: dict[str, str | Promise] = {
    Purpose.TURN: "",  # with the turn and its end, see turn_words
    Purpose.DRAW: _("You have a card to draw"),
    Purpose.PAY: _("You owe a card for table talk"),
    Purpose.ANSWER: _("A draw is offered"),
}
"""What may wait for a member in a game, and how it is told."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that waits for the reader: in which game, what, and the link to do it."""

    title: str
    told: str
    link: str


def render_offer(mail: Mail, now: datetime) -> Content | None:
    """Ask whether the reader would take over a seat (R21); its hand is shown once they have."""
    letter = letter_about(mail, now)
    if letter is None or not letter.may_still(Purpose.OFFER):
        return None
    game, place = letter.game, letter.place
    by = SeatOffer.objects.select_related("offered_by").get(pk=letter.number).offered_by
    words = {"game": letter.title, "letter": place.letter}
    return letter.compose(
        "offer",
        gettext("Would you take over a seat? %(game)s") % words,
        why=gettext("You get this mail because you were asked to take over seat %(letter)s of %(game)s.")
        % words,
        who="" if by is None else by.get_full_name(),
        letter=place.letter,
        team=team_and_shape(place.number % game.teams, team_name(game, place.number)),
        turn=str(game.turns + 1),
        is_on_turn=game.turn_seat == place.number,
        until=until(letter.game, letter.member),
        link=letter.link(Purpose.OFFER, letter.number),
    )


def render_links(mail: Mail, now: datetime) -> Content | None:
    """Send all that waits for the reader, or say that nothing does."""
    member = mail.member
    if member is None:
        return None
    games = waiting_for(member).order_by("deadline", "pk").values_list("pk", flat=True)
    waiting = [one for game_id in games for one in _waiting_in(game_id, member, now)]
    return in_frame(
        "links",
        {"waiting": waiting, "start_url": address("start")},
        member=member,
        subject=gettext("Your turns"),
        why=gettext("You get this mail because somebody, probably you, asked for your links."),
    )


def render_late(mail: Mail, now: datetime) -> Content | None:
    """Tell an organiser that a game waits for a decision, or that time put a seat out of it (R22)."""
    letter = letter_about(mail, now)
    if letter is None or letter.game.status != Status.ACTIVE:
        return None
    game, club = letter.game, letter.game.club
    if not is_organiser(letter.member, club):
        return None
    is_stopped, is_out = _is_stopped(letter), _is_out(letter)
    if is_stopped and not game.is_paused:
        return None
    words = {"game": letter.title, "player": player_name(letter.place), "letter": letter.place.letter}
    return letter.compose(
        "late",
        (gettext("A game waits for you: %(game)s") if is_stopped else gettext("Out of time: %(game)s"))
        % words,
        why=gettext("You get this mail because you are an organiser of %(club)s.") % {"club": club.name},
        shows_board=False,
        player=words["player"],
        letter=words["letter"],
        turn=str(letter.number),
        is_stopped=is_stopped,
        is_out=is_out,
        link=address("organise-game", club.slug, game.pk),
    )


def render_bounced(mail: Mail, now: datetime) -> Content | None:
    """Tell an organiser that mail to a member comes back; the address itself stands on the page only."""
    member = mail.member
    club = Club.objects.filter(pk=mail.refs["club"]).first()
    about = User.objects.filter(pk=mail.refs["about"]).first()
    if member is None or club is None or about is None or not is_organiser(member, club):
        return None
    words = {"name": about.get_full_name(), "club": club.name}
    return in_frame(
        "bounced",
        {**words, "link": address("organise-member", club.slug, about.uuid)},
        member=member,
        subject=gettext("Mail to %(name)s comes back") % words,
        why=gettext("You get this mail because you are an organiser of %(club)s.") % words,
        list_id=club.slug,
    )


def _waiting_in(game_id: int, member: User, now: datetime) -> Iterator[Waiting]:
    """Yield what the member may do in a game: the turn, and what came by a mail of its own."""
    seen = seen_game(game_id, member)
    if seen is None or seen.seat is None:
        return
    game, seat = seen.game, seen.seat
    for purpose, words in WORDS.items():
        number = game.turns + 1 if purpose == Purpose.TURN else _number_of(game, member, purpose)
        if may_act(seen, seat, member, purpose, number):
            told = turn_words(game, member) if purpose == Purpose.TURN else str(words)
            yield Waiting(game_title(game), told, link_for(game, seat, member, purpose, number, now=now))


def _number_of(game: Game, member: User, purpose: str) -> int:
    """Return the event that gave reason to the last mail of this purpose, so that its link is given again.

    Whoever took over a seat that owes a card has had none.
    """
    mails = Mail.objects.filter(kind=purpose, member=member, refs__game=game.pk)
    refs = mails.order_by("-pk").values_list("refs", flat=True).first()
    return game.version if refs is None else int(refs["number"])


def _is_stopped(letter: Letter) -> bool:
    """Tell whether the policy of the game asks an organiser; the events end with those of the expiry."""
    events = reversed(letter.seen.loaded.events)
    last = next((event for event in events if isinstance(event, TurnExpired)), None)
    return last is not None and last.policy == "ask"


def _is_out(letter: Letter) -> bool:
    left = (event for event in letter.seen.loaded.events if isinstance(event, SeatLeft))
    return any(event.seat == letter.place.number for event in left)
