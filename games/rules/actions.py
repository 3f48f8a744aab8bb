"""What a seat, an organiser or the clock may ask of a game: imperative, not yet judged."""

from dataclasses import dataclass

from games.rules.board import Space
from games.rules.cards import Card

Lines = tuple[int, ...]
"""Lines as bit masks of their spaces."""


@dataclass(frozen=True, slots=True)
class PlaceChip:
    """Play a card and place a chip (R8); `lines` claims (R11) or announces (R18), None takes the default."""

    seat: int
    card: Card
    space: Space
    lines: Lines | None = None


@dataclass(frozen=True, slots=True)
class RemoveChip:
    """Play a one-eyed jack and remove a chip (R8)."""

    seat: int
    card: Card
    space: Space
    lines: Lines | None = None


@dataclass(frozen=True, slots=True)
class SwapCard:
    """Discard a dead card for another (R13)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Draw by hand (R16)."""

    seat: int


@dataclass(frozen=True, slots=True)
class PassTurn:
    """Pass without a legal play (R14)."""

    seat: int


@dataclass(frozen=True, slots=True)
class DiscardCard:
    """Discard one card and draw, without a legal play (R14, `no_play = discard_draw`)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class AnnounceLines:
    """Announce full lines of one's team on one's own turn (R18)."""

    seat: int
    lines: Lines


@dataclass(frozen=True, slots=True)
class PayCard:
    """Give up a card that table talk has cost (R17)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """Resign or leave the seat (R21, R23); `reason` is `resign` or `leave`."""

    seat: int
    reason: str = "leave"


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer a draw for one's team (R23)."""

    seat: int


@dataclass(frozen=True, slots=True)
class AnswerDraw:
    """Agree to a draw, or decline it, for one's team (R23)."""

    seat: int
    agree: bool


@dataclass(frozen=True, slots=True)
class CallTableTalk:
    """An organiser calls table talk on a team (R17)."""

    team: int


@dataclass(frozen=True, slots=True)
class ReplaceSeat:
    """A substitute, known by a pseudonymous id, takes over a seat with its hand (R21)."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class ExpireTurn:
    """The clock has run out for the seat on turn; `policy` is one of EXPIRY_POLICIES (R22)."""

    policy: str


@dataclass(frozen=True, slots=True)
class RuleResult:
    """An organiser rules a result; `winner` is a team or None for a draw (R23)."""

    winner: int | None
    reason_hash: str = ""


@dataclass(frozen=True, slots=True)
class AnnulGame:
    """An organiser annuls the game, even a finished one (R23)."""

    reason_hash: str = ""


@dataclass(frozen=True, slots=True)
class PauseClock:
    """An organiser stops the game's clock (R23)."""

    reason_hash: str = ""


@dataclass(frozen=True, slots=True)
class ResumeClock:
    """An organiser starts the game's clock again (R23)."""

    reason_hash: str = ""


EXPIRY_POLICIES = ("pass", "forfeit_seat", "forfeit_team", "ask", "bot")

TurnAction = PlaceChip | RemoveChip | SwapCard | PassTurn | DiscardCard | AnnounceLines
"""Asked by the seat on turn."""

SeatAction = TurnAction | DrawCard | PayCard | LeaveGame | OfferDraw | AnswerDraw
"""Asked by a seat."""

OutsideAction = CallTableTalk | ReplaceSeat | ExpireTurn | RuleResult | AnnulGame | PauseClock | ResumeClock
"""Asked by an organiser or the clock."""

Action = SeatAction | OutsideAction
