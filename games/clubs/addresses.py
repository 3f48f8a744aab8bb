"""Putting a member's address right when mail to it does not arrive."""

from datetime import datetime

from django.db import transaction

from games.accounts.models import SignInCode, User
from games.clubs.models import Club
from games.clubs.queries import is_organiser, membership_of
from games.mail.outbox import Draft, enqueue
from games.mail.queries import is_suppressed, mail_health
from games.mail.services import lift_suppression, send_again
from games.mail.suppressing import COMPLAINT


class AddressMayNotBeChanged(PermissionError):
    """The address works as far as the site knows, or the caller does not organise the member's club."""


class AddressNotGood(ValueError):
    """The new address is no better: mail to it comes back too, or it is the organiser's own."""


def may_correct(*, organiser: User, club: Club, member: User) -> bool:
    """Tell whether `organiser` may give `member` another address.

    An address signs in, so whoever sets it could be the member. It may be set only by an organiser of a club
    that the member is in, and only while mail to the present one comes back, or there is none: then the
    member cannot be reached and cannot help it. A password, tokens and sessions stay as they are.
    """
    if not is_organiser(organiser, club) or membership_of(member, club) is None or organiser == member:
        return False
    return not member.email or mail_health(member).suppressed not in ("", COMPLAINT)


def correct_address(*, organiser: User, club: Club, member: User, email: str, now: datetime) -> User:
    """Give `member` another address and tell both addresses; codes that were mailed to the old one end.

    Raises AddressMayNotBeChanged, AddressNotGood.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=member.pk)
        if not may_correct(organiser=organiser, club=club, member=locked):
            raise AddressMayNotBeChanged
        old = locked.email
        if email.lower() == organiser.email.lower() or email.lower() == old.lower() or is_suppressed(email):
            raise AddressNotGood
        locked.email = email
        locked.save(update_fields=["email"])
        SignInCode.objects.filter(user=locked, used_at__isnull=True).delete()
        refs = {"about": locked.pk, "by": organiser.pk, "club": club.pk}
        number = int(now.timestamp())
        enqueue(
            [
                Draft(
                    f"address:{locked.uuid}:{number}:{which}",
                    "address",
                    address=address,
                    refs=refs | {"is_old": which == "old"},
                )
                for which, address in (("old", old), ("new", email))
                if address
            ],
            now=now,
        )
    send_again(member=locked, old_address=old, now=now)
    return locked


def try_again(*, organiser: User, club: Club, member: User, now: datetime) -> bool:
    """Let mail go to the address that it came back from, since its mailbox is in order again.

    Raises AddressMayNotBeChanged; returns whether anything was held up.
    """
    if not may_correct(organiser=organiser, club=club, member=member):
        raise AddressMayNotBeChanged
    return lift_suppression(address=member.email, now=now)
