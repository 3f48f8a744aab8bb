"""Making the record of a game that was played here, and showing less of a record (docs/record-format.md)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from games.rules import events as ev
from games.rules.cards import HIDDEN, Card
from games.rules.deal import Deal, HiddenDeal, ListedDeal, SecretDeal, seal_of
from games.rules.encoding import SEAT_LETTERS
from games.rules.evolve import CorruptEvents, fold
from games.rules.record import (
    FULL,
    NO_CARD,
    PUBLIC,
    Record,
    RecordSeat,
    RecordTurn,
    Swap,
    is_view,
    seat_of_view,
)
from games.rules.record_header import SEAL_PREFIX
from games.rules.replay import replay, result_of
from games.rules.ruleset import Ruleset
from games.rules.state import State, deal_cards


class HiddenView(ValueError):
    """A record is asked to show what it does not hold."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """When an event was recorded, as `2026-11-30T18:02:11Z`, and the seconds that its seat had left then."""

    at: str = ""
    clk: int | None = None


def record_of(
    rules: Ruleset,
    events: Iterable[ev.Event],
    deal: Deal | None,
    *,
    tags: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    nonces: tuple[str, ...] | None = None,
    secret: bytes | None = None,
    seal: str = "",
    clocks: Mapping[int, Stamp] | None = None,
    view: str = FULL,
) -> Record:
    """Return the record of stored `events`, of which GameStarted comes first; raises CorruptEvents.

    `names` gives the names to show by seat letter, and those of substitutes by their player id. `secret`
    belongs in the full record of a finished game only; `clocks` goes by the place of an event in `events`.
    """
    stream = iter(events)
    first = next(stream, None)
    if not isinstance(first, ev.GameStarted):
        raise CorruptEvents("the first event is not the start of the game")
    names = names or {}
    state = deal_cards(rules, deal or HiddenDeal(), first.start)
    hands = tuple(None if HIDDEN in hand else tuple(hand) for hand in state.hands)
    turns = tuple(_turns(state, stream, names, clocks or {}))
    shown_deal: SecretDeal | ListedDeal | None = deal if isinstance(deal, ListedDeal) else None
    if secret is not None:
        shown_deal = SecretDeal(secret, first.nonces if nonces is None else nonces)
        seal = seal or seal_of(secret)
    record = Record(
        ruleset=rules,
        seats=tuple(
            RecordSeat(letter, names.get(letter, ""), rules.team_names[rules.team_of[seat]])
            for seat, letter in enumerate(SEAT_LETTERS[: rules.seats])
        ),
        turns=turns,
        tags=dict(tags or {}),
        start=first.start,
        cuts=first.cuts,
        seal=seal.removeprefix(SEAL_PREFIX),
        hands=hands,
        deal=shown_deal,
        result=result_of(rules, state.outcome),
    )
    return _hide(record, view)


def complete(record: Record) -> Record:
    """Return the record with everything that follows from it filled in; raises RecordError."""
    played = replay(record)
    hands = deal_cards(record.ruleset, played.deal, record.start).hands
    return replace(
        record,
        turns=played.turns,
        hands=tuple(None if HIDDEN in hand else tuple(hand) for hand in hands),
        result=played.result,
    )


def redact(record: Record, view: str) -> Record:
    """Return what `view` shows of the record; raises HiddenView for more than it holds, and RecordError.

    A record with its deal is completed first, for a view without the deal could not be.
    """
    return _hide(record if record.deal is None else complete(record), view)


def _hide(record: Record, view: str) -> Record:
    """Return the record with the cards turned over that `view` may not see (R20)."""
    if not is_view(view, record.ruleset.seats):
        raise HiddenView(f"there is no view {view!r} of this game")
    if record.view not in (FULL, view) and view != PUBLIC:
        raise HiddenView(f"a record of the view {record.view} cannot show the view {view}")
    if view == FULL:
        return record
    if record.ruleset.hands == "open":
        return replace(record, view=view, deal=None)
    viewer = seat_of_view(view)
    hands = record.hands
    return replace(
        record,
        view=view,
        deal=None,
        hands=hands and tuple(hand if seat == viewer else None for seat, hand in enumerate(hands)),
        turns=tuple(turn if turn.seat == viewer else _turned_over(turn) for turn in record.turns),
    )


def _turned_over(turn: RecordTurn) -> RecordTurn:
    def hidden(card: Card | None) -> Card | None:
        return card if card in (None, NO_CARD) else HIDDEN

    swaps = tuple(replace(swap, drawn=hidden(swap.drawn)) for swap in turn.swaps)
    return replace(turn, swaps=swaps, draw=hidden(turn.draw))


def _turns(
    state: State, events: Iterable[ev.Event], names: Mapping[str, str], clocks: Mapping[int, Stamp]
) -> Iterator[RecordTurn]:
    """Fold `events` and yield the turns that they are in a record."""
    waiting: RecordTurn | None = None
    stamp = Stamp()
    for number, event in enumerate(events, 1):
        n = state.turns + 1
        fold(state, (event,))
        stamp = clocks.get(number, Stamp())
        if isinstance(event, ev.GameEnded):
            waiting = waiting and replace(waiting, over=True)
            continue
        turn = _turn(state, event, n, names)
        if turn is None:
            continue
        turn = replace(turn, at=stamp.at, clk=stamp.clk)
        if waiting is not None and waiting.act is None and _continues(waiting, turn):
            turn = replace(turn, swaps=waiting.swaps + turn.swaps)
        elif waiting is not None:
            yield waiting
        waiting = turn
    if waiting is not None:
        yield waiting


def _continues(swaps: RecordTurn, turn: RecordTurn) -> bool:
    return (turn.n, turn.seat) == (swaps.n, swaps.seat) and turn.act in (
        None, "place", "remove", "pass", "discard",
    )  # fmt: skip


def _turn(state: State, event: ev.Event, n: int, names: Mapping[str, str]) -> RecordTurn | None:
    """Return the turn that `event` is, after it was folded; None for what follows from another event."""
    plain = _PLAIN_ACTS.get(type(event))
    if plain is not None:
        return RecordTurn(n, getattr(event, "seat", None), plain[0], ruling=plain[1])
    match event:
        case ev.ChipPlaced() | ev.ChipRemoved():
            act = "place" if isinstance(event, ev.ChipPlaced) else "remove"
            draw = _drawn(state, event.seat, event.drew)
            lines = event.lines or None
            return RecordTurn(n, event.seat, act, (), event.card, event.space, lines, draw, event.reshuffled)
        case ev.CardDiscarded():
            draw = _drawn(state, event.seat, event.drew)
            return RecordTurn(
                n, event.seat, "discard", card=event.card, draw=draw, reshuffled=event.reshuffled
            )
        case ev.CardSwapped():
            swap = Swap(event.card, state.hands[event.seat][-1], event.reshuffled)
            return RecordTurn(n, event.seat, None, (swap,))
        case ev.CardDrawn():
            draw = state.hands[event.seat][-1]
            return RecordTurn(n, event.seat, "draw", draw=draw, reshuffled=event.reshuffled)
        case ev.LinesAnnounced():
            return RecordTurn(n, event.seat, "announce", lines=event.lines)
        case ev.CardPaid():
            return RecordTurn(n, event.seat, "forfeit_card", card=event.card)
        case ev.TableTalkCalled():
            return RecordTurn(n, None, "table_talk", team=event.team)
        case ev.TurnExpired():
            return RecordTurn(n, event.seat, "flag", policy=event.policy)
        case ev.SeatReplaced():
            return RecordTurn(n, event.seat, "substitute", name=names.get(event.player, ""))
        case ev.SeatLeft():
            act = event.reason
            return RecordTurn(n, event.seat, act) if act in ("resign", "leave") else None
        case ev.ResultRuled():
            winner = "draw" if event.winner is None else state.ruleset.team_names[event.winner]
            return RecordTurn(n, None, "ruling", ruling=winner)
        case ev.GameAnnulled():
            return RecordTurn(n, None, "ruling", ruling="annulled", over=True)
    raise CorruptEvents(f"{type(event).__name__} comes where no record can have it")


_PLAIN_ACTS: dict[type, tuple[str, str]] = {
    ev.TurnPassed: ("pass", ""),
    ev.DrawOffered: ("offer_draw", ""),
    ev.DrawAgreed: ("accept_draw", ""),
    ev.DrawDeclined: ("decline_draw", ""),
    ev.ClockPaused: ("ruling", "paused"),
    ev.ClockResumed: ("ruling", "resumed"),
}
"""Events that are an act, with what is ruled, and nothing more."""


def _drawn(state: State, seat: int, drew: bool) -> Card | None:
    """Return the card just drawn, NO_CARD where none was; None where cards are drawn by hand."""
    if drew:
        return state.hands[seat][-1]
    return None if state.ruleset.draw_mode == "manual" else NO_CARD
