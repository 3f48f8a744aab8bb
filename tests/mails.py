"""Mails for tests: rows of the outbox rendered as they are when they are sent."""

from datetime import datetime

from django.utils import timezone, translation

from games.mail.kinds import KINDS, Content, Section
from games.mail.models import Mail
from tests.builders import NOW


def waiting(kind: str, **refs: int) -> list[Mail]:
    """Return the mails of a kind in the outbox, oldest first."""
    found = Mail.objects.filter(kind=kind, **{f"refs__{name}": value for name, value in refs.items()})
    return list(found.select_related("member").order_by("pk"))


def rendered(mail: Mail, now: datetime = NOW) -> Content | None:
    """Return what would be sent for `mail`, in the language and zone of its reader."""
    member = mail.member
    with (
        translation.override(member.language if member else "en"),
        timezone.override(member.zone if member else "UTC"),
    ):
        return KINDS[mail.kind].render(mail, now)


def section(mail: Mail, now: datetime = NOW) -> Section | None:
    """Return what a digest would tell of `mail`."""
    give, member = KINDS[mail.kind].section, mail.member
    assert give is not None
    assert member is not None
    with translation.override(member.language), timezone.override(member.zone):
        return give(mail, now)


def letter(mail: Mail, now: datetime = NOW) -> Content:
    """Return what would be sent for `mail`, which must be wanted."""
    content = rendered(mail, now)
    assert content is not None
    return content
