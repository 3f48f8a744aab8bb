"""What became of mails, and who gets none."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, Max, OuterRef, QuerySet
from django.db.models.functions import Lower

from games.accounts.models import User
from games.mail.models import Mail, Suppression
from games.mail.suppressing import COMPLAINT

OVERDUE_AFTER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class MailHealth:
    """Whether mail reaches a member; `failed` counts what was given up since the last that went out.

    `suppressed` says why nothing is sent to the address, and is empty while it is sent to.
    """

    last_sent_at: datetime | None
    waiting: int
    failed: int
    suppressed: str
    suppressed_since: datetime | None

    @property
    def is_well(self) -> bool:
        return not (self.failed or self.suppressed)


@dataclass(frozen=True, slots=True)
class OutboxHealth:
    """How the outbox of the whole site is doing; `overdue` mails are held up by something."""

    waiting: int
    overdue: int
    failed_lately: int
    suppressed: int


def is_suppressed(address: str) -> bool:
    """Tell whether nothing is sent to this address."""
    return Suppression.objects.filter(address=address.lower()).exists()


def takes_no_codes(address: str) -> bool:
    """Tell whether codes are not sent there either: mail came back. Who called ours spam has now asked."""
    return Suppression.objects.filter(address=address.lower()).exclude(reason=COMPLAINT).exists()


def suppressed_members(members: QuerySet[User] | Iterable[int]) -> QuerySet[User]:
    """Return those of `members` (a query, or ids) who get no mail, since their address takes none."""
    asked = members if isinstance(members, QuerySet) else User.objects.filter(pk__in=list(members))
    told = Suppression.objects.filter(address=OuterRef("lower_email"))
    return asked.exclude(email="").annotate(lower_email=Lower("email")).filter(Exists(told))


def mail_health(member: User) -> MailHealth:
    """Return whether mail reaches `member`."""
    mails = Mail.objects.filter(member=member)
    last = mails.aggregate(last=Max("sent_at"))["last"]
    failed = mails.filter(state=Mail.State.FAILED)
    if last is not None:
        failed = failed.filter(created_at__gt=last)
    suppression = Suppression.objects.filter(address=member.email.lower()).first() if member.email else None
    return MailHealth(
        last_sent_at=last,
        waiting=mails.filter(state=Mail.State.WAITING).count(),
        failed=failed.count(),
        suppressed=suppression.reason if suppression else "",
        suppressed_since=suppression.since if suppression else None,
    )


def outbox_health(now: datetime) -> OutboxHealth:
    """Return how many mails of the site wait, are held up, or were given up within a week."""
    waiting = Mail.objects.filter(state=Mail.State.WAITING)
    failed = Mail.objects.filter(state=Mail.State.FAILED, created_at__gt=now - timedelta(days=7))
    return OutboxHealth(
        waiting=waiting.count(),
        overdue=waiting.filter(due_at__lt=now - OVERDUE_AFTER).count(),
        failed_lately=failed.count(),
        suppressed=Suppression.objects.count(),
    )


def last_sent(key: str) -> datetime | None:
    """Return when the mail called `key` went out, by itself or in a digest; None if it has not."""
    mail = _carrier_of(key)
    return mail.sent_at if mail is not None and mail.state == Mail.State.SENT else None


def state_of(key: str) -> str | None:
    """Return the state of the mail called `key`, of its digest's if one carries it; None if there is none."""
    mail = _carrier_of(key)
    return mail.state if mail is not None else None


def _carrier_of(key: str) -> Mail | None:
    mail = Mail.objects.select_related("within").filter(key=key).first()
    return mail.within if mail is not None and mail.state == Mail.State.CARRIED else mail
