"""Putting a member's address right when mail to it does not arrive."""

from datetime import datetime

from django.db import transaction

from games.accounts.models import SignInCode, User
from games.clubs.models import Club, Membership, Role
from games.clubs.queries import is_organiser, membership_of
from games.mail.outbox import Draft, enqueue
from games.mail.queries import is_suppressed, mail_health
from games.mail.services import lift_suppression, send_again
from games.mail.suppressing import COMPLAINT


class AddressMayNotBeChanged(PermissionError):
    """The address works as far as the site knows, or the caller does not organise the member's club."""


class AlsoElsewhere(AddressMayNotBeChanged):
    """The member is, or was, in a club too that the organiser does not organise."""


class AddressNotGood(ValueError):
    """The new address is no better: mail to it comes back too, or it is the organiser's own."""


def may_correct(*, organiser: User, club: Club, member: User) -> bool:
    """Tell whether `organiser` may give `member` another address.

    An address signs in, so whoever sets it could be the member. It may be set only by an organiser of a club
    that the member is in, and only while mail to the present one comes back, or there is none: then the
    member cannot be reached and cannot help it. And never by one who does not organise all clubs that the
    member is or was in: anybody may found a club, and would read the games of the others. A password, tokens
    and sessions stay as they are; codes go to the new address only after a day (`services.CODES_WAIT`), and
    a code never stands for the old password there (`views.has_proved_address`).
    """
    return needs_correction(organiser=organiser, club=club, member=member) and not is_elsewhere(
        organiser=organiser, member=member
    )


def needs_correction(*, organiser: User, club: Club, member: User) -> bool:
    """Tell whether mail does not reach `member`, so that `organiser` of the club should see to it."""
    if not is_organiser(organiser, club) or membership_of(member, club) is None or organiser == member:
        return False
    return not member.email or mail_health(member).suppressed not in ("", COMPLAINT)


def is_elsewhere(*, organiser: User, member: User) -> bool:
    """Tell whether `member` is, or was, in a club that `organiser` does not organise."""
    own = Membership.objects.filter(user=organiser, role=Role.ORGANISER, left_at__isnull=True)
    return Membership.objects.filter(user=member).exclude(club__in=own.values("club")).exists()


def correct_address(*, organiser: User, club: Club, member: User, email: str, now: datetime) -> User:
    """Give `member` another address and tell both addresses; codes that were mailed to the old one end.

    Raises AddressMayNotBeChanged, AlsoElsewhere, AddressNotGood.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=member.pk)
        if not needs_correction(organiser=organiser, club=club, member=locked):
            raise AddressMayNotBeChanged
        if is_elsewhere(organiser=organiser, member=locked):
            raise AlsoElsewhere
        old = locked.email
        if email.lower() == organiser.email.lower() or email.lower() == old.lower() or is_suppressed(email):
            raise AddressNotGood
        locked.email, locked.address_set_at = email, now
        locked.save(update_fields=["email", "address_set_at"])
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
    if not needs_correction(organiser=organiser, club=club, member=member):
        raise AddressMayNotBeChanged
    return lift_suppression(address=member.email, now=now)
