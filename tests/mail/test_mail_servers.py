"""Real servers on good and bad days: every mail arrives, and none holds up the others."""

import logging
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection
from django.utils import timezone

from games.accounts.services import request_codes
from games.mail.models import Mail, Suppression
from games.mail.services import deliver
from sequence_site import diagnosis
from tests.builders import NOW, make_user
from tests.mail.kinds import Board, queue, state
from tests.mail.servers import Mailbox, TakesAndDrops, free_port, raw_server, says_nothing, smtp_server

pytestmark = pytest.mark.django_db


def use(settings: Any, port: int) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = port
    settings.EMAIL_TIMEOUT = 0.5


def test_many_mails_go_over_one_connection(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    greetings = []

    async def handle_EHLO(  # noqa: N802
        server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        greetings.append(hostname)
        session.host_name = hostname
        return responses

    monkeypatch.setattr(mailbox, "handle_EHLO", handle_EHLO, raising=False)
    for number in range(4):
        queue(f"mail {number}", make_user())

    assert deliver(now=NOW) == 4

    assert len(mailbox.taken) == 4
    assert len(greetings) == 1


def test_a_server_that_refuses_connections_costs_the_others_nothing(settings: Any) -> None:
    port = free_port()
    use(settings, port)
    anna = make_user("anna")
    for key in ("first", "second", "third"):
        queue(key, anna)

    assert deliver(now=NOW) == 0

    rows = Mail.objects.order_by("pk").values_list("attempts", "last_error", "due_at")
    assert list(rows) == [
        (1, "away: ConnectionRefusedError", NOW + timedelta(seconds=30)),
        (0, "", NOW),
        (0, "", NOW),
    ]
    with smtp_server(Mailbox(), port):
        assert deliver(now=NOW + timedelta(seconds=2)) == 3


def test_after_a_day_without_server_all_goes_at_once(settings: Any) -> None:
    port = free_port()
    use(settings, port)
    anna = make_user("anna")
    for number in range(3):
        queue(f"mail {number}", anna)
    now = NOW
    while now < NOW + timedelta(days=1):
        deliver(now=now)
        now += timedelta(minutes=7)
    mailbox = Mailbox()
    queue("news", anna, now=now)

    with smtp_server(mailbox, port):
        deliver(now=now)

    assert len(mailbox.taken) == 4
    assert set(Mail.objects.values_list("state", flat=True)) == {"sent"}


def test_a_tarpit_is_left_after_the_time_out(settings: Any) -> None:
    anna = make_user("anna")
    queue("one", anna)

    with raw_server(says_nothing) as port:
        use(settings, port)
        started = time.monotonic()
        deliver(now=NOW)
        took = time.monotonic() - started

    assert took < 3
    assert Mail.objects.get().last_error == "away: SMTPServerDisconnected"  # as smtplib calls a time-out
    mailbox = Mailbox()
    with smtp_server(mailbox) as port:
        use(settings, port)
        assert deliver(now=NOW + timedelta(minutes=1)) == 1


def test_a_server_that_never_comes_to_an_end_is_left_at_the_time_limit_of_the_task(settings: Any) -> None:
    queue("one", make_user("anna"))

    def drip(connection: socket.socket) -> None:
        while True:
            connection.sendall(b"220-wait\r\n")
            time.sleep(0.1)

    def interrupt(*_: Any) -> None:
        raise SoftTimeLimitExceeded

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with raw_server(drip) as port:
            use(settings, port)
            signal.setitimer(signal.ITIMER_REAL, 1.5)
            assert deliver(now=NOW) == 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    row = Mail.objects.get()
    assert (row.last_error, row.due_at) == ("away: SoftTimeLimitExceeded", NOW + timedelta(seconds=30))


def test_the_time_out_of_an_installation_is_ten_seconds() -> None:
    from sequence_site import settings as given

    assert given.EMAIL_TIMEOUT == given.ANYMAIL["REQUESTS_TIMEOUT"] == 10


def test_a_server_that_hangs_up_after_its_answer_has_taken_the_mail(settings: Any) -> None:
    queue("one", make_user())
    server = TakesAndDrops(answers=True)

    with raw_server(server) as port:
        use(settings, port)
        deliver(now=NOW)
        deliver(now=NOW + timedelta(hours=2))

    assert state("one") == "sent"
    assert len(server.taken) == 1


def test_a_server_that_hangs_up_before_its_answer_gets_the_same_mail_again(settings: Any) -> None:
    queue("one", make_user())
    queue("two", make_user())
    server = TakesAndDrops(answers=False)
    mailbox = Mailbox()

    with raw_server(server) as port:
        use(settings, port)
        deliver(now=NOW)
    assert [row.attempts for row in Mail.objects.order_by("pk")] == [1, 0]
    assert Mail.objects.get(key="one").last_error == "SMTPServerDisconnected"
    with smtp_server(mailbox) as port:
        use(settings, port)
        deliver(now=NOW + timedelta(seconds=30))

    [first] = [line for line in server.taken[0].splitlines() if line.startswith(b"Message-ID")]
    again = [message["Message-ID"] for message in mailbox.messages]
    assert len(again) == 2
    assert first.decode().removeprefix("Message-ID: ") in again


def test_a_server_that_closes_after_each_mail_gets_all_of_them(settings: Any) -> None:
    for number in range(3):
        queue(f"mail {number}", make_user())
    server = TakesAndDrops(answers=True)

    with raw_server(server) as port:
        use(settings, port)
        assert deliver(now=NOW) == 3

    assert len(server.taken) == 3


@pytest.mark.parametrize(
    "answer",
    [
        "550 5.1.1 no such user",
        "550 unknown",
        "553 5.1.3 bad",
        "550 No such user here",
        "550 Mailbox not found",
    ],
)
def test_an_address_that_is_refused_for_good_gets_nothing_more(mailbox: Mailbox, answer: str) -> None:
    anna, bo = make_user("anna", email="Anna@Example.org"), make_user("bo")
    mailbox.answers["Anna@Example.org"] = answer
    for key, member in (("one", anna), ("two", anna), ("three", bo)):
        queue(key, member)

    deliver(now=NOW)

    told = Suppression.objects.get()
    assert (told.address, told.reason, told.since) == ("anna@example.org", "refused", NOW)
    assert (state("one"), state("two"), state("three")) == ("failed", "failed", "sent")
    assert Mail.objects.get(key="one").last_error == f"refused: SMTPRecipientsRefused {answer[:3]}"
    assert Mail.objects.get(key="two").last_error == "suppressed"


@pytest.mark.parametrize(
    "answer",
    [
        "450 4.2.0 greylisted",
        "452 4.2.2 full",
        "554 5.7.1 your address is on a list",
        "552 5.2.2 full",
        "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents more",
        "550 blocked using zen.spamhaus.org",
        "554 Message rejected for policy reasons",
        "550 Your IP has a poor reputation",
        "550 rate limit exceeded",
        "550 Relay access denied",
        "552 Mailbox quota exceeded",
        "550 looks like spam",
    ],
)
def test_what_is_not_the_mailboxs_fault_is_tried_again(mailbox: Mailbox, answer: str) -> None:
    mailbox.answers["anna@example.org"] = answer
    queue("one", make_user("anna"))
    queue("two", make_user("bo"))

    deliver(now=NOW)

    assert not Suppression.objects.exists()
    row = Mail.objects.get(key="one")
    assert (row.state, row.due_at) == ("waiting", NOW + timedelta(seconds=30))
    assert row.last_error == f"SMTPRecipientsRefused {answer[:3]}"
    assert state("two") == "sent"
    mailbox.answers.clear()
    assert deliver(now=NOW + timedelta(seconds=30)) == 1


def test_a_mail_that_is_refused_for_what_it_says_is_not_the_readers_fault(mailbox: Mailbox) -> None:
    mailbox.refuses_data = "554 5.6.0 I do not like this"
    queue("one", make_user("anna"))

    deliver(now=NOW)

    assert not Suppression.objects.exists()
    assert Mail.objects.get().last_error == "SMTPDataError 554"


def test_a_server_that_is_about_to_stop_ends_the_run(mailbox: Mailbox) -> None:
    mailbox.answers["anna@example.org"] = "421 4.3.2 going down"
    queue("one", make_user("anna"))
    queue("two", make_user("bo"))

    deliver(now=NOW)

    assert [row.attempts for row in Mail.objects.order_by("pk")] == [1, 0]


def test_nothing_of_a_mail_is_logged_whatever_happens_to_it(
    mailbox: Mailbox, known_kinds: Board, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    known_kinds.content |= {"subject": "canary subject", "text": "canary body https://example.org/t/canary"}
    mailbox.answers = {
        f"canary{number}@example.org": answer
        for number, answer in enumerate(["550 5.1.1 canary", "450 canary", "554 5.7.1 canary"])
    }
    for number in range(4):
        queue(f"mail {number}", make_user(email=f"canary{number}@example.org"))
    known_kinds.broken["mail 3"] = ValueError("canary")

    deliver(now=NOW)

    ours = [record for record in caplog.records if record.name.startswith("games.")]
    assert ours
    assert not [record for record in ours if "canary" in record.getMessage()]
    assert not [row for row in Mail.objects.values_list("last_error", flat=True) if "canary" in row]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_never_send_a_mail_twice(mailbox: Mailbox) -> None:
    members = [make_user() for _ in range(4)]
    for number in range(40):
        queue(f"mail {number}", members[number % 4], "urgent" if number % 2 else "news")

    def work(_: int) -> int:
        try:
            return deliver(now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        sent = list(pool.map(work, range(6)))

    ids = [message["Message-ID"] for message in mailbox.messages]
    assert len(ids) == len(set(ids)) == sum(sent)
    assert deliver(now=NOW) + len(ids) == 40
    assert set(Mail.objects.values_list("state", flat=True)) == {"sent"}


@pytest.mark.django_db(transaction=True)
def test_a_slow_mail_does_not_keep_another_worker_from_the_rest(settings: Any, mailbox: Mailbox) -> None:
    reached, may_end = threading.Event(), threading.Event()

    def hang(connection: socket.socket) -> None:
        reached.set()
        may_end.wait(20)

    good = settings.EMAIL_PORT
    queue("slow", make_user())
    queue("quick", make_user())

    def slow_worker() -> None:
        try:
            deliver(now=NOW)
        finally:
            connection.close()

    with raw_server(hang) as port:
        settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = port, 10
        thread = threading.Thread(target=slow_worker)
        thread.start()
        assert reached.wait(10)
        settings.EMAIL_PORT = good
        sent = deliver(now=NOW)
        may_end.set()
    thread.join(20)

    assert sent == 1
    assert (state("slow"), state("quick")) == ("waiting", "sent")


def test_codes_wait_for_a_server_that_is_away_and_stop_the_run(settings: Any) -> None:
    make_user("anna")
    request_codes(email="anna@example.org", now=NOW)
    queue("one", make_user())
    port = free_port()
    use(settings, port)

    deliver(now=NOW)

    assert Mail.objects.get().attempts == 0
    mailbox = Mailbox()
    with smtp_server(mailbox, port):
        deliver(now=NOW + timedelta(seconds=30))
    assert next(message["To"] for message in mailbox.messages) == "anna@example.org"
    assert len(mailbox.messages) == 2


def test_the_doctor_tells_of_the_server_and_of_what_waits(mailbox: Mailbox, settings: Any) -> None:
    settings.EMAIL_URL, settings.HAS_INBOX = "smtp://anything", False
    queue("held up", make_user(), now=timezone.now() - timedelta(hours=1))

    found = list(diagnosis.mail())

    assert [(finding.level.value, finding.text) for finding in found] == [
        ("ok", "the mail server 127.0.0.1 takes us"),
        ("ok", "1 mails wait, 0 addresses get none"),
        ("odd", "1 mails should have gone out"),
    ]
    settings.EMAIL_PORT = free_port()
    assert next(diagnosis.mail()).level is diagnosis.Level.BAD


def test_the_doctor_tells_who_does_not_hear_of_bounces(settings: Any) -> None:
    settings.HAS_INBOX, settings.EMAIL_BACKEND = False, "anymail.backends.postmark.EmailBackend"

    levels = [finding.level.value for finding in diagnosis.mail()]

    assert levels == ["ok", "odd", "ok"]
