"""The clock of a turn, as columns of its game: started, stopped and wound on by what happens (R22)."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games.play.calendars import calendars, clock_of, games_timed_for
from games.play.clocks import (
    Calendar,
    Clock,
    bank_after,
    bank_left,
    deadline,
    reminder_times,
    time_used,
)
from games.play.models import Game, Seat, Tenure
from games.play.services.locking import Locked, lock_game, seats_in_order
from games.rules.events import Event, SeatReplaced, TurnExpired


def wind(
    locked: Locked, before: tuple[int | None, int], events: tuple[Event, ...], now: datetime
) -> dict[str, Any]:
    """Return what `events` change in the columns of the game's clock, also set on the game; write banks.

    Call it when the events are folded and the game's row is still as it was before; `before` is the seat on
    turn and the number of turns then. A game without a clock costs nothing, nor does an act within a turn.
    """
    game, state = locked.game, locked.state
    clock = clock_of(game)
    if clock is None:
        return {}
    runs, was_running = _runs(locked), game.clock_since is not None
    is_replaced = any(isinstance(event, SeatReplaced) and event.seat == state.turn for event in events)
    is_expired = any(isinstance(event, TurnExpired) for event in events)
    begins = (state.turn, state.turns) != before or is_replaced or is_expired or state.over
    if not begins and runs == was_running:
        return {}
    ended = None if before[0] is None else locked.places[before[0]]
    former = _holder_until_now(ended) if is_replaced and ended is not None else None
    # Only the first substitute in a turn has its hours anew: else handing a seat round would stop time.
    goes_on = former is not None and game.turn_since is not None and former.since > game.turn_since
    holder = former or ended
    worker = None if holder is None else holder.member_id
    present = None if state.turn is None else locked.places[state.turn]
    timed = [worker] if ended is not None and was_running else []
    timed += [present.member_id] if present is not None and runs else []
    known = calendars(game, timed, since=game.clock_since or now)
    spent = game.clock_spent_seconds
    if ended is not None and game.clock_since is not None:
        spent += time_used(known[worker], game.clock_since, now)
    begins = begins and not goes_on
    if begins and ended is not None:
        _settle(locked, clock, ended, spent, is_own=not (is_expired or is_replaced))
    columns: dict[str, Any] = {
        "clock_since": now if runs else None,
        "clock_spent_seconds": 0 if begins else spent,
        "deadline": None,
        "remind_at": None,
    }
    if runs and present is not None:
        spent = columns["clock_spent_seconds"]
        columns |= _due(clock, known[present.member_id], now, present.bank_seconds, spent)
    for name, value in columns.items():
        setattr(game, name, value)
    return columns


def _holder_until_now(place: Seat) -> Tenure | None:
    """Return since when whoever a substitute comes for has held `place`, None for a bot of the start."""
    return Tenure.objects.filter(seat=place, until_version__isnull=True).first()


def _settle(locked: Locked, clock: Clock, place: Seat, spent: int, *, is_own: bool) -> None:
    """Take from the bank of `place` what its turn cost, and add what a turn of its own earns."""
    # What a bot plays for a seat (R22) comes after the seat's own time ran out, and earns nothing.
    if (
        place.is_bot
        or locked.game.bot_stands_in
        or locked.state.over
        or not locked.state.active[place.number]
    ):
        return
    seconds = (bank_after if is_own else bank_left)(clock, place.bank_seconds, spent)
    if seconds != place.bank_seconds:
        place.bank_seconds = seconds
        Seat.objects.filter(pk=place.pk).update(bank_seconds=seconds)


def _runs(locked: Locked) -> bool:
    """Return whether time runs: not for bots, nor for whom a bot stands in, nor while the clock stands."""
    state = locked.state
    if state.over or state.turn is None or state.paused or state.stand_in:
        return False
    return not locked.places[state.turn].is_bot


def _due(clock: Clock, calendar: Calendar, since: datetime, bank: int, spent: int) -> dict[str, Any]:
    allowed = clock.turn_seconds + bank
    reminders = reminder_times(calendar, since, allowed, spent)
    return {
        # Time that goes on does so with a mail, which is told in time.
        "deadline": deadline(calendar, since, max(clock.notice_seconds, allowed - spent)),
        # What was due before is told by the mail with which time goes on.
        "remind_at": next((at for _, at in reminders if at > since), None),
    }


def due_now(game: Game, place: Seat, calendar: Calendar) -> dict[str, Any]:
    """Return deadline and time of the first reminder of the running turn of `place`, by this calendar."""
    clock, since = _running(game)
    return _due(clock, calendar, since, place.bank_seconds, game.clock_spent_seconds)


def reminders_now(game: Game, place: Seat, calendar: Calendar) -> tuple[tuple[int, datetime], ...]:
    """Return (per cent, instant) of each reminder of the running turn of `place`, by this calendar."""
    clock, since = _running(game)
    return reminder_times(calendar, since, clock.turn_seconds + place.bank_seconds, game.clock_spent_seconds)


def calendar_now(game: Game, place: Seat) -> Calendar:
    """Return the calendar of who holds `place`, as it is now, for the running turn."""
    _, since = _running(game)
    return calendars(game, [place.member_id], since=since)[place.member_id]


def _running(game: Game) -> tuple[Clock, datetime]:
    clock = clock_of(game)
    if clock is None or game.clock_since is None:
        raise ValueError(f"no time runs in game {game.pk}")
    return clock, game.clock_since


def place_timed(game: Game) -> Seat | None:
    """Return the seat of a locked game whose time runs, None if none does."""
    if game.clock_since is None or game.turn_seat is None:
        return None
    return seats_in_order(game)[game.turn_seat]


def recheck(*, game_id: int) -> None:
    """Reckon the deadline of a running turn anew, after leave, holidays or a zone have changed."""
    with transaction.atomic(durable=True):
        game, _ = lock_game(game_id)
        place = place_timed(game)
        if place is not None:
            Game.objects.filter(pk=game.pk).update(**due_now(game, place, calendar_now(game, place)))


def recheck_member(*, member_id: int) -> None:
    """Reckon the deadlines of a member anew, each in a transaction of its own."""
    _recheck_all(games_timed_for(member_id))


def recheck_club(*, club_id: int) -> None:
    """Reckon the deadlines of all games of a club anew, each in a transaction of its own."""
    _recheck_all(Game.objects.filter(club=club_id, deadline__isnull=False))


def _recheck_all(games: QuerySet[Game]) -> None:
    for game_id in list(games.order_by("pk").values_list("pk", flat=True)):
        recheck(game_id=game_id)
