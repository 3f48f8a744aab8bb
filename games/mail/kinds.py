"""The kinds of mail: each room registers how its own are rendered, when its app is ready."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from games.accounts.models import User
from games.mail.models import Mail


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG within a mail, shown as `<img src="cid:{name}">`."""

    name: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Content:
    """A rendered mail in the language of its reader; `html` is empty where only text is wanted.

    `thread` names what mails of one conversation have in common; `list_id` is a name below the site's host;
    `unsubscribe` is the address that ends such mail, without signing in (RFC 8058).
    """

    subject: str
    text: str
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    thread: str = ""
    list_id: str = ""
    unsubscribe: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A mail as part of a digest: a title, a few lines and one link."""

    title: str
    lines: tuple[str, ...]
    link: str
    action: str


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of mail is rendered, at the time of sending; None when it is not wanted any more.

    `section` gives it as part of a digest; without one it is never kept for a digest.
    `cadence` tells how often the member wants such mail, if not as usual.
    Rendering happens in the member's language and zone, outside any transaction.
    """

    render: Callable[[Mail, datetime], Content | None]
    section: Callable[[Mail, datetime], Section | None] | None = None
    cadence: Callable[[Mail], str] | None = None


KINDS: dict[str, Kind] = {}


def register(kinds: Mapping[str, Kind]) -> None:
    """Add kinds of mail; raises ValueError for a name that is taken."""
    for name, kind in kinds.items():
        if name in KINDS:
            raise ValueError(f"mail of kind {name} is registered already")
        KINDS[name] = kind


def kinds_for_digests() -> list[str]:
    """Return the names of the kinds that may be part of a digest."""
    return [name for name, kind in KINDS.items() if kind.section is not None]


_QUIETEN: list[Callable[[User, int | None], None]] = []


def register_unsubscribe(quieten: Callable[[User, int | None], None]) -> None:
    """Add what makes the mails of a game, or of all games, come once a day for a member."""
    _QUIETEN.append(quieten)


def quieten(member: User, game_id: int | None) -> None:
    """Let every room that sends mail send less of it to `member`, about one game or all."""
    for function in _QUIETEN:
        function(member, game_id)
