"""What happened in a game: facts with their outcomes, folded by `state` (docs/events.md).

Cards that are drawn are not in the events: which card follows from the deal. `reshuffled` says when the
discards became a new pile: BEFORE the draw, AFTER it, both, or not at all (0).

Nothing changes an event once it is made. The classes are not frozen all the same: reading a game makes an
event a row, and freezing them costs more than folding them.
"""

from dataclasses import dataclass

from games.rules.actions import Lines
from games.rules.board import Space
from games.rules.cards import Card

BEFORE = 1
AFTER = 2


@dataclass(slots=True)
class GameStarted:
    """The cards are dealt; `cuts` lists each round of cutting, a card a seat (R6)."""

    start: int
    cuts: tuple[tuple[Card, ...], ...] = ()
    nonces: tuple[str, ...] = ()


@dataclass(slots=True)
class ChipPlaced:
    """A card was played and a chip placed (R8); `lines` were completed and `locked` chips became safe."""

    seat: int
    card: Card
    space: Space
    lines: Lines
    locked: int
    drew: bool
    reshuffled: int
    lapsed: tuple[int, ...]
    next_seat: int | None


@dataclass(slots=True)
class ChipRemoved:
    """A one-eyed jack was played and a chip taken from the board (R8)."""

    seat: int
    card: Card
    space: Space
    lines: Lines
    locked: int
    drew: bool
    reshuffled: int
    lapsed: tuple[int, ...]
    next_seat: int | None


@dataclass(slots=True)
class CardSwapped:
    """A dead card was discarded and another drawn (R13)."""

    seat: int
    card: Card
    reshuffled: int


@dataclass(slots=True)
class CardDrawn:
    """A card was drawn by hand (R16); the older rights of `lapsed` seats are lost."""

    seat: int
    reshuffled: int
    lapsed: tuple[int, ...]


@dataclass(slots=True)
class TurnPassed:
    """A seat without a legal play passed (R14)."""

    seat: int
    next_seat: int | None


@dataclass(slots=True)
class CardDiscarded:
    """A seat without a legal play discarded a card (R14)."""

    seat: int
    card: Card
    drew: bool
    reshuffled: int
    lapsed: tuple[int, ...]
    next_seat: int | None


@dataclass(slots=True)
class LinesAnnounced:
    """A team's lines were announced and count from now on (R18)."""

    seat: int
    lines: Lines
    locked: int


@dataclass(slots=True)
class TableTalkCalled:
    """Table talk was called on a team; each of `seats` owes one card more (R17)."""

    team: int
    seats: tuple[int, ...]


@dataclass(slots=True)
class CardPaid:
    """A card that was owed for table talk was given up (R17)."""

    seat: int
    card: Card


@dataclass(slots=True)
class SeatLeft:
    """A seat is out of the game (R21); `reason` is resign, leave, expiry or team."""

    seat: int
    reason: str
    next_seat: int | None


@dataclass(slots=True)
class SeatReplaced:
    """A substitute holds the seat from now on (R21)."""

    seat: int
    player: str


@dataclass(slots=True)
class TurnExpired:
    """The clock ran out for `seat` and the game's expiry policy acted (R22)."""

    seat: int
    policy: str
    next_seat: int | None


@dataclass(slots=True)
class DrawOffered:
    """A seat offered a draw for its team (R23)."""

    seat: int


@dataclass(slots=True)
class DrawAgreed:
    """A seat agreed to the draw for its team (R23)."""

    seat: int


@dataclass(slots=True)
class DrawDeclined:
    """A seat declined the draw for its team; the offer is gone (R23)."""

    seat: int


@dataclass(slots=True)
class ResultRuled:
    """An organiser ruled the result (R23); GameEnded follows. The words of the reason are kept elsewhere."""

    winner: int | None
    reason_hash: str


@dataclass(slots=True)
class GameAnnulled:
    """An organiser annulled the game (R23)."""

    reason_hash: str


@dataclass(slots=True)
class ClockPaused:
    """The game's clock stands (R22, R23)."""

    reason_hash: str


@dataclass(slots=True)
class ClockResumed:
    """The game's clock runs again (R23)."""

    reason_hash: str


@dataclass(slots=True)
class GameEnded:
    """The game is over; `winner` is a team or None for a draw, `end` one of ENDS."""

    winner: int | None
    end: str


ENDS = (
    "lines",
    "full_board",
    "stalemate",
    "no_play",
    "idle_rounds",
    "last_team",
    "agreed",
    "ruling",
    "annulled",
)

ENDS_OF_TURNS = (ChipPlaced, ChipRemoved, TurnPassed, CardDiscarded, TurnExpired)
"""What ends the turn of its seat, if the seat stays in the game; a bot may still play an expired one."""

Event = (
    GameStarted
    | ChipPlaced
    | ChipRemoved
    | CardSwapped
    | CardDrawn
    | TurnPassed
    | CardDiscarded
    | LinesAnnounced
    | TableTalkCalled
    | CardPaid
    | SeatLeft
    | SeatReplaced
    | TurnExpired
    | DrawOffered
    | DrawAgreed
    | DrawDeclined
    | ResultRuled
    | GameAnnulled
    | ClockPaused
    | ClockResumed
    | GameEnded
)
"""Any event that the rules know; those before the start belong to `games.play`."""
