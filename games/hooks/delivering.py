"""Posting news: pulled from the outbox of mails, signed as Standard Webhooks says, tried for three days."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Max, OuterRef, Q, Subquery
from standardwebhooks import Webhook as Signer

from games.accounts.capabilities import KeyForgotten
from games.hooks.addresses import NotReachable
from games.hooks.models import Delivery, Webhook
from games.hooks.posting import post
from games.hooks.telling import told

# Above the time limit of the task: whoever holds a row longer is dead.
LEASE = timedelta(minutes=2)
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)
KEEPS_TRYING = timedelta(days=3)
STOPPED_AFTER = timedelta(days=7)
KEPT = timedelta(days=30)
LOOKS_BACK = timedelta(days=2)
"""A turn whose transaction takes longer than that to commit does not ring."""
GONE = 410
# A run begins nothing later than that: with the one that is under way it takes ten seconds at most.
RUN_SECONDS = 5.0
_LOCK_OF_RUNS = 0x5E90_0001

# Looks for what is not there rather than beyond the last row seen: rows appear in the order of commits.
_PULL = """
INSERT INTO hooks_delivery (uuid, webhook_id, key, kind, refs, state, attempts, happened_at,
                            created_at, due_at, until, last_error)
SELECT gen_random_uuid(), hook.id, mail.key, 'turn.started', mail.refs, 'waiting', 0, mail.created_at,
       %(now)s, %(now)s, %(until)s, ''
FROM hooks_webhook AS hook
JOIN accounts_user AS member ON member.id = hook.member_id AND member.is_active
JOIN mail_mail AS mail ON mail.member_id = hook.member_id
WHERE hook.is_active AND mail.kind = 'turn'
  AND mail.created_at > GREATEST(hook.active_since, %(since)s)
  AND NOT EXISTS (SELECT FROM hooks_delivery AS done WHERE done.webhook_id = hook.id AND done.key = mail.key)
ON CONFLICT (webhook_id, key) DO NOTHING
"""


def pull_news(*, now: datetime) -> int:
    """Make a delivery of every turn that began for a member with a webhook; return how many are new."""
    with connection.cursor() as cursor:
        cursor.execute(_PULL, {"now": now, "until": now + KEEPS_TRYING, "since": now - LOOKS_BACK})
        return int(cursor.rowcount)


def run(*, now: Callable[[], datetime]) -> int:
    """Post what is due, for some seconds; return how many were posted or dropped, 0 while another run lasts.

    One run at a time, whatever the number of workers: silent receivers hold one of them, for ten seconds.
    """
    ends, count = time.monotonic() + RUN_SECONDS, 0
    with _alone() as is_alone:
        if is_alone:
            pull_news(now=now())
            while time.monotonic() < ends and deliver_one(now=now()):
                count += 1
    return count


@contextmanager
def _alone() -> Iterator[bool]:
    """Hold the lock of runs if it is free; it is free again when the connection of whoever held it ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK_OF_RUNS])
        is_alone = bool(cursor.fetchone()[0])
    try:
        yield is_alone
    finally:
        if is_alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK_OF_RUNS])


def deliver_one(*, now: datetime) -> bool:
    """Post a delivery that is due, of the member whose webhooks were asked least lately; False if none is.

    Nothing is locked while the receiver thinks. Whoever is killed meanwhile leaves the row leased, and the
    next posts it again under the same name.
    """
    delivery = _take_up(now)
    if delivery is None:
        return False
    data = told(delivery)
    if data is None or not delivery.webhook.is_active:
        _put_down(delivery, state=Delivery.State.DROPPED)
        return True
    body = json.dumps(
        {"type": delivery.kind, "timestamp": delivery.happened_at.isoformat(), "data": data},
        ensure_ascii=False,
    )
    status, error = None, ""
    try:
        headers = _signed(delivery, body, now)
        status = post(delivery.webhook.url, body.encode(), headers)
    except NotReachable as refusal:
        error = refusal.code
    except KeyForgotten:
        error = "key_forgotten"
    if status is not None and 200 <= status < 300:
        _succeed(delivery, status, now)
    else:
        _fail(delivery, status, error, now)
    return True


def delete_old(*, now: datetime) -> int:
    """Delete deliveries that nobody asks for any more; return how many rows went."""
    deleted, _ = Delivery.objects.filter(created_at__lt=now - KEPT).delete()
    return deleted


def _take_up(now: datetime) -> Delivery | None:
    own = Webhook.objects.filter(member=OuterRef("webhook__member")).values("member")
    with transaction.atomic(durable=True):
        delivery = (
            Delivery.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("webhook__member")
            .alias(asked=Subquery(own.annotate(last=Max("asked_at")).values("last")))
            .filter(Q(webhook__rests_until=None) | Q(webhook__rests_until__lte=now))
            .filter(state=Delivery.State.WAITING, due_at__lte=now)
            .order_by(F("asked").asc(nulls_first=True), "due_at", "pk")
            .first()
        )
        if delivery is not None:
            delivery.attempts += 1
            delivery.due_at = now + LEASE
            delivery.save(update_fields=["attempts", "due_at"])
            Webhook.objects.filter(pk=delivery.webhook_id).update(asked_at=now)
    return delivery


def _signed(delivery: Delivery, body: str, now: datetime) -> dict[str, str]:
    signature = Signer(delivery.webhook.secret).sign(delivery.message_id, now, body)
    return {
        "Content-Type": "application/json",
        "User-Agent": "sequence-by-correspondence",
        "webhook-id": delivery.message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }


def _succeed(delivery: Delivery, status: int, now: datetime) -> None:
    with transaction.atomic():
        _put_down(
            delivery, state=Delivery.State.DELIVERED, last_status=status, last_error="", delivered_at=now
        )
        Webhook.objects.filter(pk=delivery.webhook_id).update(failing_since=None, rests_until=None)


def _fail(delivery: Delivery, status: int | None, error: str, now: datetime) -> None:
    pause = min(FIRST_PAUSE * 2 ** min(delivery.attempts - 1, 10), LONGEST_PAUSE)
    is_spent = now + pause > delivery.until
    with transaction.atomic():
        _put_down(
            delivery,
            state=Delivery.State.FAILED if is_spent else Delivery.State.WAITING,
            due_at=now + pause,
            last_status=status,
            last_error=error,
        )
        hook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
        if hook is None:
            return
        hook.failing_since = hook.failing_since or now
        if hook.is_active and (status == GONE or now - hook.failing_since > STOPPED_AFTER):
            hook.is_active, hook.stopped_at = False, now
        # One that keeps others waiting is not asked again for each of its deliveries, old or new: it rests
        # for as long as it has failed.
        hook.rests_until = now + min(max(now - hook.failing_since, FIRST_PAUSE), LONGEST_PAUSE)
        hook.save(update_fields=["failing_since", "is_active", "stopped_at", "rests_until"])


def _put_down(delivery: Delivery, **changes: object) -> None:
    """Change the row if it is still as the caller took it up."""
    ours = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts, due_at=delivery.due_at)
    ours.filter(state=Delivery.State.WAITING).update(**changes)
