"""When mail goes out: at once, gathered, or by the day; decided anew each time, in the member's zone."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection

from games.mail.cadence import next_at
from games.mail.models import Mail
from games.mail.queries import last_sent, state_of
from games.mail.services import deliver
from tests.builders import NOW, make_user
from tests.mail.kinds import Board, queue, state
from tests.mail.servers import Mailbox

STOCKHOLM = ZoneInfo("Europe/Stockholm")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("wall", "after", "expected"),
    [
        (time(18), utc(2026, 11, 30, 12), utc(2026, 11, 30, 17)),
        (time(18), utc(2026, 11, 30, 17), utc(2026, 11, 30, 17)),
        (time(18), utc(2026, 11, 30, 17, 0, 1), utc(2026, 12, 1, 17)),
        # 23:30 UTC is half past midnight of the next day there
        (time(0, 45), utc(2026, 11, 30, 23, 30), utc(2026, 11, 30, 23, 45)),
        # the last Sunday of March has 23 hours: 18:00 comes an hour sooner
        (time(18), utc(2027, 3, 27, 17, 30), utc(2027, 3, 28, 16)),
        (time(18), utc(2027, 3, 28, 16, 30), utc(2027, 3, 29, 16)),
        # 02:30 is skipped: half an hour after what it would have been, 03:30
        (time(2, 30), utc(2027, 3, 27, 12), utc(2027, 3, 28, 1, 30)),
        (time(2, 30), utc(2027, 3, 28, 2), utc(2027, 3, 29, 0, 30)),
        # the last Sunday of October has 25 hours
        (time(18), utc(2026, 10, 24, 16, 30), utc(2026, 10, 25, 17)),
        # 02:30 comes twice, and the first counts; in between it is tomorrow's
        (time(2, 30), utc(2026, 10, 24, 12), utc(2026, 10, 25, 0, 30)),
        (time(2, 30), utc(2026, 10, 25, 0, 45), utc(2026, 10, 26, 1, 30)),
    ],
)
def test_a_time_of_day_is_that_of_the_members_clock(wall: time, after: datetime, expected: datetime) -> None:
    assert next_at(wall, STOCKHOLM, after) == expected


def test_a_digest_comes_once_on_every_day_of_the_year_whatever_the_clocks_do() -> None:
    for name in (
        "Europe/Stockholm",
        "America/New_York",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Asia/Kolkata",
    ):
        zone = ZoneInfo(name)
        for wall in (time(0), time(2, 15), time(18)):
            moment, days = utc(2026, 1, 1), []
            while moment < utc(2027, 1, 2):
                moment = next_at(wall, zone, moment)
                days.append(moment.astimezone(zone).date())
                moment += timedelta(seconds=1)
            assert len(days) == len(set(days))
            assert (days[-1] - days[0]).days == len(days) - 1


pytestmark = pytest.mark.django_db


def test_a_mail_at_once_goes_at_once(mailoutbox: Any) -> None:
    queue("one", make_user(cadence="at_once"), "news")

    deliver(now=NOW)

    assert len(mailoutbox) == 1


def test_a_coalesced_mail_waits_ten_minutes_and_that_is_no_attempt(mailoutbox: Any) -> None:
    queue("one", make_user(cadence="coalesced"), "news")

    deliver(now=NOW)
    row = Mail.objects.get()
    deliver(now=NOW + timedelta(minutes=9, seconds=59))

    assert (row.state, row.attempts, row.due_at) == ("waiting", 0, NOW + timedelta(minutes=10))
    assert not mailoutbox
    deliver(now=NOW + timedelta(minutes=10))
    assert state("one") == "sent"


def test_a_daily_mail_goes_at_the_members_hour_across_the_change_of_clocks(mailoutbox: Any) -> None:
    anna = make_user(cadence="daily", zone=STOCKHOLM, digest_at=time(18))
    now = utc(2027, 3, 27, 17, 30)  # Saturday, half past six in the evening
    queue("one", anna, "news", now=now)
    while not mailoutbox:
        deliver(now=now)
        due = Mail.objects.get().due_at
        assert due - now <= timedelta(minutes=10) or mailoutbox
        now = due if not mailoutbox else now

    assert now == utc(2027, 3, 28, 16)


def test_what_cannot_be_part_of_a_digest_goes_at_once_whatever_its_member_wants(mailoutbox: Any) -> None:
    queue("one", make_user(cadence="daily"), "urgent")
    queue("two", address="new@example.org", kind="news")

    deliver(now=NOW)

    assert len(mailoutbox) == 2


def test_a_game_may_have_a_cadence_of_its_own(known_kinds: Board, mailoutbox: Any) -> None:
    anna = make_user(cadence="daily", digest_at=time(20))
    known_kinds.cadences[7] = "at_once"
    queue("of seven", anna, "news", game=7)
    queue("of eight", anna, "news", game=8)
    queue("of the usual", anna, "usual", game=7)

    deliver(now=NOW)

    assert [state(key) for key in ("of seven", "of eight", "of the usual")] == ["sent", "waiting", "waiting"]


@pytest.mark.parametrize("cadence", ["at_once", "coalesced"])
def test_a_changed_cadence_is_followed_within_ten_minutes(mailoutbox: Any, cadence: str) -> None:
    anna = make_user(cadence="daily", digest_at=time(17))  # an hour ago: 23 hours to go
    queue("one", anna, "news")
    deliver(now=NOW)
    anna.cadence = cadence
    anna.save()

    deliver(now=NOW + timedelta(minutes=10))

    assert len(mailoutbox) == 1


def test_what_is_ready_together_comes_in_one_mail(mailoutbox: Any) -> None:
    anna = make_user("anna", cadence="daily", digest_at=time(20))
    bo = make_user("bo", cadence="daily", digest_at=time(20))
    for key, member in (("one", anna), ("two", anna), ("three", anna), ("other", bo)):
        queue(key, member, "news")
    deliver(now=NOW)
    evening = utc(2026, 11, 30, 20)

    deliver(now=evening)

    to_anna, to_bo = sorted(mailoutbox, key=lambda mail: mail.to)
    assert to_anna.subject == "News of your games: 3 notices"
    assert [f"About {key}" in to_anna.body for key in ("one", "two", "three", "other")] == [True] * 3 + [
        False
    ]
    assert to_bo.subject == "Monday"
    first = Mail.objects.order_by("pk")[0]
    digest = Mail.objects.get(kind="digest")
    assert digest.key == f"digest:{anna.uuid}:{first.pk}"
    assert [part.key for part in digest.parts.order_by("pk")] == ["one", "two", "three"]
    assert (state("one"), state_of("one"), last_sent("one")) == ("carried", "sent", evening)


def test_mails_that_follow_within_ten_minutes_join_the_first(mailoutbox: Any) -> None:
    anna = make_user(cadence="coalesced")
    queue("one", anna, "news")
    queue("two", anna, "news", now=NOW + timedelta(minutes=9))

    for minutes in (0, 9, 10, 19, 20):
        deliver(now=NOW + timedelta(minutes=minutes))

    assert len(mailoutbox) == 1
    assert last_sent("two") == NOW + timedelta(minutes=10)


def test_a_digest_of_one_is_that_mail_itself(known_kinds: Board, mailoutbox: Any) -> None:
    anna = make_user(cadence="coalesced")
    for key in ("one", "two", "three"):
        queue(key, anna, "news")
    known_kinds.unwanted |= {"two", "three"}

    deliver(now=NOW + timedelta(minutes=10))

    assert [mail.subject for mail in mailoutbox] == ["Monday"]
    assert [state(key) for key in ("one", "two", "three")] == ["sent", "dropped", "dropped"]


@pytest.mark.parametrize(("unwanted", "shown"), [({"one"}, ["two"]), ({"one", "two"}, [])])
def test_parts_that_nobody_needs_any_more_leave_a_digest(
    known_kinds: Board, mailbox: Any, settings: Any, unwanted: set[str], shown: list[str]
) -> None:
    anna = make_user(cadence="coalesced")
    for key in ("one", "two"):
        queue(key, anna, "news")
    mailbox.answers[anna.email] = "450 4.2.0 later"
    deliver(now=NOW + timedelta(minutes=10))
    assert state(Mail.objects.get(kind="digest").key) == "waiting"
    known_kinds.unwanted |= unwanted
    mailbox.answers.clear()

    deliver(now=NOW + timedelta(minutes=11))

    texts = [message.get_body(("plain",)).get_content() for message in mailbox.messages]
    assert [key for key in ("one", "two") for text in texts if f"About {key}" in text] == shown
    assert all(state(key) == "dropped" for key in unwanted)
    assert state(Mail.objects.get(kind="digest").key) == ("sent" if shown else "dropped")


def test_a_part_that_breaks_leaves_the_digest_and_waits_by_itself(
    known_kinds: Board, mailoutbox: Any, mailbox: Any, caplog: pytest.LogCaptureFixture
) -> None:
    anna = make_user(cadence="coalesced")
    for key in ("one", "two", "three"):
        queue(key, anna, "news")
    mailbox.answers[anna.email] = "450 4.2.0 later"
    deliver(now=NOW + timedelta(minutes=10))
    mailbox.answers.clear()
    known_kinds.broken["two"] = ValueError()

    deliver(now=NOW + timedelta(minutes=11))

    assert (state("one"), state("two"), state("three")) == ("carried", "waiting", "carried")
    known_kinds.broken.clear()
    deliver(now=NOW + timedelta(minutes=12))
    assert state("two") == "sent"
    assert len(mailbox.messages) == 2


def test_two_digests_of_one_member_are_two_mails(mailoutbox: Any) -> None:
    anna = make_user(cadence="daily", digest_at=time(20))
    for day in (0, 1):
        for key in ("one", "two"):
            queue(f"{key} of day {day}", anna, "news", now=NOW + timedelta(days=day))
        deliver(now=NOW + timedelta(days=day, hours=2))

    assert len(mailoutbox) == 2
    assert len({mail.extra_headers["Message-ID"] for mail in mailoutbox}) == 2


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_neither_lose_nor_repeat_parts_of_digests(mailbox: Mailbox) -> None:
    members = [make_user(cadence="daily", digest_at=time(20)) for _ in range(5)]
    keys = {queue(f"notice {number}.", members[number % 5], "news").key for number in range(25)}
    evening = utc(2026, 11, 30, 20)

    def work(_: int) -> None:
        try:
            deliver(now=evening)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    deliver(now=evening)

    assert all(last_sent(key) == evening for key in keys)
    ids = [message["Message-ID"] for message in mailbox.messages]
    assert len(ids) == len(set(ids))
    texts = [message.get_body(("plain",)).get_content() for message in mailbox.messages]  # type: ignore[union-attr]
    in_digests = [key for key in keys for text in texts if f"About {key}" in text]
    assert len(in_digests) == len(set(in_digests))
