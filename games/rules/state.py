"""The state of a game: mutable inside a fold only, see `evolve`."""

from dataclasses import dataclass

from games.rules.board import Board, Space
from games.rules.cards import Card
from games.rules.deal import Deal, HiddenDeal
from games.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; `winner` is a team, or None for a draw or an annulled game."""

    winner: int | None
    end: str

    @property
    def is_draw(self) -> bool:
        """Whether the teams drew."""
        return self.winner is None and self.end != "annulled"


class State:
    """Everything that is known of a running game, hidden cards included: shown to nobody, see `view`."""

    __slots__ = (
        "active", "board", "chips", "clock_passes", "deal", "debts", "discards", "hands",
        "idle_turns", "last", "lines", "locked", "no_play_passes", "occupied", "offer", "out",
        "outcome", "paused", "pile", "reshuffles", "rights", "ruleset", "stand_in", "start", "swaps_used",
        "team_of", "turn", "turns",
    )  # fmt: skip

    def __init__(self, ruleset: Ruleset) -> None:
        seats, teams = ruleset.seats, ruleset.teams
        self.ruleset = ruleset
        self.board: Board = ruleset.board
        self.team_of = ruleset.team_of
        self.deal: Deal = HiddenDeal()
        self.start = 0
        self.turn: int | None = None
        self.turns = 0
        self.chips = [0] * teams
        self.locked = [0] * teams
        self.lines: list[list[int]] = [[] for _ in range(teams)]
        self.occupied = self.board.corner_mask
        self.last: Space | None = None
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.pile: list[Card] = []
        self.discards: list[list[Card]] = [[] for _ in range(seats)]
        self.out: list[Card] = []
        self.reshuffles = 0
        self.swaps_used = 0
        self.no_play_passes = 0
        self.idle_turns = 0
        self.rights: list[list[int]] = [[] for _ in range(seats)]
        self.debts = [0] * seats
        self.active = [True] * seats
        self.clock_passes = [0] * seats
        self.offer: tuple[int, frozenset[int]] | None = None
        self.paused = False
        self.stand_in = False
        self.outcome: Outcome | None = None

    def copy(self) -> "State":
        """Return a state that can be changed without changing this one."""
        other = State.__new__(State)
        for name in State.__slots__:
            setattr(other, name, getattr(self, name))
        for name in ("chips", "locked", "pile", "out", "debts", "active", "clock_passes"):
            setattr(other, name, list(getattr(self, name)))
        for name in ("lines", "hands", "discards", "rights"):
            setattr(other, name, [list(inner) for inner in getattr(self, name)])
        return other

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def team_active(self, team: int) -> bool:
        """Return whether a seat of `team` is still in the game."""
        return any(active for seat, active in enumerate(self.active) if self.team_of[seat] == team)

    def discarded(self) -> int:
        """Return the number of discarded cards, all seats together."""
        return sum(map(len, self.discards))

    def seat_after(self, seat: int) -> int | None:
        """Return the next seat clockwise that is still in the game, None if there is none."""
        seats = len(self.hands)
        for step in range(1, seats + 1):
            following = (seat + step) % seats
            if self.active[following]:
                return following
        return None


def deal_cards(ruleset: Ruleset, deal: Deal, start: int, hands: list[list[Card]] | None = None) -> State:
    """Return the state after the deal, one card at a time, seat `start` first (R6).

    `hands` replaces what a hidden deal cannot know.
    """
    state = State(ruleset)
    state.deal = deal
    state.start = state.turn = start
    deck = deal.deck(ruleset.edition)
    seats = ruleset.seats
    dealt = seats * ruleset.hand_size
    for index in range(dealt):
        state.hands[(start + index) % seats].append(deck[index])
    state.pile = deck[dealt:][::-1]
    if hands is not None:
        state.hands = [list(hand) for hand in hands]
    return state


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, or None while it runs."""
    return state.outcome


def owner_of(state: State, space: Space) -> int | None:
    """Return the team whose chip stands on `space`."""
    for team, chips in enumerate(state.chips):
        if chips >> space & 1:
            return team
    return None
