"""Counting tries exactly, in one statement of the database, however many come at once."""

import math
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from games.accounts.models import SignInAttempt

WISHES_OF_AN_ADDRESS = 30
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


def take_attempt_from(address: str, *, what: str, now: datetime) -> None:
    """Count a wish for mail that comes from a network address; TooManyAttempts above 30 an hour.

    `address` is what `network_of` gives; it is stored as a keyed hash. None is counted for an empty one.
    """
    if not address:
        return
    hashed = salted_hmac("accounts.attempts-from", address, algorithm="sha256").hexdigest()
    with transaction.atomic():
        take_attempt(
            kind=SignInAttempt.Kind.LINKS,
            key=f"{what} from:{hashed}",
            limit=WISHES_OF_AN_ADDRESS,
            window=timedelta(hours=1),
            now=now,
        )


def network_of(request: HttpRequest) -> str:
    """Return where a request comes from, as far as TRUSTED_PROXIES tells; of IPv6 the network of 64 bits.

    Empty for an address that is not in the internet: behind a proxy that the settings do not know, all
    come from there, and one that asks too often would stop everybody.
    """
    told = request.META.get("REMOTE_ADDR", "")
    passed_on = request.META.get("HTTP_X_FORWARDED_FOR")
    if settings.TRUSTED_PROXIES and passed_on:
        passed = passed_on.split(",")
        told = passed[-min(settings.TRUSTED_PROXIES, len(passed))].strip()
    try:
        address = ip_address(told)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if not address.is_global:
        return ""
    bits = 64 if address.version == 6 else 32
    return str(ip_network(f"{address}/{bits}", strict=False))


def give_back_attempt(*, kind: SignInAttempt.Kind, key: str) -> None:
    """Count one try less, since it was a success: its count then tells of failures only."""
    SignInAttempt.objects.filter(kind=kind, key=key, count__gt=0).update(count=F("count") - 1)


def forget_attempts(*, kind: SignInAttempt.Kind, key: str) -> None:
    """Start the count of `key` anew, after a success."""
    SignInAttempt.objects.filter(kind=kind, key=key).delete()
