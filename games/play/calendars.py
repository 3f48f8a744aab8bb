"""What bears on the clocks of games: what was agreed about time, and on which days who rests."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection
from django.db.models import F, QuerySet

from games.accounts.models import User
from games.clubs.models import Club, Holiday
from games.play.clocks import Calendar, Clock
from games.play.models import Game, Leave

CLOCK_FIELDS = ("turn_hours", "bank_hours", "increment_hours", "cap_hours", "rests_at_weekends")

_CALENDARS = """
SELECT asked.id, COALESCE(member.zone, 'UTC'),
    (SELECT array_agg(ARRAY[starts_on, ends_on]) FROM clubs_holiday WHERE club_id = %s AND ends_on >= %s),
    (SELECT array_agg(ARRAY[starts_on, ends_on]) FROM play_leave
        WHERE member_id = asked.id AND ends_on >= %s)
FROM unnest(%s::bigint[]) AS asked (id) LEFT JOIN accounts_user member ON member.id = asked.id
"""
# An erased member has no row any more; the clock of the seat goes on, in the zone of nobody.
_NOBODY = 0


def clock_of(game: Game) -> Clock | None:
    """Return what was agreed about time, None if nothing ever runs out."""
    if game.turn_hours is None:
        return None
    return Clock(
        game.turn_hours, game.bank_hours, game.increment_hours, game.cap_hours, game.rests_at_weekends
    )


def clock_columns(clock: Clock | None) -> dict[str, Any]:
    """Return the columns of a game in which `clock_of` finds `clock`."""
    if clock is None:
        return dict(zip(CLOCK_FIELDS, (None, 0, 0, 0, False), strict=True))
    return {name: getattr(clock, name) for name in CLOCK_FIELDS}


def clock_body(clock: Clock) -> dict[str, Any]:
    """Return the clock as the first event of a game says it."""
    return clock_columns(clock) | {"rests_at_weekends": str(clock.rests_at_weekends).lower()}


def clock_from_body(body: Mapping[str, Any] | None) -> Clock | None:
    """Return the clock that `clock_body` wrote, None where the event names none."""
    if body is None:
        return None
    return Clock(**{**body, "rests_at_weekends": body["rests_at_weekends"] == "true"})


def calendars(game: Game, member_ids: Iterable[int | None], *, since: datetime) -> dict[int | None, Calendar]:
    """Return the calendar of each member in `game`, from `since` on; None stands for an erased one."""
    asked = {member_id or _NOBODY for member_id in member_ids}
    if not asked:
        return {}
    # A day may have begun earlier elsewhere.
    first = since.date() - timedelta(days=2)
    with connection.cursor() as cursor:
        cursor.execute(_CALENDARS, [game.club_id, first, first, list(asked)])
        rows = cursor.fetchall()
    return {
        member_id or None: Calendar(
            ZoneInfo(zone), _pairs(holidays), _pairs(leaves), rests_at_weekends=game.rests_at_weekends
        )
        for member_id, zone, holidays, leaves in rows
    }


def _pairs(rows: list[list[date]] | None) -> tuple[tuple[date, date], ...]:
    return tuple((first, last) for first, last in rows or ())


def today_of(member: User, now: datetime) -> date:
    """Return the day that it is where `member` lives."""
    return now.astimezone(member.zone).date()


def leaves_of(member: User, now: datetime) -> QuerySet[Leave]:
    """Return the leaves of `member` that count this year or later, in order."""
    new_year = today_of(member, now).replace(month=1, day=1)
    return Leave.objects.filter(member=member, ends_on__gte=new_year).order_by("starts_on", "pk")


def leave_left(member: User, year: int) -> int:
    """Return how many days of leave `member` may still take in a calendar year."""
    first, last = date(year, 1, 1), date(year, 12, 31)
    taken = Leave.objects.filter(member=member, starts_on__lte=last, ends_on__gte=first)
    days = sum(
        (min(ends_on, last) - max(starts_on, first)).days + 1
        for starts_on, ends_on in taken.values_list("starts_on", "ends_on")
    )
    return max(0, settings.LEAVE_DAYS_A_YEAR - days)


def holidays_of(club: Club, now: datetime) -> QuerySet[Holiday]:
    """Return the holidays of `club` that are not over, in order."""
    return club.holidays.filter(ends_on__gte=now.date() - timedelta(days=1)).order_by("starts_on", "pk")


def games_timed_for(member_id: int) -> QuerySet[Game]:
    """Return the games in which a member is on turn and time runs."""
    return Game.objects.filter(
        deadline__isnull=False, places__member=member_id, places__number=F("turn_seat")
    )
