"""The outbox is emptied once, in turn, by whoever comes, and what is not wanted any more is not sent."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.postgresql.base import DatabaseWrapper

from games.mail import leases, services, tasks
from games.mail.models import Mail
from games.mail.outbox import Draft, enqueue
from games.mail.queries import last_sent, state_of
from games.mail.services import deliver
from tests.builders import NOW, make_user
from tests.mail.kinds import Board, queue, state

pytestmark = pytest.mark.django_db


def test_a_mail_is_sent_once_and_remembered(mailoutbox: Any) -> None:
    queue("one", make_user("anna"))

    assert deliver(now=NOW) == 1
    assert deliver(now=NOW + timedelta(days=1)) == 0

    assert [mail.to for mail in mailoutbox] == [['"Anna" <anna@example.org>']]
    assert (state("one"), last_sent("one"), state_of("one")) == ("sent", NOW, "sent")
    assert (last_sent("other"), state_of("other")) == (None, None)


def test_the_same_key_is_one_mail_however_often_it_is_written(mailoutbox: Any) -> None:
    anna = make_user("anna")

    for minutes in (0, 5, 11):  # a sweep of ten minutes whose window is eleven
        queue("reminder", anna, now=NOW + timedelta(minutes=minutes))
        deliver(now=NOW + timedelta(minutes=minutes))

    assert len(mailoutbox) == 1


def test_whether_a_mail_is_wanted_is_decided_when_it_is_sent(known_kinds: Board, mailoutbox: Any) -> None:
    queue("one", make_user("anna"))
    known_kinds.unwanted.add("one")

    deliver(now=NOW)

    assert not mailoutbox
    assert state("one") == "dropped"
    assert last_sent("one") is None


def test_mails_of_one_address_and_of_a_member_who_is_away_for_good(mailoutbox: Any) -> None:
    queue("to nobody yet", address="new@example.org")
    queue("to a member who left", make_user("anna", is_active=False))
    queue("to nowhere", make_user("bo", email=""))

    deliver(now=NOW)

    assert [mail.to for mail in mailoutbox] == [["new@example.org"]]
    assert state("to a member who left") == "dropped"
    assert Mail.objects.get(key="to nowhere").last_error == "no address"


def test_an_address_that_changed_meanwhile_is_the_one_that_counts(mailoutbox: Any) -> None:
    anna = make_user("anna")
    queue("one", anna)
    anna.email = "anna@new.example"
    anna.save()

    deliver(now=NOW)

    assert mailoutbox[0].to == ['"Anna" <anna@new.example>']


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_a_mail_is_rendered_and_sent(
    known_kinds: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.core.mail.backends.locmem import EmailBackend

    open_at = []
    send = EmailBackend.send_messages
    render = services.render
    monkeypatch.setattr(
        EmailBackend,
        "send_messages",
        lambda *args: open_at.append(("send", connection.in_atomic_block)) or send(*args),
    )
    monkeypatch.setattr(
        services,
        "render",
        lambda *args: open_at.append(("render", connection.in_atomic_block)) or render(*args),
    )
    queue("one", make_user())

    deliver(now=NOW)

    assert open_at == [("render", False), ("send", False)]


def test_a_mail_that_cannot_be_rendered_waits_and_the_others_go(
    known_kinds: Board, mailoutbox: Any, caplog: pytest.LogCaptureFixture
) -> None:
    anna = make_user("anna", name="Anna Secret")
    known_kinds.broken["bad"] = ValueError("the card of Anna Secret is Qd")
    for key in ("bad", "good"):
        queue(key, anna)

    deliver(now=NOW)

    bad = Mail.objects.get(key="bad")
    assert (bad.state, bad.attempts, bad.last_error) == ("waiting", 1, "ValueError")
    assert bad.due_at == NOW + timedelta(seconds=30)
    assert state("good") == "sent"
    assert "Mail bad could not be rendered: ValueError" in caplog.text
    assert "kinds.py" in caplog.text
    assert "Secret" not in caplog.text


def test_a_kind_that_is_not_known_yet_waits_for_the_worker_that_knows_it(mailoutbox: Any) -> None:
    queue("one", make_user(), kind="of tomorrow")

    deliver(now=NOW)

    assert Mail.objects.get().last_error == "KeyError"
    assert state("one") == "waiting"


def test_pauses_double_up_to_an_hour_and_end_after_four_days(known_kinds: Board) -> None:
    queue("bad", make_user())
    known_kinds.broken["bad"] = ValueError()
    now, pauses = NOW, []
    while state("bad") == "waiting":
        deliver(now=now)
        due = Mail.objects.get().due_at
        pauses.append(due - now)
        now = due

    seconds = [pause.total_seconds() for pause in pauses]
    assert seconds[:8] == [30, 60, 120, 240, 480, 960, 1920, 3600]
    assert set(seconds[8:-1]) == {3600}
    assert state("bad") == "failed"
    assert Mail.objects.get().last_error == "given up"
    assert timedelta(days=4) < now - NOW < timedelta(days=4, hours=2)


def test_a_mail_that_lay_for_a_week_is_tried_for_an_hour_still(known_kinds: Board, mailoutbox: Any) -> None:
    queue("late", make_user())
    known_kinds.broken["late"] = ValueError()
    now = NOW + timedelta(days=7)
    for _ in range(3):
        deliver(now=now)
        now = Mail.objects.get().due_at
    known_kinds.broken.clear()

    deliver(now=now)

    assert len(mailoutbox) == 1


@pytest.mark.django_db(transaction=True)
def test_a_commit_that_fails_mails_nothing(monkeypatch: pytest.MonkeyPatch, mailoutbox: Any) -> None:
    anna = make_user("anna")

    def lose(self: DatabaseWrapper) -> None:
        monkeypatch.undo()
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(DatabaseWrapper, "_commit", lose)
    with pytest.raises(OperationalError), transaction.atomic():
        enqueue([Draft("undone", "urgent", anna.pk)], now=NOW)
    deliver(now=NOW)

    assert not Mail.objects.exists()
    assert not mailoutbox


@pytest.mark.django_db(transaction=True)
def test_a_mail_needs_no_hook_after_the_commit(mailoutbox: Any) -> None:
    anna = make_user("anna")

    def fail() -> None:
        raise ZeroDivisionError

    def act() -> None:
        with transaction.atomic():
            transaction.on_commit(fail)
            enqueue([Draft("done", "urgent", anna.pk)], now=NOW)

    with pytest.raises(ZeroDivisionError):
        act()
    deliver(now=NOW)

    assert len(mailoutbox) == 1


def test_the_task_has_no_arguments_that_could_hold_secrets() -> None:
    assert tasks.deliver.run.__code__.co_argcount == 0
    assert tasks.deliver.time_limit < leases.LEASE.total_seconds()
    assert tasks.deliver.soft_time_limit < tasks.deliver.time_limit


def test_rows_hold_neither_words_nor_addresses_of_members(known_kinds: Board) -> None:
    anna = make_user("anna", email="anna@canary.example")
    known_kinds.content["subject"] = "a canary"
    known_kinds.content["text"] = "https://example.org/t/canary"
    queue("one", anna)

    deliver(now=NOW)

    row = Mail.objects.values().get()
    assert "canary" not in repr(row)


def test_whoever_lost_a_lease_leaves_the_row_alone(monkeypatch: pytest.MonkeyPatch, mailoutbox: Any) -> None:
    queue("one", make_user())
    slow = leases.take_up(NOW)
    assert slow is not None
    later = NOW + leases.LEASE
    deliver(now=later)

    leases.back_off(slow, "TimeoutError", NOW)
    leases.finish(slow, Mail.State.FAILED)

    assert (state("one"), last_sent("one")) == ("sent", later)
    assert len(mailoutbox) == 1


def test_a_lease_that_ran_out_while_rendering_does_not_send(
    known_kinds: Board, monkeypatch: pytest.MonkeyPatch, mailoutbox: Any
) -> None:
    row = queue("one", make_user())
    render = services.render

    def slowly(mail: Mail, now: Any) -> Any:
        Mail.objects.filter(pk=row.pk).update(attempts=2, due_at=NOW + timedelta(minutes=9))
        return render(mail, now)

    monkeypatch.setattr(services, "render", slowly)
    deliver(now=NOW)

    assert not mailoutbox
    assert Mail.objects.get().attempts == 2


def test_a_run_ends_after_a_while_and_the_next_goes_on(
    monkeypatch: pytest.MonkeyPatch, mailoutbox: Any
) -> None:
    anna = make_user("anna")
    for number in range(5):
        queue(f"mail {number}", anna)
    ticks = iter(range(0, 1000, 8))
    monkeypatch.setattr(services, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))

    assert [deliver(now=NOW), deliver(now=NOW)] == [2, 2]


def test_what_was_sent_long_ago_is_forgotten_and_what_waits_never_is(mailoutbox: Any) -> None:
    anna = make_user("anna")
    queue("sent", anna)
    deliver(now=NOW)
    queue("waiting", anna)

    assert services.delete_old(now=NOW + timedelta(days=399)) == 0
    assert services.delete_old(now=NOW + timedelta(days=401)) == 1
    assert list(Mail.objects.values_list("key", flat=True)) == ["waiting"]
