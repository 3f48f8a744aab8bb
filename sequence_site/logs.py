"""Logs without secrets: what an address of a mail opens is not written, whatever goes wrong there."""

import logging
import logging.config
import re
from typing import Any

HIDDEN = "[hidden]"
# As an address has it, also where one address is part of another (`?next=%2Finvitations%2F...`). Turn links
# begin with a mere `t`, so that of what follows it only what is long is taken for a secret.
_SLASH = r"(?:/|%(?:25)*2F)+"
_SECRETS = re.compile(
    rf"""((?:invitations|calendar|unsubscribe|confirm){_SLASH}|(?:\b|(?<=2F))t{_SLASH}(?=[^\s'"<>]{{16}}))[^\s'"<>]+""",
    re.IGNORECASE,
)


def hide_codes(text: str) -> str:
    """Return `text` without what opens invitations, turn links, calendars, ends to mail or new addresses."""
    return _SECRETS.sub(rf"\1{HIDDEN}", text)


class Record(logging.LogRecord):
    """A record of any logger, Django's and gunicorn's too, that hides codes in whatever is written of it.

    A filter would not do: those of a logger do not see what its children hand on, and gunicorn brings
    handlers of its own.
    """

    def getMessage(self) -> str:  # noqa: N802 - logging's own name
        return hide_codes(super().getMessage())

    # Formatters keep the text of a traceback here, and of the stack, and write what they find.
    @property
    def exc_text(self) -> str | None:
        return self._exc_text

    @exc_text.setter
    def exc_text(self, text: str | None) -> None:
        self._exc_text = hide_codes(text) if text else text

    @property
    def stack_info(self) -> str | None:
        return self._stack_info

    @stack_info.setter
    def stack_info(self, text: str | None) -> None:
        self._stack_info = hide_codes(text) if text else text


def configure(config: dict[str, Any]) -> None:
    """Configure logging as the setting LOGGING says, for records that hide codes."""
    logging.setLogRecordFactory(Record)
    logging.config.dictConfig(config)
