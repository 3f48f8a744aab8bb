"""Workers killed at each step: every mail arrives, twice at most once a crash, under the same Message-ID."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from games.accounts.models import CodeRequest
from games.accounts.services import request_codes, sign_in_with_code
from games.mail.models import Mail
from games.mail.services import deliver
from tests.builders import NOW, make_user
from tests.conftest import running
from tests.mail.dying_worker import CODE_POINTS, DIGEST_POINTS, POINTS
from tests.mail.kinds import queue
from tests.mail.servers import Mailbox

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]
LEASE = timedelta(minutes=2)


@pytest.fixture
def kill_at(mailbox: Mailbox, settings: Any) -> Callable[[str, datetime], None]:
    """Let a process deliver, at that time, until it kills itself at that point."""

    def run(point: str, now: datetime) -> None:
        url = f"smtp://127.0.0.1:{settings.EMAIL_PORT}"
        with running("tests.mail.dying_worker", KILL_AT=point, NOW=now.isoformat(), EMAIL_URL=url) as process:
            assert process.wait(120) == -9

    return run


def ids_in(mailbox: Mailbox) -> "Counter[str]":
    return Counter(message["Message-ID"] for message in mailbox.messages)


def texts_in(mailbox: Mailbox) -> list[str]:
    return [message.get_body(("plain",)).get_content() for message in mailbox.messages]  # type: ignore[union-attr]


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_killed_at_a_point_loses_no_mail(kill_at: Any, mailbox: Mailbox, point: str) -> None:
    anna, bo = make_user("anna"), make_user("bo")
    for number in range(3):
        queue(f"mail {number}", (anna, bo)[number % 2])

    kill_at(point, NOW)
    deliver(now=NOW + timedelta(seconds=2))
    deliver(now=NOW + timedelta(seconds=2) + LEASE)
    deliver(now=NOW + timedelta(days=1))

    assert set(Mail.objects.values_list("state", flat=True)) == {"sent"}
    assert len(ids_in(mailbox)) == 3
    assert ids_in(mailbox).total() == 3 + (point == "after the server's 250")


@pytest.mark.parametrize("point", CODE_POINTS)
def test_a_worker_killed_while_it_mails_codes_leaves_codes_that_work(
    kill_at: Any, mailbox: Mailbox, point: str
) -> None:
    anna = make_user("anna")
    request_codes(email="anna@example.org", now=NOW)

    kill_at(point, NOW)
    again = NOW + LEASE
    deliver(now=again)

    assert not CodeRequest.objects.exists()
    assert len(ids_in(mailbox)) == 1
    assert ids_in(mailbox).total() == 1 + (point == "after the server's 250")
    codes = {re.findall(r"\d{6}", text)[0] for text in texts_in(mailbox)}
    assert len(codes) == 1
    assert sign_in_with_code(who="anna", code=codes.pop(), now=again) == anna


@pytest.mark.parametrize("point", DIGEST_POINTS)
def test_a_worker_killed_while_it_makes_a_digest_loses_no_part(
    kill_at: Any, mailbox: Mailbox, point: str
) -> None:
    anna = make_user("anna", cadence="coalesced")
    for number in range(3):
        queue(f"news {number}", anna, "news")
    ready = NOW + timedelta(minutes=10)

    kill_at(point, ready)
    deliver(now=ready + LEASE)
    deliver(now=ready + 2 * LEASE)

    text = "".join(texts_in(mailbox))
    for number in range(3):
        assert text.count(f"About news {number}") <= 1
    assert len(ids_in(mailbox)) == ids_in(mailbox).total() <= 2
    assert set(Mail.objects.values_list("state", flat=True)) <= {"sent", "carried"}
    carried = Mail.objects.filter(state="carried")
    assert set(carried.values_list("within__state", flat=True)) == {"sent"}
