"""Mailing members the turn links of all their games, on their own wish or on that of somebody unknown."""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from games.accounts.attempts import TooManyAttempts, take_attempt
from games.accounts.models import SignInAttempt, User
from games.accounts.services import as_typed, members_called_any
from games.mail.outbox import Draft, enqueue
from games.play.models import LinkRequest

logger = logging.getLogger(__name__)

REQUESTS_AN_HOUR = 5
MAILS_AN_HOUR = 5
REQUEST_LIFE = timedelta(minutes=15)
REQUESTS_AT_ONCE = 1000


def mail_links(*, member: User, now: datetime) -> None:
    """Mail `member` the links of all games that wait for them; raises TooManyAttempts."""
    with transaction.atomic(durable=True):
        _mail(member, now)


def request_links(*, who: str, now: datetime) -> None:
    """Note that links are wanted under this name or address, of a member or of nobody.

    Nothing here looks for members, so that neither the answer nor its time can tell of any; `meet_requests`
    does. Raises TooManyAttempts for what was typed too often within an hour.
    """
    typed = as_typed(who)
    with transaction.atomic(durable=True):
        _count(f"typed:{typed}", REQUESTS_AN_HOUR, now)
        LinkRequest.objects.create(who=typed, requested_at=now)


def meet_requests(*, now: datetime) -> bool:
    """Mail links to every member whom the oldest requests mean; False if none waits.

    However many names of nobody are among them, they cost one query and are deleted at once. After
    REQUEST_LIFE nobody sits and waits any more.
    """
    with transaction.atomic(durable=True):
        oldest = LinkRequest.objects.select_for_update(skip_locked=True).order_by("pk")[:REQUESTS_AT_ONCE]
        requests = list(oldest)
        fresh = [request.who for request in requests if request.requested_at > now - REQUEST_LIFE]
        for member in members_called_any(fresh):
            try:
                _mail(member, now)
            except TooManyAttempts:
                logger.info("A member has asked for links too often and is sent none")
        LinkRequest.objects.filter(pk__in=[request.pk for request in requests]).delete()
    return bool(requests)


def _mail(member: User, now: datetime) -> None:
    _count(f"member:{member.uuid}", MAILS_AN_HOUR, now)
    # A second click within a second asks for the same mail.
    key = f"links:{member.uuid}:{int(now.timestamp())}"
    enqueue([Draft(key, "links", member_id=member.pk)], now=now)


def _count(key: str, limit: int, now: datetime) -> None:
    kind = SignInAttempt.Kind.LINKS
    take_attempt(kind=kind, key=key[:254], limit=limit, window=timedelta(hours=1), now=now)
