"""How long a turn may take (R22): pure functions of what was agreed, a calendar and instants.

Wall times are used only to find the instants at which days and nights begin; all sums are of UTC instants,
since the difference of two aware times of one zone is that of their wall times. Seconds are whole ones.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

HOUR = 3600
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)

NIGHT_FROM, NIGHT_UNTIL = time(23), time(7)
"""Members sleep: no deadline lies between these wall times, and what would moves to MORNING.

What falls between the end of the night and MORNING moves along: else whoever began later, and came out at
seven, would have to be done before one who came out at six.
"""
MORNING = time(9)

REMINDERS = (50, 85)
"""The member is reminded when so many per cent of the time are used."""

LONGEST_NOTICE_HOURS = 12

MOST_TURN_HOURS = MOST_BANK_HOURS = 2160
MOST_INCREMENT_HOURS = 720

Days = tuple[date, date]
"""The first and the last of days in a row."""


class BadClock(ValueError):
    """A clock that cannot be agreed on; `field` is at fault."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field, self.message = field, message


@dataclass(frozen=True, slots=True)
class Clock:
    """What the players of a game agreed about time.

    A turn takes `turn_hours`, and what goes beyond comes out of the seat's bank, which begins with
    `bank_hours`; each turn that the seat itself takes adds `increment_hours`, up to `cap_hours`.
    Raises BadClock.
    """

    turn_hours: int
    bank_hours: int = 0
    increment_hours: int = 0
    cap_hours: int = 0
    rests_at_weekends: bool = False

    def __post_init__(self) -> None:
        _check("turn_hours", self.turn_hours, 1, MOST_TURN_HOURS)
        _check("bank_hours", self.bank_hours, 0, MOST_BANK_HOURS)
        _check("increment_hours", self.increment_hours, 0, MOST_INCREMENT_HOURS)
        _check("cap_hours", self.cap_hours, self.bank_hours, MOST_BANK_HOURS)

    @property
    def turn_seconds(self) -> int:
        return self.turn_hours * HOUR

    @property
    def notice_seconds(self) -> int:
        """No turn expires sooner than this after its mail was sent."""
        return min(LONGEST_NOTICE_HOURS * HOUR, self.turn_seconds // 4)

    @property
    def bank_seconds(self) -> int:
        """What each seat begins with."""
        return self.bank_hours * HOUR


def _check(field: str, hours: int, least: int, most: int) -> None:
    if not least <= hours <= most:
        raise BadClock(field, f"give {least} to {most} hours")


@dataclass(frozen=True, slots=True)
class Calendar:
    """Where a member lives and on which days the clock rests there, in whole wall days."""

    zone: ZoneInfo
    holidays: tuple[Days, ...] = ()
    leaves: tuple[Days, ...] = ()
    rests_at_weekends: bool = False

    def rests_on(self, day: date) -> bool:
        """Return whether no time counts on `day`."""
        if self.rests_at_weekends and day.weekday() >= 5:
            return True
        return any(first <= day <= last for first, last in (*self.holidays, *self.leaves))

    def at(self, day: date, wall: time) -> datetime:
        """Return the instant when clocks first show `wall` on `day`; that of the leap where they skip it."""
        return datetime.combine(day, wall, self.zone).astimezone(UTC)

    def begin(self, day: date) -> datetime:
        """Return the instant when `day` begins."""
        return self.at(day, time())

    def day_of(self, instant: datetime) -> date:
        """Return the day within whose bounds `instant` lies."""
        day = instant.astimezone(self.zone).date()
        # Where clocks go back across midnight they show the evening of a day that is over.
        return day + DAY if self.begin(day + DAY) <= instant else day


def time_used(calendar: Calendar, since: datetime, until: datetime) -> int:
    """Return the seconds that count between two instants."""
    used = timedelta()
    day, start = calendar.day_of(since), since.astimezone(UTC)
    while start < until:
        end = calendar.begin(day + DAY)
        if not calendar.rests_on(day) and end > start:
            used += min(end, until) - start
        day, start = day + DAY, max(start, end)
    return used // SECOND


def run_out(calendar: Calendar, since: datetime, allowed_seconds: int) -> datetime:
    """Return the instant at which `allowed_seconds` will have counted since `since`."""
    left = timedelta(seconds=allowed_seconds)
    day, start = calendar.day_of(since), since.astimezone(UTC)
    while left > timedelta():
        end = calendar.begin(day + DAY)
        if not calendar.rests_on(day) and end > start:
            if left <= end - start:
                return start + left
            left -= end - start
        day, start = day + DAY, max(start, end)
    return start


def out_of_rest(calendar: Calendar, instant: datetime) -> datetime:
    """Return `instant`, or the next MORNING of a day that counts if it lies in the night or in rest."""
    day = calendar.day_of(instant)
    is_night = any(
        calendar.at(d - DAY, NIGHT_FROM) <= instant < calendar.at(d, MORNING) for d in (day, day + DAY)
    )
    if not is_night and not calendar.rests_on(day):
        return instant
    while True:
        morning = calendar.at(day, MORNING)
        if morning >= instant and not calendar.rests_on(calendar.day_of(morning)):
            return morning
        day += DAY


def deadline(calendar: Calendar, since: datetime, allowed_seconds: int) -> datetime:
    """Return until when a turn may be taken that began at `since`, in UTC; never in the member's night."""
    return out_of_rest(calendar, run_out(calendar, since, allowed_seconds))


def bank_left(clock: Clock, bank: int, used: int) -> int:
    """Return the seconds in a seat's bank after `used` seconds of a turn."""
    return max(0, bank - max(0, used - clock.turn_seconds))


def bank_after(clock: Clock, bank: int, used: int) -> int:
    """Return the seconds in a seat's bank after a turn that it took itself, in `used` seconds."""
    grown = bank_left(clock, bank, used) + clock.increment_hours * HOUR
    return min(clock.cap_hours * HOUR, grown)


def reminder_times(
    calendar: Calendar, since: datetime, allowed_seconds: int, spent_seconds: int = 0
) -> tuple[tuple[int, datetime], ...]:
    """Return (per cent, instant) of each reminder; `spent_seconds` had counted before `since`."""
    return tuple(
        (percent, run_out(calendar, since, max(0, allowed_seconds * percent // 100 - spent_seconds)))
        for percent in REMINDERS
    )
