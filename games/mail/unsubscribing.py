"""Addresses that make mail come less often, without signing in (RFC 8058)."""

from dataclasses import dataclass

from django.conf import settings
from django.core import signing

from games.accounts.models import User

_SALT = "games.mail.unsubscribe"


@dataclass(frozen=True, slots=True)
class Unsubscription:
    """Whose mails are meant: of one game, or all."""

    member: User
    game_id: int | None


def unsubscribe_url(member: User, game_id: int | None = None) -> str:
    """Return the address that makes mails about a game, or all, come once a day; it stays the same."""
    token = signing.Signer(salt=_SALT).sign_object([member.uuid.hex, game_id])
    return f"{settings.PUBLIC_URL}/mail/unsubscribe/{token}"


def read_unsubscription(token: str) -> Unsubscription | None:
    """Return what `token` stands for, or None if it is not ours or its member is gone."""
    try:
        uuid, game_id = signing.Signer(salt=_SALT).unsign_object(token)
    except signing.BadSignature:
        return None
    member = User.objects.filter(uuid=uuid, is_active=True).first()
    return Unsubscription(member, game_id) if member else None
