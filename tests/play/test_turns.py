"""A game from proposal to its end through the services, on a real database."""

import pytest

from games.play import queries
from games.play.models import Game, Status
from games.play.services.requests import KeyReused, VersionMissing, VersionStale
from games.play.services.turns import take_turn
from tests.builders import NOW
from tests.play.builders import legal, make_game, play_one, play_to_the_end, player_on_turn

pytestmark = pytest.mark.django_db


def test_the_last_seat_starts_the_game() -> None:
    game = make_game(4)

    game.refresh_from_db()
    assert game.status == Status.ACTIVE
    assert game.version == 6
    assert [event.type for event in queries.events_after(game, 0, 99)] == [
        "GameProposed", "SeatTaken", "SeatTaken", "SeatTaken", "SeatTaken", "GameStarted",
    ]  # fmt: skip


@pytest.mark.parametrize(("seats", "teams"), [(2, 2), (3, 3), (6, 3)])
def test_a_game_is_played_to_its_end(seats: int, teams: int) -> None:
    game = play_to_the_end(make_game(seats, teams=teams, idle_rounds=2))

    assert game.status == Status.FINISHED
    assert game.end in ("lines", "idle_rounds")
    assert [event.type for event in queries.events_after(game, game.version - 2, 9)] == [
        "GameEnded",
        "DealRevealed",
    ]


def test_a_stale_turn_is_refused_with_the_version() -> None:
    game = make_game(2)
    member = player_on_turn(game)
    data = legal(game, member)[0]

    with pytest.raises(VersionStale) as refused:
        take_turn(game_id=game.pk, member=member, data=data, expected_version=game.version - 1, now=NOW)
    assert refused.value.version == game.version
    with pytest.raises(VersionMissing):
        take_turn(game_id=game.pk, member=member, data=data, expected_version=None, now=NOW)
    assert Game.objects.get(pk=game.pk).version == game.version


def test_a_repeated_key_answers_again_and_stores_nothing() -> None:
    game = make_game(2)
    member = player_on_turn(game)
    first, other = legal(game, member)[:2]
    version = game.version

    taken = take_turn(game_id=game.pk, member=member, data=first, expected_version=version, key="k", now=NOW)
    play_one(game)
    again = take_turn(game_id=game.pk, member=member, data=first, expected_version=version, key="k", now=NOW)

    assert again.is_repeat
    assert again.game.version == taken.game.version == version + 1
    assert taken.loaded.state is not None
    assert again.loaded.state is not None
    assert again.loaded.state.hands == taken.loaded.state.hands
    with pytest.raises(KeyReused):
        take_turn(game_id=game.pk, member=member, data=other, expected_version=version, key="k", now=NOW)
    assert Game.objects.get(pk=game.pk).version == version + 2


def test_a_turn_takes_eight_statements_or_fewer(django_assert_max_num_queries: object) -> None:
    game = make_game(2)
    member = player_on_turn(game)
    data = legal(game, member)[0]

    with django_assert_max_num_queries(8 + 2) as counted:  # type: ignore[operator]
        take_turn(game_id=game.pk, member=member, data=data, expected_version=game.version, key="k", now=NOW)

    statements = [query["sql"] for query in counted.captured_queries if "SAVEPOINT" not in query["sql"]]
    assert len(statements) <= 8, statements
