"""What has become of a turn link: whether it may act still, was used, or why not any more."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from games.clubs.queries import membership_of
from games.play.models import SeatOffer, Status, TurnLink
from games.play.queries import Seen
from games.rules import events as ev

ACTS: dict[str, tuple[str, ...]] = {
    "turn": ("place", "remove", "swap", "pass", "discard", "announce", "draw", "pay"),
    "draw": ("draw",),
    "pay": ("pay",),
    "answer": ("accept_draw", "decline_draw"),
    "offer": ("accept", "decline"),
}
"""What a link of each purpose may do."""


class Standing(Enum):
    OPEN = "open"
    DONE = "done"
    EXPIRED = "expired"
    HANDED_OVER = "handed_over"
    LEFT = "left"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Found:
    """How a link stands; `events` are what its member did about it, `acts` what may be done by it now."""

    standing: Standing
    events: list[ev.Event] = field(default_factory=list)
    acts: tuple[str, ...] = ()
    is_card_lost: bool = False
    """Whether the card that the turn made due was not drawn in time (R16)."""


@dataclass(slots=True)
class Turn:
    """The events of one turn; `end` is the one that ended it, None for a turn that lasts or was cut off."""

    seat: int
    events: list[ev.Event]
    end: ev.Event | None = None


def standing_of(link: TurnLink, seen: Seen) -> Found:
    """Return how `link` stands in the game as its member sees it."""
    found = _judged(link, seen)
    return replace(found, acts=ACTS[link.purpose]) if found.standing is Standing.OPEN else found


def _judged(link: TurnLink, seen: Seen) -> Found:
    if link.purpose == TurnLink.Purpose.OFFER:
        return _of_offer(link, seen)
    place, view = seen.places[link.seat], seen.view
    if place.member_id != link.member_id:
        return Found(Standing.HANDED_OVER)
    if view is None:
        return Found(Standing.CLOSED)
    found = _JUDGES[link.purpose](link, seen)
    if found.standing in (Standing.DONE, Standing.EXPIRED):
        return found
    if view.outcome is not None:
        return Found(Standing.OVER)
    return found if view.active[link.seat] else Found(Standing.LEFT)


def turn_in(events: Iterable[ev.Event], number: int) -> Turn | None:
    """Return turn `number`, the first being 1; None if the game has not come to it."""
    seat: int | None = None
    turns, found = 0, None
    for event in events:
        if isinstance(event, ev.GameStarted):
            seat = event.start
            continue
        if seat is not None and turns + 1 == number:
            found = found or Turn(seat, [])
            found.events.append(event)
        if _ends_turn(event, seat):
            if turns + 1 == number and found is not None:
                found.end = event
                return found
            turns, seat = turns + 1, getattr(event, "next_seat", None)
    if found is None and seat is not None and turns + 1 == number:
        return Turn(seat, [])
    return found


def _ends_turn(event: ev.Event, on_turn: int | None) -> bool:
    match event:
        case ev.ChipPlaced() | ev.ChipRemoved() | ev.TurnPassed() | ev.CardDiscarded():
            return True
        case ev.TurnExpired():
            return event.policy == "pass"
        case ev.SeatLeft():
            return event.seat == on_turn
    return False


def _of_turn(link: TurnLink, seen: Seen) -> Found:
    turn = turn_in(seen.loaded.events, link.number)
    if turn is None or turn.seat != link.seat:
        return Found(Standing.CLOSED)
    by_clock = any(isinstance(event, ev.TurnExpired) and event.policy == "bot" for event in turn.events)
    if by_clock or _by_clock(turn.end):
        return Found(Standing.EXPIRED)
    if turn.end is None:
        return Found(Standing.OPEN, _own(turn.events, link.seat))
    if isinstance(turn.end, ev.SeatLeft):
        return Found(Standing.LEFT)
    return _with_draw(turn, seen)


def _with_draw(turn: Turn, seen: Seen) -> Found:
    """Return how the link of a turn that is played stands: the card that it made due is drawn by it too.

    Whoever draws by hand mostly does so at once, and has no other link yet (R16).
    """
    events, seat, view = seen.loaded.events, turn.seat, seen.view
    done = _own(turn.events, seat)
    is_due = isinstance(turn.end, ev.ChipPlaced | ev.ChipRemoved | ev.CardDiscarded) and not turn.end.drew
    if view is None or not is_due or seen.loaded.rules.draw_mode != "manual":
        return Found(Standing.DONE, done)
    count = next(place for place, event in enumerate(events, 1) if event is turn.end)
    drawing = _drawing(events[:count], events[count:], seat, seen)
    done += drawing.events
    if view.outcome is not None or not view.active[seat]:
        return Found(Standing.DONE, done)
    if drawing.standing is Standing.OPEN:
        return Found(Standing.DONE, done, acts=ACTS["draw"])
    return Found(Standing.DONE, done, is_card_lost=drawing.standing is Standing.CLOSED)


def _by_clock(end: ev.Event | None) -> bool:
    return isinstance(end, ev.TurnExpired) or (isinstance(end, ev.SeatLeft) and end.reason == "expiry")


def _of_draw(link: TurnLink, seen: Seen) -> Found:
    return _drawing(*_around(link, seen), link.seat, seen)


def _drawing(before: list[ev.Event], after: list[ev.Event], seat: int, seen: Seen) -> Found:
    """Return what became of the cards that were due to `seat` after the events `before`."""
    due = 0
    for event in before:
        if seat in getattr(event, "lapsed", ()):
            due = 0
        if isinstance(event, ev.CardDrawn):
            due -= event.seat == seat
        elif isinstance(event, ev.ChipPlaced | ev.ChipRemoved | ev.CardDiscarded):
            due += event.seat == seat and not event.drew
    drawn: list[ev.Event] = []
    for event in after:
        if isinstance(event, ev.CardDrawn) and event.seat == seat:
            drawn.append(event)
            if len(drawn) == due:
                return Found(Standing.DONE, drawn)
        if seat in getattr(event, "lapsed", ()):
            return Found(Standing.CLOSED)
    is_due = due and seen.view is not None and seen.view.rights[seat]
    return Found(Standing.OPEN, drawn) if is_due else Found(Standing.CLOSED)


def _of_payment(link: TurnLink, seen: Seen) -> Found:
    before, after = _around(link, seen)
    owed = 0
    for event in before:
        if isinstance(event, ev.TableTalkCalled):
            owed += link.seat in event.seats
        elif isinstance(event, ev.CardPaid):
            owed -= event.seat == link.seat
    paid: list[ev.Event] = [
        event for event in after if isinstance(event, ev.CardPaid) and event.seat == link.seat
    ]
    if owed and len(paid) >= owed:
        return Found(Standing.DONE, paid[:owed])
    is_due = owed and seen.view is not None and seen.view.debts[link.seat]
    return Found(Standing.OPEN, paid) if is_due else Found(Standing.CLOSED)


def _of_answer(link: TurnLink, seen: Seen) -> Found:
    team, teams = link.seat % seen.game.teams, seen.game.teams
    for event in _around(link, seen)[1]:
        if isinstance(event, ev.DrawOffered):
            return Found(Standing.CLOSED)
        if isinstance(event, ev.DrawAgreed | ev.DrawDeclined):
            if event.seat == link.seat:
                return Found(Standing.DONE, [event])
            if isinstance(event, ev.DrawDeclined) or event.seat % teams == team:
                return Found(Standing.CLOSED)
    offer = None if seen.view is None else seen.view.offer
    return Found(Standing.OPEN if offer is not None and team not in offer[1] else Standing.CLOSED)


_JUDGES = {"turn": _of_turn, "draw": _of_draw, "pay": _of_payment, "answer": _of_answer}


def _of_offer(link: TurnLink, seen: Seen) -> Found:
    offer = SeatOffer.objects.filter(pk=link.number, game=link.game_id, member=link.member_id).first()
    if offer is None or (offer.answered_at is not None and not offer.is_accepted):
        return Found(Standing.CLOSED)
    if offer.is_accepted:
        is_held = seen.places[link.seat].member_id == link.member_id
        return Found(Standing.DONE if is_held else Standing.HANDED_OVER)
    if seen.game.status != Status.ACTIVE:
        return Found(Standing.OVER)
    holds = any(place.member_id == link.member_id and place.is_active for place in seen.places)
    if holds or not seen.places[link.seat].is_active or membership_of(link.member, seen.game.club) is None:
        return Found(Standing.CLOSED)
    return Found(Standing.OPEN)


def _around(link: TurnLink, seen: Seen) -> tuple[list[ev.Event], list[ev.Event]]:
    """Return the events up to the link's number, and those above it."""
    # Once a game is over, the event that reveals the deal stands behind those of the rules.
    is_over = seen.view is not None and seen.view.outcome is not None
    first = seen.version - is_over - len(seen.loaded.events) + 1
    count = max(0, link.number - first + 1)
    return seen.loaded.events[:count], seen.loaded.events[count:]


def _own(events: list[ev.Event], seat: int) -> list[ev.Event]:
    """Return what the present holder of `seat` did in `events`."""
    found: list[ev.Event] = []
    for event in events:
        if isinstance(event, ev.SeatReplaced) and event.seat == seat:
            found = []
        elif getattr(event, "seat", None) == seat:
            found.append(event)
    return found
