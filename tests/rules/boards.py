"""Positions for tests, drawn as ten rows of ten signs and spoken of by names.

`.` is an empty space, `*` a corner, `b` `g` `r` a chip of blue, green, red.
"""

from collections.abc import Iterable
from typing import Any

import pytest

from games.rules import actions as act
from games.rules import events as ev
from games.rules.claims import chips_locked_by
from games.rules.deal import HiddenDeal
from games.rules.decide import decide
from games.rules.evolve import fold
from games.rules.legal import legal_actions
from games.rules.refusal import IllegalAction
from games.rules.ruleset import make_ruleset
from games.rules.state import State

EMPTY = "*........*\n" + "..........\n" * 8 + "*........*"
COLOURS = "bgr"


class CanonicalDeal(HiddenDeal):
    """New piles hold the discards in canonical order, the first on top."""

    def reshuffle(self, number: int, discards: list[str]) -> list[str]:
        return list(discards)


def position(
    *hands: str,
    board: str = EMPTY,
    lines: Iterable[str] = (),
    pile: str = "Kc Kd Kh Ks",
    discards: Iterable[str] = (),
    turn: int = 0,
    teams: int | None = None,
    **options: Any,
) -> State:
    """Return a state with a seat for each hand; lines are written `b a1-e1`, piles from the top."""
    state = State(make_ruleset(len(hands), teams, **options))
    rows = [line.strip() for line in board.split()]
    assert len(rows) == 10
    assert {len(row) for row in rows} == {10}
    for space, sign in enumerate("".join(rows)):
        assert (sign == "*") is (space in state.board.corners)
        if sign in COLOURS:
            state.chips[COLOURS.index(sign)] |= 1 << space
    for chips in state.chips:
        state.occupied |= chips
    for text in lines:
        colour, ends = text.split()
        team = COLOURS.index(colour)
        line = state.board.line_by_mask[mask(state, ends)]
        state.lines[team].append(line.mask)
        state.locked[team] |= chips_locked_by(state, team, state.chips[team], [line])
        assert line.mask & ~state.board.corner_mask & ~state.chips[team] == 0
    state.hands = [hand.split() for hand in hands]
    state.pile = pile.split()[::-1]
    for seat, cards in enumerate(discards):
        state.discards[seat] = cards.split()
    state.turn = turn
    state.deal = CanonicalDeal()
    return state


def mask(state: State, ends: str) -> int:
    """The line between two ends such as `c5-g9`."""
    first, last = (state.board.space_by_name[name] for name in ends.split("-"))
    line = state.board.line_between(first, last)
    assert line is not None
    return line.mask


def names(state: State, bits: int) -> str:
    return " ".join(state.board.names[space] for space in state.board.spaces_in(bits))


def lines_of(state: State, team: int) -> list[str]:
    return ["-".join(state.board.ends(line)) for line in state.lines[team]]


def place(state: State, card: str, space: str, *lines: str, none: bool = False) -> act.PlaceChip:
    """The placement that the seat on turn asks for; `none` names an empty set of lines."""
    assert state.turn is not None
    named = tuple(mask(state, ends) for ends in lines) if lines or none else None
    return act.PlaceChip(state.turn, card, state.board.space_by_name[space], named)


def remove(state: State, card: str, space: str, *lines: str) -> act.RemoveChip:
    assert state.turn is not None
    named = tuple(mask(state, ends) for ends in lines) or None
    return act.RemoveChip(state.turn, card, state.board.space_by_name[space], named)


def after(state: State, *actions: act.Action) -> State:
    """The state after some actions, the given one left as it is."""
    state = state.copy()
    for action in actions:
        fold(state, decide(state, action))
    return state


def events(state: State, action: act.Action) -> list[str]:
    return [type(event).__name__ for event in decide(state, action)]


def ending(state: State, action: act.Action) -> ev.GameEnded | None:
    """The end that an action brings."""
    last = decide(state, action)[-1]
    return last if isinstance(last, ev.GameEnded) else None


def refusal(state: State, action: act.Action) -> tuple[str, str]:
    """The code and rule by which an action is refused, after a look that nothing changed."""
    before = state.copy()
    with pytest.raises(IllegalAction) as refused:
        decide(state, action)
    assert all(getattr(state, name) == getattr(before, name) for name in State.__slots__)
    assert refused.value.detail
    return refused.value.code, refused.value.rule


def legal(state: State, seat: int) -> list[act.SeatAction]:
    return list(legal_actions(state, seat))
