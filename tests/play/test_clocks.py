"""The clock as arithmetic: right over weekends, holidays, leave, nights and both changes of daylight time."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.play.clocks import (
    HOUR,
    BadClock,
    Calendar,
    Clock,
    bank_after,
    bank_left,
    deadline,
    out_of_rest,
    reminder_times,
    run_out,
    time_used,
)

DAY = timedelta(days=1)
STOCKHOLM = ZoneInfo("Europe/Stockholm")
ZONES = [
    "UTC", "Europe/Stockholm", "Europe/Amsterdam", "America/New_York", "America/St_Johns", "America/Havana",
    "America/Sao_Paulo", "America/Nuuk", "Pacific/Apia", "Pacific/Auckland", "Australia/Lord_Howe",
    "Africa/Casablanca", "Africa/Cairo", "Asia/Kolkata", "Asia/Beirut", "Antarctica/Casey",
]  # fmt: skip


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def wall(text: str, zone: ZoneInfo = STOCKHOLM) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


def shown(instant: datetime, zone: ZoneInfo = STOCKHOLM) -> str:
    return f"{instant.astimezone(zone):%Y-%m-%d %H:%M}"


# By example ----------------------------------------------------------------------------------------


def test_three_days_end_at_the_same_time_of_day() -> None:
    ends = deadline(Calendar(STOCKHOLM), wall("2026-11-30 20:00"), 72 * HOUR)

    assert shown(ends) == "2026-12-03 20:00"


@pytest.mark.parametrize(
    ("out", "moved"),
    [
        ("2026-12-01 22:59", "2026-12-01 22:59"),
        ("2026-12-01 23:00", "2026-12-02 09:00"),
        ("2026-12-02 00:00", "2026-12-02 09:00"),
        ("2026-12-02 06:59", "2026-12-02 09:00"),
        ("2026-12-02 08:00", "2026-12-02 09:00"),  # else it would come before that of 06:59
        ("2026-12-02 09:00", "2026-12-02 09:00"),
        ("2026-12-02 09:01", "2026-12-02 09:01"),
    ],
)
def test_nobody_loses_a_turn_at_night(out: str, moved: str) -> None:
    assert shown(out_of_rest(Calendar(STOCKHOLM), wall(out))) == moved


def test_a_weekend_does_not_count() -> None:
    calendar = Calendar(STOCKHOLM, rests_at_weekends=True)
    friday, monday = wall("2026-12-04 18:00"), wall("2026-12-07 18:00")

    assert time_used(calendar, friday, monday) == 24 * HOUR
    assert run_out(calendar, friday, 24 * HOUR) == monday


def test_time_that_runs_out_on_friday_night_runs_out_on_monday_morning() -> None:
    calendar = Calendar(STOCKHOLM, rests_at_weekends=True)

    assert shown(deadline(calendar, wall("2026-12-04 12:00"), 12 * HOUR)) == "2026-12-07 09:00"


def test_the_last_day_of_holidays_and_of_leave_rests_too() -> None:
    calendar = Calendar(
        STOCKHOLM,
        holidays=((date(2026, 12, 24), date(2026, 12, 26)),),
        leaves=((date(2026, 12, 28), date(2026, 12, 28)),),
    )

    ends = run_out(calendar, wall("2026-12-23 12:00"), 48 * HOUR)

    # 12 hours on the 23rd, all of the 27th, 12 hours on the 29th.
    assert shown(ends) == "2026-12-29 12:00"


@pytest.mark.parametrize(("resting", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
def test_a_day_off_is_as_long_as_the_day_is(resting: str, hours: int) -> None:
    day = date.fromisoformat(resting)
    calendar = Calendar(STOCKHOLM, leaves=((day, day),))
    since, until = wall(f"{day - DAY} 12:00"), wall(f"{day + DAY} 12:00")

    assert time_used(calendar, since, until) == 24 * HOUR
    assert time_used(Calendar(STOCKHOLM), since, until) == (24 + hours) * HOUR


@pytest.mark.parametrize(
    ("since", "ends"),
    [("2026-03-28 20:00", "2026-03-29 21:00"), ("2026-10-24 20:00", "2026-10-25 19:00")],
)
def test_hours_are_hours_when_clocks_change(since: str, ends: str) -> None:
    assert shown(deadline(Calendar(STOCKHOLM), wall(since), 24 * HOUR)) == ends


def test_the_day_that_samoa_skipped_has_no_hours() -> None:
    apia = ZoneInfo("Pacific/Apia")
    since, until = wall("2011-12-29 12:00", apia), wall("2011-12-31 12:00", apia)
    resting = Calendar(apia, leaves=((date(2011, 12, 30), date(2011, 12, 30)),))

    assert time_used(Calendar(apia), since, until) == 24 * HOUR
    assert time_used(resting, since, until) == 24 * HOUR
    assert shown(out_of_rest(resting, wall("2011-12-29 23:30", apia)), apia) == "2011-12-31 09:00"


def test_clocks_that_go_back_across_midnight_show_a_day_that_is_over() -> None:
    """In St John's they went back from 00:01 to 23:01 of the day before."""
    zone = ZoneInfo("America/St_Johns")
    calendar = Calendar(zone, leaves=((date(2010, 11, 6), date(2010, 11, 6)),))
    second = datetime(2010, 11, 6, 23, 30, fold=1, tzinfo=zone).astimezone(UTC)

    assert calendar.day_of(second) == date(2010, 11, 7)
    assert time_used(calendar, calendar.begin(date(2010, 11, 6)), second) == 30 * 60


def test_the_bank_pays_for_what_goes_beyond_the_turn() -> None:
    clock = Clock(turn_hours=24, bank_hours=48, increment_hours=6, cap_hours=60)

    assert bank_left(clock, 48 * HOUR, 24 * HOUR) == 48 * HOUR
    assert bank_left(clock, 48 * HOUR, 34 * HOUR) == 38 * HOUR
    assert bank_left(clock, 48 * HOUR, 90 * HOUR) == 0
    assert bank_after(clock, 48 * HOUR, 34 * HOUR) == 44 * HOUR
    assert bank_after(clock, 58 * HOUR, HOUR) == 60 * HOUR


def test_a_quick_turn_puts_no_more_into_the_bank_than_the_increment() -> None:
    clock = Clock(turn_hours=24, bank_hours=1, cap_hours=100)

    assert bank_after(clock, HOUR, 0) == HOUR


def test_reminders_come_at_half_and_at_most_of_the_time_that_counts() -> None:
    calendar = Calendar(STOCKHOLM, rests_at_weekends=True)
    since = wall("2026-12-03 12:00")

    times = reminder_times(calendar, since, 100 * HOUR)
    after_a_pause = reminder_times(calendar, since, 100 * HOUR, spent_seconds=60 * HOUR)

    assert [(percent, shown(at)) for percent, at in times] == [
        (50, "2026-12-07 14:00"),
        (85, "2026-12-09 01:00"),
    ]
    assert [(percent, shown(at)) for percent, at in after_a_pause] == [
        (50, "2026-12-03 12:00"),
        (85, "2026-12-04 13:00"),
    ]


@pytest.mark.parametrize(
    ("field", "hours"),
    [
        ("turn_hours", {"turn_hours": 0}),
        ("turn_hours", {"turn_hours": 2161}),
        ("bank_hours", {"turn_hours": 1, "bank_hours": -1}),
        ("bank_hours", {"turn_hours": 1, "bank_hours": 2161, "cap_hours": 2161}),
        ("increment_hours", {"turn_hours": 1, "increment_hours": 721}),
        ("cap_hours", {"turn_hours": 1, "bank_hours": 2, "cap_hours": 1}),
    ],
)
def test_a_clock_outside_its_bounds_cannot_be_agreed_on(field: str, hours: dict[str, int]) -> None:
    with pytest.raises(BadClock) as refused:
        Clock(**hours)

    assert refused.value.field == field


# By property ---------------------------------------------------------------------------------------

CHANGES = [  # instants near which something odd happens to a clock in one of ZONES
    "2026-03-29 01:00", "2026-10-25 01:00", "2026-03-08 05:00", "2026-11-01 05:00", "2011-12-30 10:00",
    "2010-11-07 02:31", "2026-04-04 15:00", "2026-10-03 15:30", "2026-02-15 02:00", "2026-03-22 02:00",
    "2018-11-04 03:00", "2021-03-13 13:00", "2026-04-23 22:00", "2026-10-29 21:00", "2026-12-31 23:00",
]  # fmt: skip
instants = st.one_of(
    st.integers(0, 6 * 365 * 24 * HOUR).map(lambda s: utc("2021-01-01") + timedelta(seconds=s)),
    st.builds(
        lambda change, s: utc(change) + timedelta(seconds=s),
        st.sampled_from(CHANGES),
        st.integers(-60 * HOUR, 60 * HOUR),
    ),
)
lengths = st.integers(0, 20 * 24 * HOUR)


@st.composite
def calendars(draw: st.DrawFn, near: datetime) -> Calendar:
    """Draw a calendar with days off near an instant, where they matter."""

    def days() -> tuple[tuple[date, date], ...]:
        starts = draw(st.lists(st.tuples(st.integers(-3, 30), st.integers(0, 5)), max_size=3))
        first = [near.date() + timedelta(days=start) for start, _ in starts]
        return tuple((day, day + timedelta(days=more)) for day, (_, more) in zip(first, starts, strict=True))

    zone = ZoneInfo(draw(st.sampled_from(ZONES)))
    return Calendar(zone, holidays=days(), leaves=days(), rests_at_weekends=draw(st.booleans()))


@st.composite
def moments(draw: st.DrawFn) -> tuple[Calendar, datetime]:
    since = draw(instants)
    return draw(calendars(since)), since


@given(moments(), lengths)
def test_exactly_what_is_allowed_counts_until_time_runs_out(
    moment: tuple[Calendar, datetime], allowed: int
) -> None:
    calendar, since = moment

    out = run_out(calendar, since, allowed)

    assert out >= since
    assert time_used(calendar, since, out) == allowed
    if allowed:
        assert time_used(calendar, since, out - timedelta(seconds=1)) == allowed - 1


@given(moments(), lengths)
@example((Calendar(STOCKHOLM, rests_at_weekends=True), utc("2026-12-04 23:00")), 0)
def test_a_deadline_lies_neither_in_the_night_nor_in_rest(
    moment: tuple[Calendar, datetime], allowed: int
) -> None:
    calendar, since = moment

    ends = deadline(calendar, since, allowed)

    assert ends >= run_out(calendar, since, allowed)
    assert time(7) <= ends.astimezone(calendar.zone).time() < time(23)
    assert not calendar.rests_on(ends.astimezone(calendar.zone).date())
    assert not calendar.rests_on(calendar.day_of(ends))
    assert out_of_rest(calendar, ends) == ends


@given(moments(), lengths, st.integers(0, 72 * HOUR), st.integers(0, 72 * HOUR))
def test_who_begins_later_or_has_more_time_is_never_due_sooner(
    moment: tuple[Calendar, datetime], allowed: int, later: int, more: int
) -> None:
    calendar, since = moment
    begins = since + timedelta(seconds=later)

    assert deadline(calendar, since, allowed) <= deadline(calendar, begins, allowed)
    assert deadline(calendar, since, allowed) <= deadline(calendar, since, allowed + more)


@given(moments(), lengths, lengths)
def test_the_parts_of_a_stretch_of_time_add_up(
    moment: tuple[Calendar, datetime], first: int, second: int
) -> None:
    calendar, since = moment
    middle = since + timedelta(seconds=first)
    until = middle + timedelta(seconds=second)

    whole = time_used(calendar, since, until)

    assert whole == time_used(calendar, since, middle) + time_used(calendar, middle, until)
    assert 0 <= whole <= first + second


@given(moments(), lengths, st.integers(-2, 25))
def test_one_more_day_of_rest_adds_exactly_its_hours(
    moment: tuple[Calendar, datetime], allowed: int, offset: int
) -> None:
    calendar, since = moment
    day = since.date() + timedelta(days=offset)
    more = Calendar(
        calendar.zone, calendar.holidays, (*calendar.leaves, (day, day)), calendar.rests_at_weekends
    )

    out = run_out(more, since, allowed)

    begin, end = max(since, calendar.begin(day)), min(out, calendar.begin(day + DAY))
    rested = 0 if calendar.rests_on(day) or end < begin else (end - begin) // timedelta(seconds=1)
    assert time_used(calendar, since, out) == allowed + rested
    assert deadline(more, since, allowed) >= deadline(calendar, since, allowed)


@given(moments(), lengths, st.integers(0, 100))
def test_a_pause_takes_no_time(moment: tuple[Calendar, datetime], allowed: int, percent: int) -> None:
    """What was spent before a pause and what is left after it make up what is allowed."""
    calendar, since = moment
    stops = run_out(calendar, since, allowed * percent // 100)
    spent = time_used(calendar, since, stops)

    goes_on = stops + timedelta(hours=50)

    assert time_used(calendar, goes_on, run_out(calendar, goes_on, allowed - spent)) == allowed - spent


@given(moments(), lengths)
def test_reminders_come_in_order_and_before_time_runs_out(
    moment: tuple[Calendar, datetime], allowed: int
) -> None:
    calendar, since = moment

    (_, half), (_, most) = reminder_times(calendar, since, allowed)

    assert since <= half <= most <= run_out(calendar, since, allowed)


@given(
    st.integers(1, 100), st.integers(0, 100), st.integers(0, 50), st.integers(0, 100),
    st.lists(st.tuples(st.integers(0, 300), st.booleans()), max_size=12),
)  # fmt: skip
def test_a_bank_never_exceeds_its_cap_and_never_owes(
    turn: int, bank: int, increment: int, more: int, turns: list[tuple[int, bool]]
) -> None:
    clock = Clock(turn, bank, increment, bank + more)
    seconds = clock.bank_seconds

    for used, is_own in turns:
        before, seconds = seconds, (bank_after if is_own else bank_left)(clock, seconds, used * HOUR)
        assert 0 <= seconds <= clock.cap_hours * HOUR
        assert seconds <= before + (increment * HOUR if is_own else 0)
