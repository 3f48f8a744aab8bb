"""Turn links: addresses in mails that let one member act for one seat, once, without signing in (ADR 13)."""

import re
from datetime import datetime

from django.conf import settings
from django.utils.crypto import constant_time_compare

from games.accounts import capabilities
from games.accounts.capabilities import KeyForgotten
from games.accounts.models import User
from games.play.models import Game, Receipt, TurnLink

DOMAIN = "turn-link/1"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def link_for(game: Game, seat: int, member: User, purpose: str, number: int, *, now: datetime) -> str:
    """Return the address that lets `member` act for `seat`; the same one each time, whoever asks at once.

    A link whose key is not in LINK_KEYS any more opens nothing: the row then gets a new one.
    """
    wanted = {"game": game, "seat": seat, "member": member, "purpose": purpose, "number": number}
    while True:
        link = TurnLink.objects.select_related("game").filter(**wanted).first()
        if link is None:
            # Another worker may be first: then its row is read by the next round.
            TurnLink.objects.bulk_create(
                [TurnLink(**wanted, **_fresh(game, seat, purpose, number), created_at=now)],
                ignore_conflicts=True,
            )
            continue
        token = token_of(link)
        if token is not None:
            return f"{settings.PUBLIC_URL}/t/{token}"
        stale = TurnLink.objects.filter(pk=link.pk, nonce=link.nonce)
        stale.update(**_fresh(game, seat, purpose, number))


def find_link(token: str) -> TurnLink | None:
    """Return what `token` opens, with its game, club and member; None for what no mail of ours carries."""
    if not TOKEN.fullmatch(token):
        return None
    links = TurnLink.objects.select_related("game__club", "member").filter(member__is_active=True)
    link = links.filter(token_hash=capabilities.hash_of(token)).first()
    if link is None:
        return None
    made = token_of(link)
    return link if made is not None and constant_time_compare(made, token) else None


def was_carried_out(link: TurnLink, key: str) -> bool:
    """Tell whether the member's request with this idempotency key is in the log already."""
    return bool(key) and Receipt.objects.filter(game=link.game_id, actor=link.member.uuid, key=key).exists()


def _fresh(game: Game, seat: int, purpose: str, number: int) -> dict[str, str]:
    """Return the columns of a link made anew, with the first of LINK_KEYS."""
    key_id, nonce = capabilities.current_key_id(), capabilities.new_nonce()
    token = capabilities.token_for(DOMAIN, key_id, nonce, game.uuid, seat, purpose, number)
    return {"key_id": key_id, "nonce": nonce, "token_hash": capabilities.hash_of(token)}


def token_of(link: TurnLink) -> str | None:
    """Return the token of a row, None if the key that made it is gone, or another bears its name now."""
    parts = (link.game.uuid, link.seat, link.purpose, link.number)
    try:
        token = capabilities.token_for(DOMAIN, link.key_id, link.nonce, *parts)
    except KeyForgotten:
        return None
    return token if capabilities.hash_of(token) == link.token_hash else None
