"""Who is told what by mail: rows of the outbox, in the transaction of whatever gives reason to them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from games.accounts.models import User
from games.clubs.queries import organisers
from games.mail.models import Mail
from games.mail.outbox import Draft, enqueue
from games.play.models import Game, Seat
from games.play.services.locking import Locked
from games.rules import events as ev
from games.rules.encoding import SEAT_LETTERS
from games.rules.state import State

DRAW_WAIT_SECONDS = 600
"""Whoever draws by hand mostly does so at once: only who has not is told (R16)."""
ASKED_A_DAY = 10
"""To so many kept seats a member is asked within a day, over all games."""
A_DAY = timedelta(days=1)

TOLD_A_TURN = 2
"""Who offers a draw and takes it back, again and again, mails nobody any more."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a game waited for before its state was folded on."""

    turn: int | None
    turns: int
    rights: tuple[int, ...]
    is_over: bool


def moment_of(state: State) -> Moment:
    """Return what the game waits for now."""
    return Moment(state.turn, state.turns, tuple(map(len, state.rights)), state.over)


def tell_turn(locked: Locked, before: Moment, events: tuple[ev.Event, ...], now: datetime) -> None:
    """Write the mails that `events` give reason to; they are appended and folded already."""
    enqueue(_after(locked, before, events), now=now)


def tell_start(locked: Locked, now: datetime) -> None:
    """Tell everybody that the game has begun; the mail of the first turn tells its seat."""
    first = locked.state.turn
    others = [place for place in locked.places if place.number != first]
    drafts = [_draft(locked.game, "started", place) for place in _held(others)]
    enqueue([*drafts, *_turn_mail(locked)], now=now)


def tell_kept(game: Game, places: list[Seat], by: User, now: datetime) -> None:
    """Ask the members for whom seats are kept to take them: once for each seat and member.

    Who was asked often of late is not: the seat is kept all the same, and stands among their games.
    """
    asked = _asked_of_late({place.invited_id for place in places}, now)
    drafts = [
        Draft(
            f"kept:{game.uuid}:{place.letter}:{place.invited.uuid}",
            "kept",
            member_id=place.invited.pk,
            refs=_refs(game, place.number, by=by.pk),
        )
        for place in places
        if place.invited is not None and place.invited != by and asked[place.invited.pk] < ASKED_A_DAY
    ]
    enqueue(drafts, now=now)


def _asked_of_late(members: set[int | None], now: datetime) -> Counter[int | None]:
    """Return how many seats each of `members` was asked to take within a day."""
    mails = Mail.objects.filter(kind="kept", member__in=members - {None}, created_at__gt=now - A_DAY)
    return Counter(mails.values_list("member", flat=True))


def tell_replaced(locked: Locked, place: Seat, former: int | None, by: User, now: datetime) -> None:
    """Tell who has a seat now and who had it, but for whoever did it; on turn, the mail of the turn tells."""
    state, drafts = locked.state, []
    if former not in (None, by.pk):
        key = f"replaced:{locked.game.uuid}:{locked.game.version}:{place.letter}"
        refs = _refs(locked.game, place.number, by=by.pk)
        drafts.append(Draft(key, "replaced", member_id=former, refs=refs))
    if place.member_id != by.pk and (state.turn != place.number or state.stand_in):
        drafts.append(_draft(locked.game, "seated", place, _version(locked.game), by=by.pk))
    enqueue(drafts, now=now)


def _after(locked: Locked, before: Moment, events: tuple[ev.Event, ...]) -> Iterator[Draft]:
    game, state = locked.game, locked.state
    for event in events:
        yield from _of_event(locked, before, event)
    if state.over:
        # Once more when a finished game is annulled.
        yield from (_draft(game, "over", place, _version(game)) for place in _one_each(locked.places))
        return
    if (state.turn, state.turns) != (before.turn, before.turns):
        yield from _turn_mail(locked)
    for place in _held(locked.places):
        if len(state.rights[place.number]) > before.rights[place.number]:
            yield _draft(
                game, "draw", place, _version(game), wait_seconds=DRAW_WAIT_SECONDS, number=game.version
            )


def _of_event(locked: Locked, before: Moment, event: ev.Event) -> Iterator[Draft]:
    game, state = locked.game, locked.state
    match event:
        case ev.TableTalkCalled():
            is_told = _times_this_turn(locked, ev.TableTalkCalled) <= TOLD_A_TURN
            for place in _held(locked.places):
                if place.number in event.seats:
                    yield _draft(game, "pay", place, _version(game), number=game.version)
                elif is_told:
                    yield _draft(game, "talk", place, _version(game), number=game.version)
        case ev.DrawOffered() if _times_this_turn(locked, ev.DrawOffered) <= TOLD_A_TURN:
            team = state.team_of[event.seat]
            for place in _held(locked.places):
                if state.team_of[place.number] != team:
                    yield _draft(game, "answer", place, _version(game), number=game.version)
        case ev.ClockPaused() | ev.ClockResumed() if state.turn is not None and not state.stand_in:
            for place in _held([locked.places[state.turn]]):
                yield _draft(game, "paused", place, _version(game), number=state.turns + 1)
        case ev.SeatReplaced() if event.seat == state.turn:
            yield from _turn_mail(locked, f":s{game.version}")
        case ev.TurnExpired():
            turn = before.turns + 1
            yield from (
                _draft(game, "expired", place, _version(game), number=turn)
                for place in _held([locked.places[event.seat]], also_left=True)
            )
            if event.policy == "ask":
                yield from _late(game, event.seat, turn)
        case ev.SeatLeft(reason="expiry"):
            yield from _late(game, event.seat, before.turns + 1)


def _times_this_turn(locked: Locked, kind: type[ev.Event]) -> int:
    """Return how often something happened since the last turn ended."""
    turn = takewhile(lambda event: not isinstance(event, ev.ENDS_OF_TURNS), reversed(locked.loaded.events))
    return sum(isinstance(event, kind) for event in turn)


def _turn_mail(locked: Locked, suffix: str = "") -> Iterator[Draft]:
    """Yield the mail to the member on turn; bots, and turns that a bot plays, have none."""
    state = locked.state
    if state.turn is None or state.stand_in:
        return
    number = state.turns + 1
    for place in _held([locked.places[state.turn]]):
        yield Draft(
            f"turn:{locked.game.uuid}:{number}:{place.letter}{suffix}",
            "turn",
            member_id=place.member_id,
            refs=_refs(locked.game, place.number, number=number),
        )


def _late(game: Game, seat: int, turn: int) -> Iterator[Draft]:
    for organiser in organisers(game.club_id):
        yield Draft(
            f"late:{game.uuid}:{turn}:{SEAT_LETTERS[seat]}:{game.version}.{organiser}",
            "late",
            member_id=organiser,
            refs=_refs(game, seat, number=turn),
        )


def _held(places: Iterable[Seat], *, also_left: bool = False) -> Iterator[Seat]:
    """Yield the seats that members hold, those who have left the game only if asked for."""
    return (place for place in places if place.member_id is not None and (place.is_active or also_left))


def _one_each(places: Iterable[Seat]) -> Iterator[Seat]:
    """Yield one seat of each member: who came back as a substitute holds two, and is told of the later."""
    held = {place.member_id: place for place in sorted(places, key=lambda place: place.is_active)}
    return _held(held.values(), also_left=True)


def _version(game: Game) -> str:
    return f":{game.version}"


def _draft(
    game: Game, kind: str, place: Seat, what: str = "", *, wait_seconds: int = 0, **refs: int
) -> Draft:
    return Draft(
        f"{kind}:{game.uuid}{what}:{place.letter}",
        kind,
        member_id=place.member_id,
        refs=_refs(game, place.number, **refs),
        wait_seconds=wait_seconds,
    )


def _refs(game: Game, seat: int, **more: int) -> dict[str, Any]:
    return {"game": game.pk, "seat": seat, "version": game.version, **more}
