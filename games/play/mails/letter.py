"""What every mail about a game has in common: the game as its reader sees it, its addresses and its frame."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext

from games.accounts.models import Cadence, User
from games.mail.frame import compose
from games.mail.kinds import Content, Picture, Section
from games.mail.models import Mail
from games.mail.unsubscribing import unsubscribe_url
from games.play import queries
from games.play.links import link_for
from games.play.mails.board_text import board_text
from games.play.mails.picture import board_alt, board_png
from games.play.models import Game, GameCadence, Seat, Status, TurnLink
from games.play.queries import NoSuchVersion, Seen
from games.play.standing import Standing, standing_of
from games.play.telling.words import game_title
from games.rules.view import View

BOARD = "board"
BOARD_WIDTH = 560


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail about the seat of a member, with the game as that member saw it at the version of the mail."""

    mail: Mail
    member: User
    seen: Seen
    view: View
    place: Seat
    now: datetime

    @property
    def game(self) -> Game:
        return self.seen.game

    @property
    def title(self) -> str:
        return game_title(self.game)

    @property
    def number(self) -> int:
        """Return the turn, or the event, that the mail is about."""
        return int(self.mail.refs["number"])

    @property
    def is_on_turn(self) -> bool:
        """Tell whether the seat is on turn now, and no bot plays the turn."""
        game = self.game
        is_running = game.status == Status.ACTIVE and not game.bot_stands_in
        return is_running and game.turn_seat == self.place.number

    def may_still(self, purpose: str) -> bool:
        """Tell whether the seat may still do what the mail asks for."""
        present = queries.seen_game(self.game.pk, self.member)
        return present is not None and may_act(present, self.place.number, self.member, purpose, self.number)

    def link(self, purpose: str, number: int) -> str:
        """Return the turn link of the reader."""
        return link_for(self.game, self.place.number, self.member, purpose, number, now=self.now)

    def head_hash(self) -> str:
        """Return the hash of the last event that the mail shows: whoever has it can tell what was cut off."""
        (event,) = queries.events_after(self.game, self.seen.version - 1, 1)
        return event.hash

    def compose(
        self, name: str, subject: str, *, why: str = "", shows_board: bool = True, **context: Any
    ) -> Content:
        """Render `mail/{name}`: with the board as picture and as text, or without it."""
        is_picture = shows_board and not self.member.wants_text_only
        if shows_board:
            context["board_text"] = indented(board_text(self.view))
        if is_picture:
            context |= {"board_cid": BOARD, "board_width": BOARD_WIDTH, "board_alt": board_alt(self.view)}
        pictures = (Picture(BOARD, board_png(self.view, width=BOARD_WIDTH)),) if is_picture else ()
        common = {
            "title": self.title,
            "game_url": game_address(self.game),
            "club": self.game.club.name,
            "version": str(self.seen.version),
            "head_hash": self.head_hash(),
        }
        # What does not follow the reader's cadence cannot be made to come less often.
        is_own = self.seen.seat == self.place.number
        return in_frame(
            name,
            common | context,
            member=self.member,
            unsubscribe_url=unsubscribe_url(self.member, self.game.pk) if is_own else "",
            list_id=self.game.club.slug,
            subject=subject,
            why=why or self._why(),
            pictures=pictures,
            thread=f"{self.game.uuid}.{self.place.letter}",
        )

    def section(self, lines: list[str], link: str, action: str) -> Section:
        """Return the mail as part of a digest."""
        return Section(self.title, tuple(line for line in lines if line), link, action)

    def _why(self) -> str:
        words = {"game": self.title, "seat": self.place.letter}
        return gettext("You get this mail because you play in %(game)s, seat %(seat)s.") % words


def letter_of(mail: Mail, now: datetime) -> Letter | None:
    """Return what a mail to the holder of a seat is made from; None if it is another's by now."""
    letter = letter_about(mail, now)
    return letter if letter is not None and letter.seen.seat == letter.place.number else None


def letter_about(mail: Mail, now: datetime) -> Letter | None:
    """Return what a mail about a seat is made from, which another than the reader may hold."""
    member, refs = mail.member, mail.refs
    if member is None:
        return None
    try:
        seen = queries.seen_game(refs["game"], member, at=refs["version"])
    except NoSuchVersion:  # of a database that was restored since
        return None
    if seen is None or seen.view is None:
        return None
    return Letter(mail, member, seen, seen.view, seen.places[refs["seat"]], now)


def may_act(seen: Seen, seat: int, member: User, purpose: str, number: int) -> bool:
    """Tell whether a turn link with this purpose and number would still act."""
    link = TurnLink(game=seen.game, seat=seat, member=member, purpose=purpose, number=number)
    return standing_of(link, seen).standing == Standing.OPEN


def in_frame(
    name: str, context: dict[str, Any], *, member: User, subject: str, why: str, **more: Any
) -> Content:
    """Render a mail to a member, without HTML for those who want text only."""
    content = compose(name, context, subject=subject, why=why, **more)
    return replace(content, html="") if member.wants_text_only else content


def cadence_of(mail: Mail) -> str:
    """Return how often the reader wants mail about the game: as usual, if nothing else was said."""
    own = GameCadence.objects.filter(game=mail.refs["game"], member=mail.member_id)
    usual = Cadence.AT_ONCE if mail.member is None else mail.member.cadence
    return own.values_list("cadence", flat=True).first() or usual


def turn_words(game: Game, member: User) -> str:
    """Return which turn it is of the reader, and until when if a clock runs."""
    words = {"turn": str(game.turns + 1), "until": until(game, member)}
    if words["until"]:
        return gettext("Your turn, turn %(turn)s, until %(until)s") % words
    return gettext("Your turn, turn %(turn)s") % words


def until(game: Game, member: User) -> str:
    """Return when the time of the turn runs out, in the reader's zone; empty if nothing runs."""
    deadline = None if game.is_paused else game.deadline
    return "" if deadline is None else moment(deadline, member)


def moment(at: datetime, member: User) -> str:
    """Return "Thursday 3 December, 20:00 (Europe/Stockholm)": absolute, in the zone of the reader."""
    # Translators: a day and a time in the letters of Django's date filter: Thursday 3 December, 20:00
    when = date_format(at.astimezone(member.zone), gettext("l j F, H:i"))
    return gettext("%(when)s (%(zone)s)") % {"when": when, "zone": str(member.zone)}


def address(name: str, *args: Any) -> str:
    """Return the full address of a page: below PUBLIC_URL, whoever asked for the mail."""
    return settings.PUBLIC_URL + reverse(name, args=args)


def game_address(game: Game) -> str:
    return address("game", game.pk)


def indented(text: str) -> str:
    """Return `text` with a space before each line, which the frame then leaves as it is."""
    return "\n".join(f" {line}".rstrip() for line in text.splitlines())
