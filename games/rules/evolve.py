"""How each event changes the state of a game; `evolve` and `rebuild` are pure from outside."""

from collections.abc import Callable, Iterable
from typing import Any

from games.rules import events as ev
from games.rules.cards import HIDDEN, Card
from games.rules.deal import Deal, HiddenDeal
from games.rules.ruleset import Ruleset
from games.rules.state import Outcome, State, deal_cards, owner_of


class CorruptEvents(ValueError):
    """Events that no game can have produced; the log or record that held them is damaged."""


def rebuild(ruleset: Ruleset, events: Iterable[ev.Event], deal: Deal | None = None) -> State:
    """Return the state after `events`, of which GameStarted comes first; raises CorruptEvents.

    Without `deal` every card that was not shown is hidden.
    """
    stream = iter(events)
    first = next(stream, None)
    if not isinstance(first, ev.GameStarted):
        raise CorruptEvents("the first event is not the start of the game")
    return fold(deal_cards(ruleset, deal or HiddenDeal(), first.start), stream)


def fold(state: State, events: Iterable[ev.Event]) -> State:
    """Apply `events` to `state` itself and return it; raises CorruptEvents."""
    apply = _APPLY
    for event in events:
        apply[type(event)](state, event)
    return state


def evolve(state: State, event: ev.Event) -> State:
    """Return the state after `event`, leaving `state` as it is; raises CorruptEvents."""
    return fold(state.copy(), (event,))


def _spend(state: State, seat: int, card: Card) -> None:
    """Take `card` out of the hand; a hidden card may stand for it."""
    hand = state.hands[seat]
    try:
        hand.remove(card)
    except ValueError:
        if HIDDEN not in hand:
            raise CorruptEvents(f"seat {seat} does not hold {card}") from None
        hand.remove(HIDDEN)


def _take(state: State, seat: int, reshuffled: int) -> None:
    if reshuffled & ev.BEFORE:
        _reshuffle(state)
    if not state.pile:
        raise CorruptEvents("a card is drawn from an empty pile")
    state.hands[seat].append(state.pile.pop())
    if reshuffled & ev.AFTER:
        _reshuffle(state)


def _reshuffle(state: State) -> None:
    cards = [card for pile in state.discards for card in pile]
    order = state.ruleset.edition.order
    cards.sort(key=lambda card: order.get(card, len(order)))
    state.reshuffles += 1
    try:
        state.pile = state.deal.reshuffle(state.reshuffles, cards)[::-1]
    except ValueError as error:
        raise CorruptEvents(str(error)) from None
    state.discards = [[] for _ in state.hands]


def _check_turn(state: State, seat: int) -> None:
    if seat != state.turn or state.outcome is not None:
        raise CorruptEvents(f"seat {seat} is not on turn")


def _score(state: State, team: int, lines: tuple[int, ...], locked: int) -> None:
    have = state.chips[team] | state.board.corner_mask
    for line in lines:
        if line & have != line or line not in state.board.line_by_mask:
            raise CorruptEvents("a line is completed that the team does not hold")
        state.lines[team].append(line)
    if locked & ~state.chips[team]:
        raise CorruptEvents("a space is locked that holds no chip of the team")
    state.locked[team] |= locked


def _end_play(state: State, event: ev.ChipPlaced | ev.ChipRemoved | ev.CardDiscarded, team: int) -> None:
    """Discard, draw and hand the turn on, after a card was played."""
    seat = event.seat
    state.discards[seat].append(event.card)
    if event.drew:
        _take(state, seat, event.reshuffled)
    elif state.ruleset.draw_mode == "manual":
        for lapsed in event.lapsed:
            state.rights[lapsed] = []
        state.rights[seat].append(state.turns)
    _end_own_turn(state, team, event.next_seat)
    state.clock_passes[seat] = 0
    state.no_play_passes = 0


def _end_own_turn(state: State, team: int, next_seat: int | None) -> None:
    if state.offer is not None and state.offer[0] == team:
        state.offer = None
    _end_turn(state, next_seat)


def _end_turn(state: State, next_seat: int | None) -> None:
    state.swaps_used = 0
    state.stand_in = False
    state.turns += 1
    state.turn = next_seat


def _chip_placed(state: State, event: ev.ChipPlaced) -> None:
    seat, card, space = event.seat, event.card, event.space
    if seat != state.turn or state.outcome is not None:
        raise CorruptEvents(f"seat {seat} is not on turn")
    bit = 1 << space
    rules = state.ruleset
    if state.occupied & bit or (
        card not in rules.wild
        and (space not in rules.edition.spaces_by_card.get(card, ()) or card in rules.anti)
    ):
        raise CorruptEvents(f"{card} cannot place a chip on {state.board.names[space]}")
    _spend(state, seat, card)
    team = state.team_of[seat]
    state.chips[team] |= bit
    state.occupied |= bit
    state.last = space
    if event.lines:
        _score(state, team, event.lines, event.locked)
    _end_play(state, event, team)
    state.idle_turns = 0


def _chip_removed(state: State, event: ev.ChipRemoved) -> None:
    seat, card, space = event.seat, event.card, event.space
    _check_turn(state, seat)
    bit = 1 << space
    team = state.team_of[seat]
    owner = owner_of(state, space)
    if card not in state.ruleset.anti or owner is None or owner == team or state.locked[owner] & bit:
        raise CorruptEvents(f"{card} cannot remove a chip from {state.board.names[space]}")
    _spend(state, seat, card)
    state.chips[owner] ^= bit
    state.occupied ^= bit
    state.last = space
    if event.lines:
        _score(state, team, event.lines, event.locked)
    _end_play(state, event, team)
    state.idle_turns = 0


def _card_swapped(state: State, event: ev.CardSwapped) -> None:
    _check_turn(state, event.seat)
    _spend(state, event.seat, event.card)
    if event.reshuffled & ev.BEFORE:
        _reshuffle(state)
    state.discards[event.seat].append(event.card)
    _take(state, event.seat, event.reshuffled & ev.AFTER)
    state.swaps_used += 1
    state.clock_passes[event.seat] = 0
    state.no_play_passes = 0


def _card_drawn(state: State, event: ev.CardDrawn) -> None:
    if not state.rights[event.seat]:
        raise CorruptEvents(f"seat {event.seat} has no card to draw")
    state.rights[event.seat].pop(0)
    for lapsed in event.lapsed:
        state.rights[lapsed] = []
    _take(state, event.seat, event.reshuffled)


def _turn_passed(state: State, event: ev.TurnPassed) -> None:
    _check_turn(state, event.seat)
    state.no_play_passes = 0 if state.swaps_used else state.no_play_passes + 1
    state.idle_turns += 1
    state.clock_passes[event.seat] = 0
    _end_own_turn(state, state.team_of[event.seat], event.next_seat)


def _card_discarded(state: State, event: ev.CardDiscarded) -> None:
    _check_turn(state, event.seat)
    _spend(state, event.seat, event.card)
    state.idle_turns += 1
    _end_play(state, event, state.team_of[event.seat])


def _lines_announced(state: State, event: ev.LinesAnnounced) -> None:
    _check_turn(state, event.seat)
    _score(state, state.team_of[event.seat], event.lines, event.locked)


def _table_talk_called(state: State, event: ev.TableTalkCalled) -> None:
    for seat in event.seats:
        state.debts[seat] += 1


def _card_paid(state: State, event: ev.CardPaid) -> None:
    if not state.debts[event.seat]:
        raise CorruptEvents(f"seat {event.seat} owes no card")
    _spend(state, event.seat, event.card)
    state.debts[event.seat] -= 1
    state.discards[event.seat].append(event.card)


def _seat_left(state: State, event: ev.SeatLeft) -> None:
    seat = event.seat
    if not state.active[seat]:
        raise CorruptEvents(f"seat {seat} has left already")
    state.active[seat] = False
    kept = state.discards[seat] if state.ruleset.withdrawn_hand == "discard" else state.out
    kept.extend(state.hands[seat])
    state.hands[seat] = []
    state.debts[seat] = 0
    state.rights[seat] = []
    if state.turn == seat:
        _end_turn(state, event.next_seat)
    team = state.team_of[seat]
    if state.offer is not None and state.offer[0] == team and not state.team_active(team):
        state.offer = None


def _seat_replaced(state: State, event: ev.SeatReplaced) -> None:
    if not state.active[event.seat]:
        raise CorruptEvents(f"seat {event.seat} has left")
    state.clock_passes[event.seat] = 0


def _turn_expired(state: State, event: ev.TurnExpired) -> None:
    _check_turn(state, event.seat)
    if event.policy == "ask":
        state.paused = True
    elif event.policy == "bot":
        state.stand_in = True
    elif event.policy == "pass":
        state.clock_passes[event.seat] += 1
        state.no_play_passes = 0
        state.idle_turns += 1
        _end_turn(state, event.next_seat)


def _draw_offered(state: State, event: ev.DrawOffered) -> None:
    team = state.team_of[event.seat]
    state.offer = (team, frozenset({team}))


def _draw_agreed(state: State, event: ev.DrawAgreed) -> None:
    if state.offer is None:
        raise CorruptEvents("no draw has been offered")
    state.offer = (state.offer[0], state.offer[1] | {state.team_of[event.seat]})


def _draw_declined(state: State, event: ev.DrawDeclined) -> None:
    state.offer = None


def _clock_paused(state: State, event: ev.ClockPaused) -> None:
    state.paused = True


def _clock_resumed(state: State, event: ev.ClockResumed) -> None:
    state.paused = False


def _result_ruled(state: State, event: ev.ResultRuled) -> None:
    """Change nothing: GameEnded follows, this event keeps who ruled and why."""


def _game_annulled(state: State, event: ev.GameAnnulled) -> None:
    _finish(state, Outcome(None, "annulled"))


def _game_ended(state: State, event: ev.GameEnded) -> None:
    _finish(state, Outcome(event.winner, event.end))


def _finish(state: State, result: Outcome) -> None:
    state.outcome = result
    state.turn = None
    state.offer = None


def _game_started(state: State, event: ev.GameStarted) -> None:
    raise CorruptEvents("the game is started twice")


_APPLY: dict[type, Callable[[State, Any], None]] = {
    ev.GameStarted: _game_started,
    ev.ChipPlaced: _chip_placed,
    ev.ChipRemoved: _chip_removed,
    ev.CardSwapped: _card_swapped,
    ev.CardDrawn: _card_drawn,
    ev.TurnPassed: _turn_passed,
    ev.CardDiscarded: _card_discarded,
    ev.LinesAnnounced: _lines_announced,
    ev.TableTalkCalled: _table_talk_called,
    ev.CardPaid: _card_paid,
    ev.SeatLeft: _seat_left,
    ev.SeatReplaced: _seat_replaced,
    ev.TurnExpired: _turn_expired,
    ev.DrawOffered: _draw_offered,
    ev.DrawAgreed: _draw_agreed,
    ev.DrawDeclined: _draw_declined,
    ev.ResultRuled: _result_ruled,
    ev.GameAnnulled: _game_annulled,
    ev.ClockPaused: _clock_paused,
    ev.ClockResumed: _clock_resumed,
    ev.GameEnded: _game_ended,
}
