import pytest

from games.mail.kinds import KINDS
from tests.mail import kinds


@pytest.fixture(autouse=True)
def known_kinds(monkeypatch: pytest.MonkeyPatch) -> kinds.Board:
    """Kinds of mail that are the tests' own; what they say is pinned to the board that is returned."""
    board = kinds.Board()
    for name, kind in kinds.made_of(board).items():
        monkeypatch.setitem(KINDS, name, kind)
    return board
