"""The private address of a member's calendar: opened, changed and closed by its owner only."""

from django.db import transaction

from games.accounts.capabilities import new_nonce
from games.accounts.models import User


def renew_feed(*, member: User) -> None:
    """Give the calendar of `member` an address, another one than before: the old one shows nothing more."""
    _store(member, new_nonce())


def close_feed(*, member: User) -> None:
    """Let the calendar of `member` have no address."""
    _store(member, "")


@transaction.atomic
def _store(member: User, nonce: str) -> None:
    User.objects.filter(pk=member.pk).update(feed_nonce=nonce)
    member.feed_nonce = nonce
