"""Taking up rows of the outbox and putting them down: each step one short transaction of its own.

A row that waits is fresh (`attempts` is 0), or taken up (`last_error` is empty) until `due_at`, or waits for
another try. Whoever took it up may change it only while it is as they left it: a worker that was stopped for
longer than its lease finds that another has the row.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.mail.kinds import kinds_for_digests
from games.mail.models import Mail

# Above the time limit of the task: whoever holds a row longer is dead.
LEASE = timedelta(minutes=2)
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=4)
# An hour's tries are made of every mail, however old it is when it is first taken up.
LEAST_ATTEMPTS = 8
_LOCK_OF_DIGESTS = 0x5E90
AWAY = "away:"  # begins the `last_error` of a mail that was not even offered


def take_up(now: datetime) -> Mail | None:
    """Return the mail that is due longest and nobody holds, leased to the caller, or None.

    Of mails that may share a digest one at a time: two workers would make two digests of them. Who takes one
    up holds a lock of its member while it looks: what another takes up at once is not seen otherwise.
    """
    others: set[int] = set()
    with transaction.atomic(durable=True):
        while True:
            mail = (
                Mail.objects.select_for_update(skip_locked=True, of=("self",))
                .select_related("member")
                .filter(~Q(kind__in=kinds_for_digests()) | ~Exists(_held_of_the_same_member(now)))
                .filter(state=Mail.State.WAITING, due_at__lte=now)
                .exclude(kind__in=kinds_for_digests(), member__in=others)
                .order_by("due_at", "pk")
                .first()
            )
            if mail is None:
                return None
            if mail.member_id is None or mail.kind not in kinds_for_digests():
                break
            if _lock_member(mail.member_id) and not _is_held(mail, now):
                break
            others.add(mail.member_id)
        mail.due_at = now + LEASE
        mail.attempts += 1
        mail.last_error = ""
        mail.save(update_fields=["due_at", "attempts", "last_error"])
    return mail


def is_spent(mail: Mail, now: datetime) -> bool:
    """Tell whether `mail` was tried for long enough."""
    return mail.attempts > LEAST_ATTEMPTS and now - mail.created_at > GIVEN_UP_AFTER


def put_off(mail: Mail, until: datetime) -> None:
    """Let `mail` wait for its hour: that was no try."""
    _put_down(mail, attempts=0, due_at=until)


def back_off(mail: Mail, error: str, now: datetime) -> None:
    """Let `mail` wait for another try, each time twice as long up to an hour."""
    pause = min(FIRST_PAUSE * 2 ** min(mail.attempts - 1, 10), LONGEST_PAUSE)
    _put_down(mail, due_at=now + pause, last_error=error[:80])


def finish(mail: Mail, state: Mail.State, *, error: str = "", sent_at: datetime | None = None) -> None:
    """End the way of `mail`."""
    _put_down(mail, state=state, last_error=error[:80], **({"sent_at": sent_at} if sent_at else {}))


def ours(mail: Mail) -> QuerySet[Mail]:
    """Return the row of `mail` if it is still as the caller took it up."""
    waiting = Mail.objects.filter(state=Mail.State.WAITING)
    return waiting.filter(pk=mail.pk, attempts=mail.attempts, due_at=mail.due_at)


def hurry(now: datetime) -> None:
    """Make due what waits only because the mail server was away: it is back."""
    waiting = Mail.objects.filter(state=Mail.State.WAITING, last_error__startswith=AWAY)
    waiting.filter(due_at__gt=now).update(due_at=now)


def _put_down(mail: Mail, **changes: Any) -> None:
    ours(mail).update(**changes)


def _lock_member(member_id: int) -> bool:
    """Take the lock of a member's digests until the transaction ends; tell whether it was free."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [_LOCK_OF_DIGESTS, member_id])
        return bool(cursor.fetchone()[0])


def _is_held(mail: Mail, now: datetime) -> bool:
    """Tell whether another mail of the same member was taken up since `mail` was read."""
    waiting = Mail.objects.filter(pk=mail.pk, state=Mail.State.WAITING, due_at__lte=now)
    return not waiting.filter(~Exists(_held_of_the_same_member(now))).exists()


def _held_of_the_same_member(now: datetime) -> QuerySet[Mail]:
    waiting = Mail.objects.filter(state=Mail.State.WAITING, kind__in=kinds_for_digests())
    return waiting.filter(member=OuterRef("member"), attempts__gt=0, last_error="", due_at__gt=now)
