"""Addresses that get nothing any more, and how they get mail again."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from games.accounts.attempts import take_attempt
from games.accounts.models import SignInAttempt, User
from games.mail.models import Mail, Suppression

SUPPRESSED = "suppressed"
NO_ADDRESS = "no address"
REFUSED, BOUNCED, COMPLAINT = "refused", "bounced", "complaint"
# Mails that may have come back without telling which they were: sent so long before we heard of it, or after.
BOUNCES_TAKE = timedelta(days=2)
# Nobody waits for older mail any more.
STILL_NEWS = timedelta(days=30)


def suppress(*, address: str, reason: str, now: datetime) -> None:
    """Send nothing to `address` any more; what was first said of it stays, but for a reader's complaint.

    Codes still go to a reader who has complained; once there is no such mailbox either, nothing does.
    """
    told, is_new = Suppression.objects.get_or_create(
        address=address.lower()[:254], defaults={"reason": reason, "since": now}
    )
    if not is_new and told.reason == COMPLAINT != reason:
        Suppression.objects.filter(pk=told.pk).update(reason=reason, since=now)


def lift_suppression(*, address: str, now: datetime) -> bool:
    """Send to `address` again, also what it did not get meanwhile; tell whether it was suppressed."""
    with transaction.atomic():
        found = Suppression.objects.select_for_update().filter(address=address.lower()).first()
        if found is None:
            return False
        there = Q(member__in=User.objects.filter(email__iexact=address))
        there |= Q(member=None, address__iexact=address)
        _revive(there, since=_lost_since(found), now=now)
        found.delete()
    return True


def mail_again(*, member: User, now: datetime) -> bool:
    """Let mail go to the address of `member`, who is signed in and says so; tell whether it was held up.

    Once a day: raises TooManyAttempts, lest mail that comes back be sent again and again.
    """
    with transaction.atomic():
        if not Suppression.objects.filter(address=member.email.lower()).exists():
            return False
        take_attempt(
            kind=SignInAttempt.Kind.LINKS,
            key=f"again:{member.uuid}",
            limit=1,
            window=timedelta(days=1),
            now=now,
        )
        return lift_suppression(address=member.email, now=now)


def send_again(*, member: User, old_address: str, now: datetime) -> None:
    """Send to a member's new address what the old one did not get: call it once it is changed."""
    with transaction.atomic():
        found = Suppression.objects.filter(address=old_address.lower()).first()
        _revive(Q(member=member), since=_lost_since(found) if found else None, now=now)


def _lost_since(suppression: Suppression) -> datetime | None:
    """Return since when mails may have come back; None where the server's word was immediate."""
    return suppression.since - BOUNCES_TAKE if suppression.reason == BOUNCED else None


def _revive(whose: Q, *, since: datetime | None, now: datetime) -> None:
    """Queue again what did not arrive; whether it is still wanted is decided when it is sent."""
    lost = Q(state=Mail.State.FAILED) & (
        Q(last_error__in=[SUPPRESSED, NO_ADDRESS]) | Q(last_error__startswith=f"{REFUSED}:")
    )
    if since is not None:
        lost |= Q(state=Mail.State.SENT, sent_at__gte=since)
    Mail.objects.filter(whose, lost, created_at__gte=now - STILL_NEWS).update(
        state=Mail.State.WAITING, due_at=now, attempts=0, last_error=""
    )
