"""A game as a record: what SQN text and its JSON twin both say (docs/record-format.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.rules.actions import Lines
from games.rules.board import Space
from games.rules.cards import Card
from games.rules.deal import ListedDeal, SecretDeal
from games.rules.encoding import SEAT_LETTERS
from games.rules.ruleset import Ruleset

FULL = "full"
PUBLIC = "public"
SEAT = "seat:"

NO_CARD: Card = "0"
"""Stands where a card would have been drawn and none was."""

ACTS = (
    "place", "remove", "pass", "draw", "announce", "resign", "discard", "leave", "offer_draw",
    "accept_draw", "decline_draw", "table_talk", "forfeit_card", "flag", "ruling", "substitute",
)  # fmt: skip

ACTS_WITH_LINES = ("place", "remove", "announce")
ACTS_WITH_DRAW = ("place", "remove", "discard", "draw")
ACTS_OF_NO_SEAT = ("table_talk", "ruling")
TURN_ACTS = ("place", "remove", "pass", "discard", "announce", "flag")
"""Acts of the seat on turn; leaving is one too where that seat leaves."""

RULINGS = ("draw", "annulled", "paused", "resumed")
"""What an organiser may rule beside the colour of a winner."""


class RecordError(ValueError):
    """A record that is damaged or against the rules.

    `turn` is such as `12A`, or empty in the header; `code` and `rule` are those of a refused action.
    """

    def __init__(
        self, turn: str, token: object, reason: str, *, code: str = "bad_record", rule: str = ""
    ) -> None:
        self.turn, self.token, self.reason = turn, shown(token), reason
        self.code, self.rule = code, rule
        where = f"turn {turn}, {self.token}" if turn else self.token
        super().__init__(f"{where}: {reason}" + (f" ({rule})" if rule else ""))


def shown(value: object) -> str:
    """Return a short printable form of whatever stood in a record."""
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, int) and not -(10**20) < value < 10**20:
        return "a huge number"
    text = str(value)
    text = text if len(text) <= 80 else text[:77] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


class RecordSeat(NamedTuple):
    """A place at the table, with the name of who sat there first."""

    letter: str
    name: str
    colour: str


class Result(NamedTuple):
    """How a game ended; `winner` is a colour, `draw`, or None when annulled; `end` may be unsaid: empty."""

    winner: str | None
    end: str


@dataclass(frozen=True, slots=True)
class Swap:
    """A dead card shown and another drawn (R13); `drawn` is None where the record does not say."""

    out: Card
    drawn: Card | None = None
    reshuffled: int = 0


@dataclass(frozen=True, slots=True)
class RecordTurn:
    """One act of a game, with the swaps before it; `act` is None where only swaps are known yet.

    `lines` and `draw` are None where the record does not say; `draw` may be HIDDEN or NO_CARD.
    `clk` is the time left in seconds, `wp` the chance of each team to win, `marks` are `$n` annotations.
    """

    n: int
    seat: int | None
    act: str | None
    swaps: tuple[Swap, ...] = ()
    card: Card = ""
    space: Space | None = None
    lines: Lines | None = None
    draw: Card | None = None
    reshuffled: int = 0
    team: int | None = None
    name: str = ""
    policy: str = ""
    ruling: str = ""
    over: bool = False
    marks: tuple[int, ...] = ()
    at: str = ""
    clk: int | None = None
    wp: tuple[float, ...] = ()

    @property
    def label(self) -> str:
        """The number and the seat, such as `12A`."""
        return label_of(self.n, self.seat)


@dataclass(frozen=True, eq=False)
class Record:
    """A whole game, or as much of it as has been played and as its view shows.

    `tags` are those without a field of their own here; `hands` holds None for a hidden hand and is None
    itself where the hands follow from the deal; `seal` is hex.
    """

    ruleset: Ruleset
    seats: tuple[RecordSeat, ...]
    turns: tuple[RecordTurn, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    start: int = 0
    cuts: tuple[tuple[Card, ...], ...] = ()
    view: str = FULL
    seal: str = ""
    hands: tuple[tuple[Card, ...] | None, ...] | None = None
    deal: SecretDeal | ListedDeal | None = None
    result: Result | None = None


def label_of(n: Any, seat: int | None) -> str:
    """Return a turn's label, such as `12A`, or `12` for an act of no seat."""
    return f"{n}{'' if seat is None else SEAT_LETTERS[seat]}"


def seat_of_view(view: str) -> int | None:
    """Return the seat whose view `seat:A` is, None for the others."""
    return SEAT_LETTERS.index(view.removeprefix(SEAT)) if view.startswith(SEAT) else None


def is_view(view: str, seats: int) -> bool:
    """Return whether `view` is full, public, or of one of the seats."""
    return view in (FULL, PUBLIC) or view in {SEAT + letter for letter in SEAT_LETTERS[:seats]}
