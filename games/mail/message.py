"""From content to a message: what every mail server and every mail program understands."""

import hashlib
import re
from datetime import datetime
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.utils import format_datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, SafeMIMEMultipart

from games.mail.kinds import Content, Picture

LONGEST_LINE = 900  # bytes; servers take 998
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\s]+")
_NOT_OF_A_NAME = re.compile(r"[^a-z0-9.-]+")


class Letter(EmailMultiAlternatives):
    """A message whose pictures stand beside the HTML that shows them, so that no program lists them as files.

    Providers that take no MIME (anymail) read the same parts as attachments with a Content-ID.
    """

    def message(self) -> Any:  # type: ignore[override] # the stubs are of the Django to come
        whole = super().message()
        # Addresses to unsubscribe are long; not all programs read one that stands on a line of its own.
        whole.policy = whole.policy.clone(max_line_length=LONGEST_LINE)
        return whole

    def _create_message(self, msg: Any) -> Any:
        whole = self._create_alternatives(msg)  # type: ignore[attr-defined]
        if self.attachments:
            html = whole.get_payload()[-1]
            related: MIMEMultipart = SafeMIMEMultipart(_subtype="related", encoding="utf-8")
            related.set_param("type", "text/html")
            for part in (html, *self.attachments):
                related.attach(part)
            whole.set_payload([*whole.get_payload()[:-1], related])
        return whole


def letter(content: Content, *, key: str, name: str, address: str, text_only: bool, now: datetime) -> Letter:
    """Return the message that says `content` to somebody; the same `key` always gives the same Message-ID."""
    message_id = _id_of(key)
    message = Letter(
        subject=one_line(content.subject),
        body=str(content.text),
        to=[_mailbox(name, address)],
        headers=_headers(content, message_id, now),
    )
    if content.html and not text_only:
        html = str(content.html)
        for picture in content.pictures:
            # Some programs keep pictures by their id, across mails.
            content_id = f"{picture.name}.{message_id}"
            html = html.replace(f"cid:{picture.name}", f"cid:{content_id}")
            message.attach(_part(picture, content_id))
        message.attach_alternative(html, "text/html")
    return message


def one_line(text: str) -> str:
    """Return `text` fit for a header: names of members and games are in it."""
    return _CONTROL.sub(" ", str(text)).strip()


def _headers(content: Content, message_id: str, now: datetime) -> dict[str, str]:
    headers = {
        "Message-ID": f"<{message_id}>",
        "Date": format_datetime(now),
        "Auto-Submitted": "auto-generated",
        # What Exchange reads in its place. Not "All": bounces are wanted.
        "X-Auto-Response-Suppress": "OOF, AutoReply",
    }
    if content.thread:
        root = f"<{_id_of(f'thread:{content.thread}')}>"
        headers |= {"References": root, "In-Reply-To": root}
    if content.list_id:
        headers["List-Id"] = f"<{_NOT_OF_A_NAME.sub('-', content.list_id.lower())}.{_host()}>"
    if content.unsubscribe:
        headers["List-Unsubscribe"] = f"<{content.unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def _part(picture: Picture, content_id: str) -> MIMEBase:
    part = MIMEImage(picture.png, "png")
    part.add_header("Content-ID", f"<{content_id}>")
    part.add_header("Content-Disposition", "inline", filename=f"{picture.name}.png")
    return part


def _mailbox(name: str, address: str) -> str:
    quoted = one_line(name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}" <{address}>' if quoted else address


def _id_of(key: str) -> str:
    return f"{hashlib.sha256(key.encode()).hexdigest()[:32]}@{_host()}"


def _host() -> str:
    return urlsplit(settings.PUBLIC_URL).hostname or "localhost"
