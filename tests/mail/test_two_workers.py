"""Two workers that look at the same moment make one digest of a member's mails."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from games.mail import leases
from games.mail.models import Mail
from tests.builders import NOW, make_user
from tests.mail.kinds import queue

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_mails_that_may_share_a_digest_two_workers_take_up_one(monkeypatch: Any) -> None:
    anna = make_user("anna", cadence="daily")
    for number in range(2):
        queue(f"news {number}", anna, "news")
    queue("of another", make_user("bo"), "news")
    taken: list[Mail | None] = []
    lock = leases._lock_member

    def take_up_beside() -> Mail | None:
        try:
            return leases.take_up(NOW)
        finally:
            connection.close()

    def lock_and_let_another_look(member_id: int) -> bool:
        monkeypatch.setattr(leases, "_lock_member", lock)
        is_free = lock(member_id)
        with ThreadPoolExecutor(1) as pool:
            taken.append(pool.submit(take_up_beside).result())
        return is_free

    monkeypatch.setattr(leases, "_lock_member", lock_and_let_another_look)

    first = leases.take_up(NOW)

    assert [mail and mail.key for mail in [first, *taken]] == ["news 0", "of another"]
    assert leases.take_up(NOW) is None
