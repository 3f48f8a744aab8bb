"""Days on which clocks rest: members take leave and give it back, organisers keep their club's holidays.

What is over stays as it was: days are added and taken away ahead only, and a leave of today is today's whole.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone

from django.db import transaction
from django.utils.translation import gettext, ngettext

from games.accounts.models import User
from games.clubs.models import Club, Holiday
from games.clubs.queries import is_organiser
from games.play.calendars import holidays_of, leave_left, today_of
from games.play.clocks import Calendar
from games.play.models import Leave
from games.play.services.clock import recheck_club, recheck_member
from games.play.services.proposing import NotAllowed

DAY = timedelta(days=1)
FURTHEST_AHEAD = timedelta(days=731)
LONGEST_HOLIDAY_DAYS = 92
MOST_HOLIDAYS = 60
"""Of a club, that are not over: every deadline is reckoned by all of them."""


class BadDates(ValueError):
    """Days that cannot be taken; `field` is at fault."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field, self.message = field, message


class LeaveOverlaps(ValueError):
    """The member has leave on some of these days already."""


class LeaveSpent(ValueError):
    """The member may not take so many days of leave in that year."""


class RestOver(ValueError):
    """These days have begun or are over: what has been reckoned with them stays."""


def take_leave(*, member: User, starts_on: date, ends_on: date, now: datetime) -> Leave:
    """Let the clocks of `member` rest on these days, the last one included.

    Raises BadDates, LeaveOverlaps, LeaveSpent.
    """
    today = today_of(member, now)
    _check_order(starts_on, ends_on)
    if starts_on < today:
        raise BadDates("starts_on", gettext("This day is over. Begin today or later."))
    if ends_on > today + FURTHEST_AHEAD:
        raise BadDates("ends_on", gettext("This is more than two years ahead."))
    with transaction.atomic(durable=True):
        _lock_member(member.pk)
        if Leave.objects.filter(member=member, starts_on__lte=ends_on, ends_on__gte=starts_on).exists():
            raise LeaveOverlaps(gettext("you have leave on some of these days already"))
        for year in range(starts_on.year, ends_on.year + 1):
            first, last = max(starts_on, date(year, 1, 1)), min(ends_on, date(year, 12, 31))
            left = leave_left(member, year)
            if (last - first).days + 1 > left:
                raise LeaveSpent(_spent(year, left))
        leave = Leave.objects.create(member=member, starts_on=starts_on, ends_on=ends_on, created_at=now)
    recheck_member(member_id=member.pk)
    return leave


def _spent(year: int, left: int) -> str:
    return ngettext(
        "you have %(days)s day of leave left in %(year)s",
        "you have %(days)s days of leave left in %(year)s",
        left,
    ) % {"days": str(left), "year": str(year)}


def give_back_leave(*, member: User, leave_id: int, now: datetime) -> None:
    """Give back the days of a leave that lie ahead: one that runs ends today.

    Raises Leave.DoesNotExist, RestOver.
    """
    today = today_of(member, now)
    with transaction.atomic(durable=True):
        _lock_member(member.pk)
        leave = Leave.objects.get(pk=leave_id, member=member)
        if leave.ends_on <= today:
            raise RestOver(gettext("this leave is over, or ends today"))
        if leave.starts_on > today:
            leave.delete()
        else:
            Leave.objects.filter(pk=leave.pk).update(ends_on=today)
    recheck_member(member_id=member.pk)


def take_leave_instead(
    *, member_id: int, ends: Callable[[], tuple[Calendar, datetime]], now: datetime
) -> datetime | None:
    """Take leave for a member who wishes it, from the day on which time ran out until it lies ahead.

    `ends` reads the calendar and reckons the deadline by it. Return the new deadline; None, and nothing is
    taken, if the member does not wish it or too few days are left. Sweeps that come late take the days that
    they would have taken in time. The caller's transaction holds the game.
    """
    member = _lock_member(member_id)
    if not member.takes_leave_automatically:
        return None
    left: dict[int, int] = {}
    with transaction.atomic():
        calendar, deadline = ends()
        while deadline <= now:
            day = calendar.day_of(deadline)
            if left.setdefault(day.year, leave_left(member, day.year)) < 1:
                transaction.set_rollback(True)
                return None
            left[day.year] -= 1
            _add_automatic(member, day, now)
            calendar, deadline = ends()
    return deadline


def _add_automatic(member: User, day: date, now: datetime) -> None:
    before = Leave.objects.filter(member=member, ends_on=day - DAY, is_automatic=True)
    if not before.update(ends_on=day):
        Leave.objects.create(member=member, starts_on=day, ends_on=day, is_automatic=True, created_at=now)


def add_holiday(
    *, organiser: User, club: Club, name: str, starts_on: date, ends_on: date, now: datetime
) -> Holiday:
    """Let the clocks of the club's games rest on these days, the last one included, wherever members live.

    Raises NotAllowed, BadDates.
    """
    _check_organiser(organiser, club)
    _check_order(starts_on, ends_on)
    today = _last_today(now)
    if starts_on <= today:
        raise BadDates("starts_on", gettext("This day has begun somewhere. Begin with a later one."))
    if ends_on > today + FURTHEST_AHEAD:
        raise BadDates("ends_on", gettext("This is more than two years ahead."))
    if (ends_on - starts_on).days >= LONGEST_HOLIDAY_DAYS:
        message = gettext("Holidays last %(days)s days at most.") % {"days": str(LONGEST_HOLIDAY_DAYS)}
        raise BadDates("ends_on", message)
    with transaction.atomic(durable=True):
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        if holidays_of(club, now).count() >= MOST_HOLIDAYS:
            message = gettext("The club has %(most)s holidays that are not over. Take one away first.")
            raise BadDates("starts_on", message % {"most": str(MOST_HOLIDAYS)})
        holiday = Holiday.objects.create(club=club, name=name, starts_on=starts_on, ends_on=ends_on)
    recheck_club(club_id=club.pk)
    return holiday


def remove_holiday(*, organiser: User, club: Club, holiday_id: int, now: datetime) -> None:
    """Take away the days of a holiday that lie ahead: one that runs ends today.

    Raises NotAllowed, Holiday.DoesNotExist, RestOver.
    """
    _check_organiser(organiser, club)
    today = _last_today(now)
    with transaction.atomic(durable=True):
        holiday = Holiday.objects.select_for_update().get(pk=holiday_id, club=club)
        if holiday.ends_on <= today:
            raise RestOver(gettext("these holidays are over, or end today"))
        if holiday.starts_on > today:
            holiday.delete()
        else:
            Holiday.objects.filter(pk=holiday.pk).update(ends_on=today)
    recheck_club(club_id=club.pk)


def _check_organiser(organiser: User, club: Club) -> None:
    if not is_organiser(organiser, club):
        raise NotAllowed(gettext("only organisers of the club may do this"))


def _check_order(starts_on: date, ends_on: date) -> None:
    if ends_on < starts_on:
        raise BadDates("ends_on", gettext("The last day comes before the first."))


def _last_today(now: datetime) -> date:
    """Return the day that it is where days begin first: what comes after it lies ahead for everybody."""
    return now.astimezone(timezone(timedelta(hours=14))).date()


def _lock_member(member_id: int) -> User:
    """Return the member, whose leave nobody else changes until the transaction ends."""
    return User.objects.select_for_update(no_key=True).get(pk=member_id)
