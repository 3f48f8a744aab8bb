"""Kinds of mail for the tests: one that goes at once, one that follows the member's cadence."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy

from games.accounts.models import User
from games.mail.kinds import Content, Kind, Picture, Section
from games.mail.models import Mail
from games.mail.outbox import Draft, enqueue
from tests.builders import NOW

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452")


@dataclass
class Board:
    """What the kinds are told: which keys nobody needs any more, which break, who has another cadence."""

    unwanted: set[str] = field(default_factory=set)
    broken: dict[str, Exception] = field(default_factory=dict)
    cadences: dict[int, str] = field(default_factory=dict)  # by the game in the refs
    content: dict[str, Any] = field(default_factory=dict)
    rendered: list[str] = field(default_factory=list)


def made_of(board: Board) -> dict[str, Kind]:
    def look(mail: Mail) -> bool:
        # Of a test that runs in a transaction there is always one.
        board.rendered.append(mail.key)
        if mail.key in board.broken:
            raise board.broken[mail.key]
        return mail.key not in board.unwanted

    def render(mail: Mail, now: datetime) -> Content | None:
        if not look(mail):
            return None
        words = {
            "subject": gettext_lazy("Monday"),
            "text": f"{gettext_lazy('Monday')} {formats.time_format(timezone.localtime(now), 'H:i')}\n",
            "html": '<html><body><img src="cid:board" alt="a board"></body></html>',
            "pictures": (Picture("board", PNG),),
        }
        return Content(**{**words, **board.content})

    def section(mail: Mail, now: datetime) -> Section | None:
        if not look(mail):
            return None
        return Section(f"About {mail.key}", ("What happened.",), "https://example.org/t/x", "Look")

    def cadence(mail: Mail) -> str:
        assert mail.member is not None
        return board.cadences.get(mail.refs.get("game", 0), mail.member.cadence)

    return {
        "urgent": Kind(render),
        "news": Kind(render, section, cadence),
        "usual": Kind(render, section),
    }


def in_transaction() -> bool:
    return connection.in_atomic_block


def queue(
    key: str,
    member: User | None = None,
    kind: str = "urgent",
    *,
    address: str = "",
    now: datetime = NOW,
    **refs: Any,
) -> Mail:
    """Put one mail into the outbox and return its row."""
    enqueue([Draft(key, kind, member.pk if member else None, address, refs)], now=now)
    return Mail.objects.get(key=key)


def state(key: str) -> str:
    return Mail.objects.get(key=key).state
