"""Leave and holidays: who may take which days, and the deadlines that follow."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection

from games.accounts.models import User
from games.clubs.models import Holiday
from games.play.calendars import holidays_of, leave_left, leaves_of
from games.play.clocks import Clock
from games.play.models import Game, Leave
from games.play.services.proposing import NotAllowed
from games.play.services.resting import (
    BadDates,
    LeaveOverlaps,
    LeaveSpent,
    RestOver,
    add_holiday,
    give_back_leave,
    remove_holiday,
    take_leave,
)
from tests.api.builders import API, address, client_of, code_of
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import player_on_turn
from tests.play.test_clock_services import after, make_timed

pytestmark = pytest.mark.django_db

TODAY = NOW.date()  # Monday, the 30th of November 2026


def day(number: int) -> date:
    """Return a day of December 2026."""
    return date(2026, 12, number)


def leave(member: User, first: date, last: date, now: datetime = NOW) -> Leave:
    return take_leave(member=member, starts_on=first, ends_on=last, now=now)


def deadline(game: Game) -> datetime | None:
    game.refresh_from_db()
    return game.deadline


# Leave ---------------------------------------------------------------------------------------------


def test_leave_moves_the_deadlines_of_the_member_and_of_nobody_else() -> None:
    game, other = make_timed(), make_timed()

    leave(player_on_turn(game), day(2), day(4))

    assert deadline(game) == after(72 + 72)
    assert deadline(other) == after(72)


def test_leave_of_who_waits_counts_when_their_turn_comes() -> None:
    game = make_timed()
    on_turn = player_on_turn(game)
    waiting = User.objects.get(seats__game=game, seats__number=1 - (game.turn_seat or 0))

    leave(waiting, day(2), day(2))

    assert deadline(game) == after(72)
    assert player_on_turn(game) == on_turn


def test_leave_may_begin_today_and_not_before() -> None:
    member = make_user()

    with pytest.raises(BadDates) as refused:
        leave(member, TODAY - timedelta(days=1), day(5))
    leave(member, TODAY, day(5))

    assert refused.value.field == "starts_on"


def test_today_is_the_day_where_the_member_lives() -> None:
    member = make_user(zone="Pacific/Auckland")  # where it is Tuesday morning

    with pytest.raises(BadDates):
        leave(member, TODAY, day(5))
    leave(member, day(1), day(1))


@pytest.mark.parametrize(
    ("first", "last"),
    [(day(5), day(4)), (day(5), date(2029, 1, 1)), (date(9999, 12, 31), date(9999, 12, 31))],
)
def test_days_that_cannot_be_taken_are_named(first: date, last: date) -> None:
    with pytest.raises(BadDates) as refused:
        leave(make_user(), first, last)

    assert refused.value.field == "ends_on"


@pytest.mark.parametrize(("first", "last"), [(10, 10), (8, 10), (12, 15), (9, 13), (11, 11)])
def test_leave_does_not_overlap(first: int, last: int) -> None:
    member = make_user()
    leave(member, day(10), day(12))

    with pytest.raises(LeaveOverlaps):
        leave(member, day(first), day(last))
    leave(make_user(), day(first), day(last))


def test_leave_is_counted_by_calendar_year() -> None:
    member = make_user()
    leave(member, day(20), date(2027, 1, 5))

    assert (leave_left(member, 2026), leave_left(member, 2027)) == (28 - 12, 28 - 5)
    with pytest.raises(LeaveSpent, match="16 days of leave left in 2026"):
        leave(member, day(1), day(17))
    with pytest.raises(LeaveSpent, match="23 days of leave left in 2027"):
        leave(member, date(2027, 2, 1), date(2027, 2, 24))
    leave(member, day(1), day(16))
    leave(member, date(2027, 2, 1), date(2027, 2, 23))
    assert (leave_left(member, 2026), leave_left(member, 2027)) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_no_more_leave_is_had_by_asking_many_times_at_once() -> None:
    member = make_user()

    def ask(number: int) -> bool:
        first = day(1) + timedelta(days=15 * number)
        try:
            leave(member, first, first + timedelta(days=14))
        except LeaveSpent:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(ask, range(2))) == 1


def test_leave_ahead_is_given_back_whole() -> None:
    game = make_timed()
    member = player_on_turn(game)
    taken = leave(member, day(2), day(2))

    give_back_leave(member=member, leave_id=taken.pk, now=after(1))

    assert deadline(game) == after(72)
    assert not Leave.objects.exists()


def test_leave_that_runs_ends_today() -> None:
    game = make_timed()
    member = player_on_turn(game)
    taken = leave(member, day(1), day(20))

    give_back_leave(member=member, leave_id=taken.pk, now=after(48))

    taken.refresh_from_db()
    assert (taken.starts_on, taken.ends_on) == (day(1), day(2))
    assert deadline(game) == after(72 + 48)
    assert leave_left(member, 2026) == 26


def test_leave_that_is_over_or_of_another_stays() -> None:
    member = make_user()
    taken = leave(member, day(1), day(2))

    with pytest.raises(RestOver):
        give_back_leave(member=member, leave_id=taken.pk, now=after(48))
    with pytest.raises(Leave.DoesNotExist):
        give_back_leave(member=make_user(), leave_id=taken.pk, now=NOW)


def test_leave_of_this_year_is_listed() -> None:
    member = make_user()
    leaves = [leave(member, day(7), day(8)), leave(member, day(1), day(2))]

    assert list(leaves_of(member, after(24 * 20))) == leaves[::-1]
    assert list(leaves_of(member, after(24 * 60))) == []


# Holidays ------------------------------------------------------------------------------------------


@pytest.fixture
def organiser() -> User:
    return make_user("olga")


def yule(organiser: User, game: Game, days: tuple[int, int] = (2, 3)) -> Holiday:
    """Add holidays from one day of December to another."""
    return holiday_of(organiser, game, day(days[0]), day(days[1]))


def holiday_of(organiser: User, game: Game, first: date, last: date) -> Holiday:
    return add_holiday(
        organiser=organiser, club=game.club, name="Yule", starts_on=first, ends_on=last, now=NOW
    )


def test_holidays_move_the_deadlines_of_the_club_only(organiser: User) -> None:
    club = make_club(organiser=organiser)
    games = [make_timed(club=club), make_timed(club=club)]
    elsewhere = make_timed()

    holiday = yule(organiser, games[0])

    assert [deadline(game) for game in games] == [after(120)] * 2
    assert deadline(elsewhere) == after(72)
    assert list(holidays_of(club, NOW)) == [holiday]
    remove_holiday(organiser=organiser, club=club, holiday_id=holiday.pk, now=after(1))
    assert deadline(games[0]) == after(72)


def test_holidays_that_run_end_today(organiser: User) -> None:
    game = make_timed(club=make_club(organiser=organiser))
    holiday = yule(organiser, game, (2, 20))

    remove_holiday(organiser=organiser, club=game.club, holiday_id=holiday.pk, now=after(50))

    holiday.refresh_from_db()
    assert holiday.ends_on == day(3)  # where days begin first it is the third already
    assert deadline(game) == after(120)
    with pytest.raises(RestOver):
        remove_holiday(organiser=organiser, club=game.club, holiday_id=holiday.pk, now=after(51))


def test_only_organisers_keep_holidays(organiser: User) -> None:
    game = make_timed(club=make_club(organiser=organiser))
    holiday = yule(organiser, game)
    member = make_member(game.club).user

    with pytest.raises(NotAllowed):
        yule(member, game)
    with pytest.raises(NotAllowed):
        remove_holiday(organiser=member, club=game.club, holiday_id=holiday.pk, now=NOW)
    other = make_club(organiser=organiser)
    with pytest.raises(Holiday.DoesNotExist):
        remove_holiday(organiser=organiser, club=other, holiday_id=holiday.pk, now=NOW)


@pytest.mark.parametrize(
    ("first", "last", "field"),
    [
        (day(1), day(5), "starts_on"),  # it is the first of December in Kiribati
        (day(5), day(4), "ends_on"),
        (day(2), date(2027, 3, 4), "ends_on"),
        (date(2028, 12, 1), date(2028, 12, 3), "ends_on"),
    ],
)
def test_holidays_lie_ahead_everywhere_and_are_no_years(
    organiser: User, first: date, last: date, field: str
) -> None:
    game = make_timed(club=make_club(organiser=organiser))

    with pytest.raises(BadDates) as refused:
        holiday_of(organiser, game, first, last)

    assert refused.value.field == field


# Over the API --------------------------------------------------------------------------------------


@pytest.fixture
def at_now() -> Any:
    with time_machine.travel(NOW, tick=False):
        yield


def test_a_club_keeps_so_many_holidays_that_are_not_over_and_no_more(organiser: User) -> None:
    club = make_club(organiser=organiser)
    Holiday.objects.bulk_create(
        Holiday(club=club, name="Day", starts_on=TODAY + timedelta(days=n), ends_on=TODAY + timedelta(days=n))
        for n in range(10, 69)
    )
    Holiday.objects.create(club=club, name="Over", starts_on=date(2026, 5, 1), ends_on=date(2026, 5, 1))
    words: dict[str, Any] = {"organiser": organiser, "club": club, "name": "New", "now": NOW}
    add_holiday(starts_on=day(24), ends_on=day(26), **words)

    with pytest.raises(BadDates, match="60 holidays") as refused:
        add_holiday(starts_on=day(27), ends_on=day(28), **words)

    assert refused.value.field == "starts_on"
    assert holidays_of(club, NOW).count() == 60


def test_leave_over_the_api(at_now: None) -> None:
    game = make_timed()
    client = client_of(player_on_turn(game))

    made = client.post(f"{API}/me/leaves", {"starts_on": "2026-12-02", "ends_on": "2026-12-03"})
    listed = client.get(f"{API}/me/leaves").json()
    shown = client.get(address(game)).json()
    given_back = client.delete(f"{API}/me/leaves/{made.json()['id']}")

    assert made.status_code == 201
    assert listed["results"] == [made.json()]
    assert made.json() | {"id": 0} == {
        "id": 0, "starts_on": "2026-12-02", "ends_on": "2026-12-03", "is_automatic": False,
    }  # fmt: skip
    assert listed["days_left"] == [{"year": 2026, "days": 26}, {"year": 2027, "days": 28}]
    assert shown["deadline"] == "2026-12-05T18:00:00Z"
    assert given_back.status_code == 204
    assert deadline(game) == after(72)


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        ("2026-11-29", "2026-12-03", (400, "invalid")),
        ("2026-12-10", "2026-12-09", (400, "invalid")),
        ("2026-12-10", "2027-01-02", (409, "leave_overlaps")),
        ("2027-02-01", "2027-03-01", (409, "leave_spent")),
        ("2026-02-30", "2027-03-01", (400, "invalid")),
    ],
)
def test_leave_that_is_refused_over_the_api(
    at_now: None, first: str, last: str, code: tuple[int, str]
) -> None:
    member = make_user()
    leave(member, day(31), day(31))

    answer = client_of(member).post(f"{API}/me/leaves", {"starts_on": first, "ends_on": last})

    assert code_of(answer) == code


def test_leave_that_ends_today_is_not_given_back_over_the_api(at_now: None) -> None:
    member = make_user()
    taken = leave(member, TODAY, TODAY)

    assert code_of(client_of(member).delete(f"{API}/me/leaves/{taken.pk}")) == (409, "rest_over")
    assert client_of(member).delete(f"{API}/me/leaves/{2**70}").status_code == 404


def test_holidays_over_the_api(at_now: None, organiser: User) -> None:
    club = make_club("owls", organiser=organiser)
    client = client_of(organiser)
    body = {"name": "Yule", "starts_on": "2026-12-24", "ends_on": "2026-12-26"}

    made = client.post(f"{API}/clubs/owls/holidays", body)
    listed = client_of(make_member(club).user).get(f"{API}/clubs/owls/holidays").json()
    refused = client.post(f"{API}/clubs/owls/holidays", body | {"starts_on": "2026-11-30"})
    removed = client.delete(f"{API}/clubs/owls/holidays/{made.json()['id']}")

    assert (made.status_code, refused.status_code, removed.status_code) == (201, 400, 204)
    assert listed["results"] == [body | {"id": made.json()["id"]}]
    assert [error["field"] for error in refused.json()["errors"]] == ["starts_on"]


def test_a_clock_is_proposed_and_shown_over_the_api(at_now: None) -> None:
    club = make_club("rooks", organiser=make_user())
    member = make_member(club).user
    clock = {"turn_hours": 72, "bank_hours": 48, "increment_hours": 6, "rests_at_weekends": True}
    body = {"club": "rooks", "seats": 2, "clock": clock}

    made = client_of(member).post(f"{API}/games", body)
    plain = client_of(member).post(f"{API}/games", body | {"clock": None})

    assert made.status_code == 201
    assert made.json()["clock"] == clock | {"cap_hours": 48}
    assert made.json()["deadline"] is None
    assert [seat["bank_seconds"] for seat in made.json()["seats"]] == [48 * 3600] * 2
    assert plain.json()["clock"] is None
    assert [seat["bank_seconds"] for seat in plain.json()["seats"]] == [None] * 2
    body_of_first = Game.objects.get(pk=made.json()["id"]).events.get(number=1).body
    assert (
        '"clock":{"bank_hours":48,"cap_hours":48,"increment_hours":6,"rests_at_weekends":"true"'
        in body_of_first
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"turn_hours": 0}, "clock.turn_hours"),
        ({"turn_hours": 2161}, "clock.turn_hours"),
        ({"bank_hours": 2161}, "clock.bank_hours"),
        ({"increment_hours": 721}, "clock.increment_hours"),
        ({"cap_hours": 47}, "clock.cap_hours"),
        ({"minutes": 5}, "clock.minutes"),
    ],
)
def test_a_clock_outside_its_bounds_is_refused_over_the_api(change: dict[str, int], field: str) -> None:
    make_club("rooks", organiser=(member := make_user()))
    clock = {"turn_hours": 72, "bank_hours": 48} | change

    answer = client_of(member).post(f"{API}/games", {"club": "rooks", "seats": 2, "clock": clock})

    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_members_say_how_mail_and_leave_are_handled_for_them() -> None:
    client = client_of(make_user())
    changes = {
        "digest_at": "07:30", "wants_text_only": True, "leaves_out_hands": True,
        "takes_leave_automatically": True,
    }  # fmt: skip

    before = client.get(f"{API}/me").json()
    answer = client.patch(f"{API}/me", changes)

    assert before["digest_at"] == "18:00"
    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in changes} == changes
    assert client.get(f"{API}/me").json() == answer.json()
    for refused in ("25:00", "7:30", "18:00:00", "18:00+02:00", "18:00\n", 18, None):
        assert client.patch(f"{API}/me", {"digest_at": refused}).status_code == 400


def test_the_clock_of_a_game_counts_a_whole_weekend_of_rest() -> None:
    game = make_timed(clock=Clock(24, rests_at_weekends=True))
    member = player_on_turn(game)

    leave(member, day(1), day(4))

    # From Monday 18:00: six hours, then leave until Friday, the weekend, and eighteen hours on Monday.
    assert deadline(game) == datetime(2026, 12, 7, 18, tzinfo=UTC)
