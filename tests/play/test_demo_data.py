"""What the demo is filled with: there is always something for Anna to do, whoever the cut lets begin."""

from datetime import UTC, datetime

import pytest

from games.bots import demo
from games.play.models import Game
from games.play.services import proposing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("first_secret", [1, 1001, 2001])
def test_the_demo_ends_with_a_turn_link_of_anna(monkeypatch: pytest.MonkeyPatch, first_secret: int) -> None:
    numbers = iter(range(first_secret, first_secret + 500))
    monkeypatch.setattr(proposing, "new_secret", lambda: next(numbers).to_bytes(32, "big"))
    monkeypatch.setattr(demo, "LEFT_TO_THE_WORKER", ())

    said = list(demo.seed(now=datetime.now(UTC)))

    assert "/t/" in said[-1]
    against_bots = Game.objects.filter(name__startswith="Against the house")
    assert [game.turn_seat for game in against_bots] == [0, 0]
