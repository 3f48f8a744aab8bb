from collections.abc import Iterator
from typing import Any

import pytest

from games.mail.kinds import KINDS
from tests.mail import kinds
from tests.mail.servers import Mailbox, smtp_server


@pytest.fixture(autouse=True)
def known_kinds(monkeypatch: pytest.MonkeyPatch) -> kinds.Board:
    """Kinds of mail that are the tests' own; what they say is pinned to the board that is returned."""
    board = kinds.Board()
    for name, kind in kinds.made_of(board).items():
        monkeypatch.setitem(KINDS, name, kind)
    return board


@pytest.fixture
def mailbox(settings: Any) -> Iterator[Mailbox]:
    """A real mail server, to which the site sends."""
    taken = Mailbox()
    with smtp_server(taken) as port:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST = "127.0.0.1"
        settings.EMAIL_PORT = port
        yield taken
