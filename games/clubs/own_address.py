"""Members change their own address: once a link that was mailed to the new one is opened and agreed to."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction

from games.accounts.attempts import take_attempt
from games.accounts.models import SignInAttempt, SignInCode, User
from games.mail.models import Mail
from games.mail.outbox import Draft, enqueue
from games.mail.queries import is_suppressed
from games.mail.services import send_again

LINK_LIFE = timedelta(hours=1)
REQUESTS_AN_HOUR = 5
_SALT = "clubs.own-address/1"


class SameAddress(ValueError):
    """The address is the member's own already."""


class AddressTakesNoMail(ValueError):
    """Mail to the new address comes back."""


class LinkNotGood(ValueError):
    """The link is none of ours, too old, or the address has changed since it was asked for."""


@dataclass(frozen=True, slots=True)
class NewAddress:
    """Whose address is to become which."""

    member: User
    old: str
    new: str


def ask_for_address(*, member: User, email: str, now: datetime) -> None:
    """Mail a link to `email` that makes it the member's address; nothing changes before it is agreed to.

    Raises SameAddress, AddressTakesNoMail, and TooManyAttempts for the sixth wish within an hour.
    """
    if email == member.email:
        raise SameAddress
    with transaction.atomic():
        take_attempt(
            kind=SignInAttempt.Kind.LINKS,
            key=f"address:{member.uuid}",
            limit=REQUESTS_AN_HOUR,
            window=timedelta(hours=1),
            now=now,
        )
    if is_suppressed(email):
        raise AddressTakesNoMail
    # A second click within a second asks for the same mail.
    key = f"confirm:{member.uuid}:{int(now.timestamp())}"
    with transaction.atomic():
        enqueue([Draft(key, "confirm", address=email, refs={"about": member.pk})], now=now)


def token_of(mail: Mail, member: User) -> str:
    """Return what the link of a mail of kind `confirm` carries: the same whenever the mail is rendered."""
    asked_at = int(mail.created_at.timestamp())
    return _signer().sign_object([member.uuid.hex, member.email, mail.address, asked_at])


def read_token(token: str, *, now: datetime) -> NewAddress:
    """Return what a link asks for, or raise LinkNotGood."""
    try:
        uuid, old, new, asked_at = _signer().unsign_object(token)
    except signing.BadSignature:
        raise LinkNotGood from None
    if now.timestamp() - asked_at > LINK_LIFE.total_seconds():
        raise LinkNotGood
    member = User.objects.filter(uuid=uuid, is_active=True, email=old).first()
    if member is None:
        raise LinkNotGood
    return NewAddress(member, old, new)


def set_own_address(*, token: str, now: datetime) -> User:
    """Make the address that a link was mailed to the member's, and tell the old one; raises LinkNotGood.

    Codes that were mailed to the old address end. What may keep a code from standing for a password stays.
    """
    asked = read_token(token, now=now)
    with transaction.atomic():
        member = User.objects.select_for_update(no_key=True).get(pk=asked.member.pk)
        if member.email != asked.old:
            raise LinkNotGood
        member.email = asked.new
        member.save(update_fields=["email"])
        SignInCode.objects.filter(user=member, used_at__isnull=True).delete()
        if asked.old:
            key = f"address:{member.uuid}:{int(now.timestamp())}:old"
            refs = {"about": member.pk, "by": member.pk, "is_old": True}
            enqueue([Draft(key, "address", address=asked.old, refs=refs)], now=now)
    send_again(member=member, old_address=asked.old, now=now)
    return member


def _signer() -> signing.Signer:
    # Two signs that mail programs leave in a link, and that are in no part of it.
    return signing.Signer(salt=_SALT, sep=".")
