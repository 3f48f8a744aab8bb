"""Counting tries exactly, in one statement of the database, however many come at once."""

import math
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import F
from django.utils.translation import ngettext

from games.accounts.models import SignInAttempt

_TAKE = """
INSERT INTO accounts_signinattempt AS tried (kind, key, since, count) VALUES (%(kind)s, %(key)s, %(now)s, 1)
ON CONFLICT (kind, key) DO UPDATE SET
    count = CASE WHEN tried.since <= %(cutoff)s THEN 1 ELSE tried.count + 1 END,
    since = CASE WHEN tried.since <= %(cutoff)s THEN %(now)s ELSE tried.since END
WHERE tried.since <= %(cutoff)s OR tried.count < %(limit)s
RETURNING count
"""


class TooManyAttempts(Exception):
    def __init__(self, retry_seconds: int) -> None:
        words = ngettext(
            "Too many tries; the next is possible in %(seconds)s second.",
            "Too many tries; the next is possible in %(seconds)s seconds.",
            retry_seconds,
        )
        super().__init__(words % {"seconds": str(retry_seconds)})
        self.retry_seconds = retry_seconds


def take_attempt(*, kind: SignInAttempt.Kind, key: str, limit: int, window: timedelta, now: datetime) -> None:
    """Count one try of `key`, or raise TooManyAttempts when `limit` were made within `window`.

    The window opens with the first try. Call it in a transaction of its own: a refusal later on must not
    take the count back.
    """
    values: dict[str, str | int | datetime] = {
        "kind": kind.value,
        "key": key,
        "now": now,
        "cutoff": now - window,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, values)
        if cursor.fetchone() is not None:
            return
    since = SignInAttempt.objects.values_list("since", flat=True).get(kind=kind, key=key)
    raise TooManyAttempts(max(1, math.ceil((since + window - now).total_seconds())))


def give_back_attempt(*, kind: SignInAttempt.Kind, key: str) -> None:
    """Count one try less, since it was a success: its count then tells of failures only."""
    SignInAttempt.objects.filter(kind=kind, key=key, count__gt=0).update(count=F("count") - 1)


def forget_attempts(*, kind: SignInAttempt.Kind, key: str) -> None:
    """Start the count of `key` anew, after a success."""
    SignInAttempt.objects.filter(kind=kind, key=key).delete()
