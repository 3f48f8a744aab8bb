"""What one viewer may see of a game: the only way from a state to anybody (R20)."""

from dataclasses import dataclass

from games.rules.board import Space
from games.rules.cards import HIDDEN, Card
from games.rules.ruleset import Ruleset
from games.rules.state import Outcome, State


@dataclass(frozen=True, slots=True)
class View:
    """A game as `viewer` sees it: a seat, or None for a spectator or an organiser.

    Chips and locked chips are bit masks by team; `lines` are (team, mask) in the order of each team;
    `hands` holds None for a hand that the viewer may not see.
    """

    ruleset: Ruleset
    viewer: int | None
    turn: int | None
    turns: int
    start: int
    chips: tuple[int, ...]
    locked: tuple[int, ...]
    lines: tuple[tuple[int, int], ...]
    last: Space | None
    hands: tuple[tuple[Card, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    pile_size: int
    discards: tuple[tuple[Card, ...], ...]
    reshuffles: int
    swaps_used: int
    rights: tuple[int, ...]
    debts: tuple[int, ...]
    active: tuple[bool, ...]
    offer: tuple[int, frozenset[int]] | None
    paused: bool
    outcome: Outcome | None


def view_for(state: State, viewer: int | None, *, reveal: bool = False) -> View:
    """Return the view of seat `viewer`, or of a spectator; `reveal` shows all hands of a finished game."""
    shown = reveal or state.ruleset.hands == "open"
    return View(
        ruleset=state.ruleset,
        viewer=viewer,
        turn=state.turn,
        turns=state.turns,
        start=state.start,
        chips=tuple(state.chips),
        locked=tuple(state.locked),
        lines=tuple((team, mask) for team, masks in enumerate(state.lines) for mask in masks),
        last=state.last,
        hands=tuple(
            tuple(hand) if (shown or seat == viewer) and HIDDEN not in hand else None
            for seat, hand in enumerate(state.hands)
        ),
        hand_sizes=tuple(map(len, state.hands)),
        pile_size=len(state.pile),
        discards=tuple(map(tuple, state.discards)),
        reshuffles=state.reshuffles,
        swaps_used=state.swaps_used,
        rights=tuple(map(len, state.rights)),
        debts=tuple(state.debts),
        active=tuple(state.active),
        offer=state.offer,
        paused=state.paused,
        outcome=state.outcome,
    )
