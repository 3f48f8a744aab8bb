"""From a row of the outbox to a message, in the language and the zone of its reader."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.conf import settings
from django.utils import timezone, translation

from games.accounts.models import User
from games.mail.kinds import KINDS
from games.mail.message import Letter, letter
from games.mail.models import Mail


@contextmanager
def speaking_to(reader: User | None) -> Iterator[None]:
    """Speak the language and use the zone of `reader`; of nobody in particular, the site's."""
    language = reader.language if reader else settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(reader.zone if reader else None):
        yield


def render(mail: Mail, now: datetime) -> Letter | None:
    """Return `mail` as it is to be sent now, or None if it is not wanted any more.

    Also what its kind left to be translated later is translated here: no mail is in two languages. A kind
    that writes to addresses of nobody chooses the language itself.
    """
    reader = mail.member
    with speaking_to(reader):
        content = KINDS[mail.kind].render(mail, now)
        if content is None:
            return None
        return letter(
            content,
            key=mail.key,
            name=reader.name if reader else "",
            address=address_of(mail),
            text_only=reader.wants_text_only if reader else False,
            now=now,
        )


def address_of(mail: Mail) -> str:
    return mail.member.email if mail.member else mail.address
