"""Judging what seats do with cards (R8-R18)."""

from collections.abc import Callable, Iterable
from typing import Any

from games.rules import actions as act
from games.rules import events as ev
from games.rules.board import Line
from games.rules.cards import HIDDEN, Card
from games.rules.claims import allowed, chips_locked_by, default_set, full_lines, largest_sets, open_lines
from games.rules.endings import Events, followed_by, idle_end, most_lines, seat_in_play
from games.rules.legal import can_draw, has_play, is_dead, out_of_chips, swaps_left, swaps_of
from games.rules.refusal import refuse
from games.rules.state import State, owner_of


def _on_turn(state: State, seat: int) -> None:
    seat_in_play(state, seat)
    if seat != state.turn:
        refuse("not_your_turn", "R6", "it is another seat's turn")
    if state.debts[seat]:
        refuse("penalty_due", "R17", "give up the card that table talk has cost first")


def _holds(state: State, seat: int, card: Card) -> None:
    hand = state.hands[seat]
    if card not in hand and HIDDEN not in hand:
        refuse("not_in_hand", "R8", f"{card} is not in the hand")


def place(state: State, action: act.PlaceChip) -> Events:
    seat, card, space = action.seat, action.card, action.space
    _on_turn(state, seat)
    _holds(state, seat, card)
    rules, name = state.ruleset, state.board.name(space)
    bit = 1 << space
    if bit & state.board.corner_mask:
        refuse("corner", "R8", f"{name} is a corner: it takes no chip, it counts for every team")
    if card in rules.anti:
        refuse("card_mismatch", "R8", f"{card} removes a chip and places none")
    if card not in rules.wild and space not in rules.edition.spaces_for(card):
        where = " and ".join(state.board.name(s) for s in rules.edition.spaces_for(card))
        refuse("card_mismatch", "R8", f"{card} belongs on {where}, not on {name}")
    if state.occupied & bit:
        refuse("occupied", "R8", f"a chip stands on {name} already")
    team = state.team_of[seat]
    if out_of_chips(state, team):
        refuse("chip_limit", "R3", "the team has no chip left")
    chips = list(state.chips)
    chips[team] |= bit
    lines = _lines_of_play(state, team, chips[team], action.lines, space)
    event, drew = _played(state, ev.ChipPlaced, action, lines, chips[team])
    ending = _won(state, team, lines) or _after_placement(state, chips, team, lines, bit)
    return _close(event, drew, ending)


def remove(state: State, action: act.RemoveChip) -> Events:
    seat, card, space = action.seat, action.card, action.space
    _on_turn(state, seat)
    _holds(state, seat, card)
    name = state.board.name(space)
    bit = 1 << space
    if card not in state.ruleset.anti:
        refuse("card_mismatch", "R8", f"{card} removes no chip")
    if bit & state.board.corner_mask:
        refuse("corner", "R8", f"{name} is a corner: no chip stands there")
    owner = owner_of(state, space)
    team = state.team_of[seat]
    if owner is None:
        refuse("empty_space", "R8", f"no chip stands on {name}")
    if owner == team:
        refuse("own_chip", "R8", f"the chip on {name} is the team's own")
    if state.locked[owner] & bit:
        refuse("locked", "R9", f"the chip on {name} is locked in a completed line")
    lines = _lines_of_play(state, team, state.chips[team], action.lines, None)
    event, drew = _played(state, ev.ChipRemoved, action, lines, state.chips[team])
    return _close(event, drew, _won(state, team, lines))


def _played(
    state: State,
    kind: type[ev.ChipPlaced] | type[ev.ChipRemoved],
    action: act.PlaceChip | act.RemoveChip,
    lines: tuple[Line, ...],
    chips: int,
) -> tuple[Callable[..., ev.Event], dict[str, Any]]:
    """Return the event without what ending the game would take from it, and that part."""
    seat, team = action.seat, state.team_of[action.seat]
    locked = chips_locked_by(state, team, chips, lines) if lines else 0
    masks = tuple(line.mask for line in lines)

    def event(**rest: Any) -> ev.Event:
        return kind(seat, action.card, action.space, masks, locked, **rest)

    return event, _after_play(state, seat)


def _after_play(state: State, seat: int) -> dict[str, Any]:
    """Return what follows a play that does not end the game: the draw, lost rights, the next seat."""
    drew, reshuffled = False, 0
    lapsed: tuple[int, ...] = ()
    if state.ruleset.draw_mode == "auto":
        drew, reshuffled = _draw_outcome(state, 1)
    else:
        lapsed = _lapsed_by_play(state, seat)
    return {"drew": drew, "reshuffled": reshuffled, "lapsed": lapsed, "next_seat": state.seat_after(seat)}


def _close(event: Callable[..., ev.Event], after: dict[str, Any], ending: ev.GameEnded | None) -> Events:
    if ending is None:
        return (event(**after),)
    return (event(drew=False, reshuffled=0, lapsed=(), next_seat=None), ending)


def _draw_outcome(state: State, discarding: int) -> tuple[bool, int]:
    """Return whether a card can be drawn and when the discards are reshuffled (R12).

    `discarding` cards come onto the discards before the draw.
    """
    pile, discards = len(state.pile), state.discarded() + discarding
    mode = state.ruleset.reshuffle
    reshuffled = 0
    if pile == 0:
        if mode == "never" or discards == 0:
            return False, 0
        reshuffled, pile, discards = ev.BEFORE, discards, 0
    if pile == 1 and mode == "eager" and discards:
        reshuffled |= ev.AFTER
    return True, reshuffled


def _lapsed_by_play(state: State, seat: int) -> tuple[int, ...]:
    """Return the seats that lose a draw because `seat` plays (R16)."""
    mode = state.ruleset.loss_of_card
    if mode == "never":
        return ()
    losing = range(len(state.rights)) if mode == "next_play" else (seat,)
    return tuple(other for other in losing if state.rights[other])


def _lines_of_play(
    state: State, team: int, chips: int, named: act.Lines | None, space: int | None
) -> tuple[Line, ...]:
    """Return the lines that count with a play; `space` is where a chip was placed (R10, R11, R18)."""
    if state.ruleset.claim == "announce":
        return _announced(state, team, chips, named) if named else ()
    full = full_lines(state, team, chips, space) if space is not None else []
    if not full:
        if named:
            refuse("bad_claim", "R9", "no line is completed by this play")
        return ()
    sets = largest_sets(state, team, full)
    if named is None:
        return default_set(state, team, chips, sets)
    named_set = next((lines for lines in sets if sorted(line.mask for line in lines) == sorted(named)), None)
    if named_set is None:
        choices = "; ".join(", ".join(line_name(state, line) for line in lines) for lines in sets[:8])
        refuse("bad_claim", "R11", f"these lines cannot be claimed; possible are {choices}")
    return named_set


def _announced(state: State, team: int, chips: int, named: act.Lines) -> tuple[Line, ...]:
    full = {line.mask: line for line in full_lines(state, team, chips)}
    lines = tuple(full[mask] for mask in named if mask in full)
    earlier = [state.board.line_by_mask[mask] for mask in state.lines[team]]
    if len(lines) != len(named) or not allowed(state.ruleset, earlier, lines):
        possible = ", ".join(line_name(state, line) for line in full.values()) or "none"
        refuse("bad_claim", "R18", f"these lines cannot be announced together; full lines are {possible}")
    return lines


def line_name(state: State, line: Line) -> str:
    """Return a line by its ends, such as `c5-g9`."""
    return f"{state.board.name(line.spaces[0])}-{state.board.name(line.spaces[-1])}"


def _won(state: State, team: int, lines: tuple[Line, ...]) -> ev.GameEnded | None:
    rules = state.ruleset
    if lines and rules.end == "race" and len(state.lines[team]) + len(lines) >= rules.lines_to_win:
        return ev.GameEnded(team, "lines")
    return None


def _after_placement(
    state: State, chips: list[int], team: int, lines: tuple[Line, ...], bit: int
) -> ev.GameEnded | None:
    """Return the end that a placement brings without a win (R15, R19)."""
    rules = state.ruleset
    if rules.end == "full_board" and not state.board.playable_mask & ~(state.occupied | bit):
        return most_lines(state, "full_board", team, len(lines))
    if rules.stalemate == "none":
        return None
    after = state.copy()
    after.chips = chips
    after.lines[team] += [line.mask for line in lines]
    after.locked[team] |= chips_locked_by(state, team, chips[team], lines)
    blocked = rules.stalemate == "blocked"
    if any(state.team_active(t) and open_lines(after, t, blocked=blocked) for t in range(rules.teams)):
        return None
    return most_lines(state, "stalemate", team, len(lines))


def swap(state: State, action: act.SwapCard) -> Events:
    _on_turn(state, action.seat)
    _holds(state, action.seat, action.card)
    if not swaps_left(state):
        limit = state.ruleset.dead_swaps_per_turn
        refuse("swap_limit", "R13", f"no more than {limit} dead cards may be swapped in one turn")
    if not is_dead(state, action.seat, action.card):
        refuse("not_dead", "R13", f"{action.card} is not dead: it can still be played somewhere")
    if not can_draw(state):
        refuse("no_replacement", "R13", "there is no card to draw instead")
    if state.pile:
        return (ev.CardSwapped(action.seat, action.card, _draw_outcome(state, 1)[1]),)
    empties = state.discarded() == 1 and state.ruleset.reshuffle == "eager"
    return (ev.CardSwapped(action.seat, action.card, ev.BEFORE | (ev.AFTER if empties else 0)),)


def draw(state: State, action: act.DrawCard) -> Events:
    seat_in_play(state, action.seat)
    rights = state.rights[action.seat]
    if not rights:
        refuse("no_draw_right", "R16", "there is no card to draw: it was drawn already, or the right is lost")
    drew, reshuffled = _draw_outcome(state, 0)
    if not drew:
        refuse("no_replacement", "R12", "the draw pile is empty")
    lapsed: tuple[int, ...] = ()
    if state.ruleset.loss_of_card == "next_play_and_draw":
        lapsed = tuple(
            seat
            for seat, others in enumerate(state.rights)
            if seat != action.seat and others and others[0] < rights[0]
        )
    return (ev.CardDrawn(action.seat, reshuffled, lapsed),)


def _check_no_play(state: State, seat: int) -> None:
    if HIDDEN in state.hands[seat]:
        return
    if has_play(state, seat):
        refuse("must_play", "R14", "a card of the hand can be played")
    if state.ruleset.must_swap_before_pass and swaps_of(state, seat):
        refuse("must_play", "R14", "swap the dead card first")


def pass_turn(state: State, action: act.PassTurn) -> Events:
    _on_turn(state, action.seat)
    _check_no_play(state, action.seat)
    passes = 0 if state.swaps_used else state.no_play_passes + 1
    ending = idle_end(state, passes)
    following = None if ending else state.seat_after(action.seat)
    return followed_by(ev.TurnPassed(action.seat, following), ending)


def discard(state: State, action: act.DiscardCard) -> Events:
    _on_turn(state, action.seat)
    _holds(state, action.seat, action.card)
    if state.ruleset.no_play != "discard_draw":
        refuse("must_play", "R14", "cards may not be discarded in this game: play, swap or pass")
    _check_no_play(state, action.seat)
    ending = idle_end(state, 0)
    seat, card = action.seat, action.card
    return _close(lambda **rest: ev.CardDiscarded(seat, card, **rest), _after_play(state, seat), ending)


def announce(state: State, action: act.AnnounceLines) -> Events:
    _on_turn(state, action.seat)
    team = state.team_of[action.seat]
    if state.ruleset.claim != "announce" or not action.lines:
        refuse("bad_claim", "R18", "name the lines to announce, in a game in which lines are announced")
    lines = _announced(state, team, state.chips[team], action.lines)
    locked = chips_locked_by(state, team, state.chips[team], lines)
    event = ev.LinesAnnounced(action.seat, tuple(line.mask for line in lines), locked)
    return followed_by(event, _won(state, team, lines))


def pay_card(state: State, action: act.PayCard) -> Events:
    seat_in_play(state, action.seat)
    if not state.debts[action.seat]:
        refuse("no_penalty_due", "R17", "this seat owes no card")
    _holds(state, action.seat, action.card)
    return (ev.CardPaid(action.seat, action.card),)


def masks_of_lines(state: State, names: Iterable[tuple[int, int]]) -> act.Lines:
    """Return the masks of lines given by their end spaces; raises IllegalAction for what is no line."""
    masks = []
    for first, last in names:
        line = state.board.line_between(first, last)
        if line is None:
            ends = f"{state.board.name(first)}-{state.board.name(last)}"
            refuse("bad_claim", "R9", f"{ends} is not a line of {state.board.line_length}")
        masks.append(line.mask)
    return tuple(masks)
