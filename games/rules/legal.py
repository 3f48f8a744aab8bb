"""What a seat may do now (R8, R13, R14)."""

from games.rules import actions as act
from games.rules.board import Space
from games.rules.cards import HIDDEN, Card
from games.rules.claims import full_lines
from games.rules.state import State


def legal_actions(state: State, seat: int) -> tuple[act.SeatAction, ...]:
    """Return every action with which `seat` may act on the cards now, placements with their default lines.

    Leaving, draw offers and announcements are always the seat's choice and are not listed; see
    `unclaimed_lines` for the last.
    """
    if state.outcome is not None or not state.active[seat]:
        return ()
    found: list[act.SeatAction] = []
    if state.debts[seat]:
        found += [act.PayCard(seat, card) for card in _distinct(state, seat)]
    elif state.turn == seat:
        plays = plays_of(state, seat)
        swaps = swaps_of(state, seat)
        found += plays
        found += swaps
        if not plays and not (swaps and state.ruleset.must_swap_before_pass):
            found.append(act.PassTurn(seat))
            if state.ruleset.no_play == "discard_draw":
                found += [act.DiscardCard(seat, card) for card in _distinct(state, seat)]
    if state.rights[seat] and can_draw(state):
        found.append(act.DrawCard(seat))
    return tuple(found)


def _distinct(state: State, seat: int) -> list[Card]:
    order = state.ruleset.edition.order
    return sorted({card for card in state.hands[seat] if card != HIDDEN}, key=lambda card: order[card])


def plays_of(state: State, seat: int) -> list[act.SeatAction]:
    """Return the placements and removals that the hand of `seat` allows, each once."""
    found: list[act.SeatAction] = []
    for card in _distinct(state, seat):
        if card in state.ruleset.anti:
            found += [act.RemoveChip(seat, card, space) for space in targets_of(state, seat)]
        else:
            found += [act.PlaceChip(seat, card, space) for space in spaces_open_to(state, seat, card)]
    return found


def has_play(state: State, seat: int) -> bool:
    """Return whether any known card of the hand can be played."""
    return bool(plays_of(state, seat))


def spaces_open_to(state: State, seat: int, card: Card) -> tuple[Space, ...]:
    """Return the spaces on which `card` may place a chip of the seat's team."""
    if out_of_chips(state, state.team_of[seat]):
        return ()
    if card in state.ruleset.wild:
        return state.board.spaces_in(state.board.playable_mask & ~state.occupied)
    spaces = state.ruleset.edition.spaces_for(card)
    return tuple(space for space in spaces if not state.occupied >> space & 1)


def targets_of(state: State, seat: int) -> tuple[Space, ...]:
    """Return the spaces whose chip a one-eyed jack of `seat` may remove."""
    team = state.team_of[seat]
    loose = 0
    for other, chips in enumerate(state.chips):
        if other != team:
            loose |= chips & ~state.locked[other]
    return state.board.spaces_in(loose)


def out_of_chips(state: State, team: int) -> bool:
    """Return whether the team's supply is used up (R3, `chip_limit`)."""
    limit = state.ruleset.chip_limit
    return limit is not None and state.chips[team].bit_count() >= limit[team]


def is_dead(state: State, seat: int, card: Card) -> bool:
    """Return whether `card` may be swapped as dead by `seat` (R13)."""
    rules = state.ruleset
    if card in rules.wild or card in rules.anti:
        if not rules.jacks_can_be_dead:
            return False
        return not (targets_of(state, seat) if card in rules.anti else spaces_open_to(state, seat, card))
    return all(state.occupied >> space & 1 for space in rules.edition.spaces_for(card))


def swaps_left(state: State) -> bool:
    """Return whether the seat on turn may swap once more in this turn (R13)."""
    limit = state.ruleset.dead_swaps_per_turn
    return limit is None or state.swaps_used < limit


def can_draw(state: State) -> bool:
    """Return whether there is a card to draw, after a reshuffle if need be (R12)."""
    return bool(state.pile) or (state.ruleset.reshuffle != "never" and state.discarded() > 0)


def swaps_of(state: State, seat: int) -> list[act.SeatAction]:
    """Return the swaps that the hand of `seat` allows now."""
    if not swaps_left(state) or not can_draw(state):
        return []
    return [act.SwapCard(seat, card) for card in _distinct(state, seat) if is_dead(state, seat, card)]


def unclaimed_lines(state: State, seat: int) -> tuple[int, ...]:
    """Return the masks of full lines that the seat's team could announce, each taken alone (R18)."""
    team = state.team_of[seat]
    return tuple(line.mask for line in full_lines(state, team, state.chips[team]))
