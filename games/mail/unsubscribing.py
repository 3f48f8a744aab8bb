"""Addresses that make mail come less often, without signing in (RFC 8058)."""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.core import signing

from games.accounts.models import Cadence, User
from games.accounts.services import change_preferences

_SALT = "games.mail.unsubscribe"


@dataclass(frozen=True, slots=True)
class Games:
    """What the room of games tells of one: its name, and how its mails come as usual again."""

    name: Callable[[int], str]
    restore: Callable[[User, int], None]


_GAMES: list[Games] = []


def register_games(*, name: Callable[[int], str], restore: Callable[[User, int], None]) -> None:
    """Say how games are called, and how fewer mails about one are undone."""
    _GAMES.append(Games(name, restore))


def name_of_game(game_id: int) -> str:
    """Return how a game is called; empty if it is gone."""
    return next((name for games in _GAMES if (name := games.name(game_id))), "")


def restore_mails(*, member: User, game_id: int | None, cadence: str) -> None:
    """Let mails about a game come as usual again, or all with `cadence`: undo what `unsubscribe` did."""
    if game_id is not None:
        for games in _GAMES:
            games.restore(member, game_id)
    elif cadence in Cadence.values:
        change_preferences(user=member, cadence=cadence)


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
