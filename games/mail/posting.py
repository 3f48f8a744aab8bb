"""Handing messages to the mail server, and what its refusals mean."""

import re
import smtplib
from contextlib import suppress
from types import TracebackType
from typing import Any

from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused
from celery.exceptions import SoftTimeLimitExceeded
from django.core.mail import get_connection
from django.core.mail.backends.smtp import EmailBackend as SmtpBackend

from games.mail.message import Letter

SERVICE_NOT_AVAILABLE = 421
# What a provider's server answers when none of our mails would do better just now.
NOT_OURS_TO_SEND = {401, 403, 429}
# RFC 3463: no such mailbox, no such host, bad syntax, moved away, takes no mail. Not 5.2.1, "disabled": large
# providers say it of a mailbox that gets too much mail just now.
NO_MAILBOX = {"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"}
# Servers that give no such code say in words that they dislike the sender, or that the mailbox is full.
_NOT_OF_THE_MAILBOX = re.compile(
    r"block|black ?list|\bd?n?s?[rb]bl\b|spam|policy|policies|reputation|\brate|limit|too (many|much)"
    r"|later|temporar|relay|denied|banned|quota|full|not (allowed|permitted)|unauthori[sz]ed|authenticat"
    r"|https?:",
    re.IGNORECASE,
)
_ENHANCED = re.compile(r"\b5\.\d{1,3}\.\d{1,3}\b")


class NotTaken(Exception):
    """The server did not take this mail; `what` names the error and its code, and no content."""

    def __init__(self, error: BaseException, code: object = "") -> None:
        self.what = f"{type(error).__name__} {code}".strip()
        super().__init__(self.what)


class Refused(NotTaken):
    """There is no such mailbox, and there will be none."""


class ServerAway(NotTaken):
    """The server cannot be reached or does not answer; `was_offered` tells if it may have got this mail."""

    def __init__(self, error: BaseException, code: object = "", *, was_offered: bool) -> None:
        super().__init__(error, code)
        self.was_offered = was_offered


class Post:
    """The mail server during a run: one connection, opened for the first mail."""

    def __init__(self) -> None:
        self.taken = 0
        self._connection: Any = get_connection()

    def __enter__(self) -> "Post":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def send(self, letter: Letter) -> None:
        """Return once the server has taken `letter`; raises Refused, ServerAway or NotTaken."""
        self._open()
        try:
            self._connection.send_messages([letter])
        except SoftTimeLimitExceeded as error:
            # A server that says something now and then keeps within each time-out and never ends.
            raise ServerAway(error, was_offered=True) from None
        except Exception as error:
            raise _meaning_of(error) from None
        self.taken += 1

    def _open(self) -> None:
        try:
            if self._is_stale():
                self._close()
                self._connection = get_connection()
            self._connection.open()
        except SoftTimeLimitExceeded as error:
            raise ServerAway(error, was_offered=False) from None
        except OSError as error:
            raise ServerAway(error, getattr(error, "smtp_code", ""), was_offered=False) from None

    def _is_stale(self) -> bool:
        """Tell whether the server closed the connection meanwhile, as some do after each mail."""
        if not isinstance(self._connection, SmtpBackend) or self._connection.connection is None:
            return False
        try:
            return self._connection.connection.noop()[0] != 250
        except OSError:
            return True

    def _close(self) -> None:
        with suppress(Exception):
            self._connection.close()


def _meaning_of(error: Exception) -> NotTaken:
    if isinstance(error, AnymailRecipientsRefused):
        return Refused(error)
    if isinstance(error, AnymailAPIError):
        status = error.status_code
        if status is None or status >= 500 or status in NOT_OURS_TO_SEND:
            return ServerAway(error, status or "", was_offered=True)
        return NotTaken(error, status)
    code: int
    words: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        [(code, words), *_] = error.recipients.values()
    elif isinstance(error, smtplib.SMTPResponseException):
        code, words = error.smtp_code, error.smtp_error
    elif isinstance(error, smtplib.SMTPNotSupportedError):
        return NotTaken(error)
    elif isinstance(error, OSError):
        return ServerAway(error, was_offered=True)
    else:
        return NotTaken(error)
    if code == SERVICE_NOT_AVAILABLE:
        return ServerAway(error, code, was_offered=True)
    told = words.decode("ascii", "replace") if isinstance(words, bytes) else str(words)
    is_final = _is_final(told, at_recipient=isinstance(error, smtplib.SMTPRecipientsRefused))
    return Refused(error, code) if 500 <= code <= 599 and is_final else NotTaken(error, code)


def _is_final(words: str, *, at_recipient: bool) -> bool:
    """Tell whether a refusal is about the mailbox, and not about us or what we send."""
    found = _ENHANCED.search(words)
    if found is not None:
        return found[0] in NO_MAILBOX
    return at_recipient and _NOT_OF_THE_MAILBOX.search(words) is None
