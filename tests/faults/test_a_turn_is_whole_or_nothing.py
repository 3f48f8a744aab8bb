"""Whatever dies in the middle of a turn: all of it is there or nothing, and its key gets the true answer."""

import json
import socket
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper

from games.play.models import Game, Receipt
from games.play.queries import events_after
from games.play.services import requests
from games.play.services.requests import AnswerUnknown
from games.play.services.turns import take_turn
from games.play.services.upkeep import verify_game
from tests.builders import NOW, make_token
from tests.conftest import running
from tests.faults.dying_server import POINTS
from tests.play.builders import legal, make_game, play_one, player_on_turn

pytestmark = pytest.mark.django_db(transaction=True)
STORED = ("after the commit", "before the answer")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Caller:
    """Sends one turn, as a program would, to whichever server listens."""

    def __init__(self, game: Game) -> None:
        member = player_on_turn(game)
        self.token = make_token(member)
        self.body = json.dumps(legal(game, member)[0]).encode()
        self.headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "If-Match": f'"v{game.version}"',
            "Idempotency-Key": "one-turn",
        }
        self.path = f"/api/v1/games/{game.pk}/turns"

    def send(self, port: int) -> tuple[int, dict[str, str], Any]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{self.path}", self.body, self.headers, method="POST"
        )
        with urllib.request.urlopen(request, timeout=90) as answer:
            return answer.status, dict(answer.headers), json.load(answer)


def wait_for(port: int, process: Any) -> None:
    deadline = time.monotonic() + 120
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), 1):
                return
        except OSError:
            assert process.poll() is None, "the server ended before it listened"
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize("point", POINTS)
def test_a_server_killed_at_a_point_leaves_a_whole_turn_or_nothing(point: str) -> None:
    game = make_game(2)
    play_one(game)
    game.refresh_from_db()
    before = game.version
    caller = Caller(game)
    port = free_port()

    with running("tests.faults.dying_server", KILL_AT=point, PORT=str(port)) as process:
        wait_for(port, process)
        with pytest.raises((urllib.error.URLError, HTTPException, ConnectionError)):
            caller.send(port)
        assert process.wait(60) == -9

    game.refresh_from_db()
    stored = point in STORED
    assert game.version == before + stored
    assert len(events_after(game, before, 99)) == stored
    assert Receipt.objects.filter(game=game).count() == stored
    assert verify_game(game.pk) == []

    port = free_port()
    with running("tests.faults.dying_server", PORT=str(port)) as process:
        wait_for(port, process)
        status, headers, answer = caller.send(port)
        again = caller.send(port)

    assert status == 201
    assert answer["version"] == before + 1
    assert (headers.get("Idempotency-Replayed") == "true") is stored
    assert again[1]["Idempotency-Replayed"] == "true"
    assert again[2] == answer
    game.refresh_from_db()
    assert game.version == before + 1
    assert verify_game(game.pk) == []


@pytest.fixture
def game() -> Game:
    game = make_game(2)
    game.refresh_from_db()
    return game


def take(game: Game, key: str = "k") -> requests.Taken:
    member = player_on_turn(game)
    return take_turn(
        game_id=game.pk,
        member=member,
        data=legal(game, member)[0],
        expected_version=game.version,
        key=key,
        now=NOW,
    )


def test_a_lost_answer_to_the_commit_is_looked_up(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    version = game.version
    real = DatabaseWrapper._commit

    def commit_then_lose(self: DatabaseWrapper) -> None:
        real(self)
        monkeypatch.undo()
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(DatabaseWrapper, "_commit", commit_then_lose)
    taken = take(game)

    assert taken.is_repeat
    assert taken.game.version == version + 1
    assert Game.objects.get(pk=game.pk).version == version + 1


def test_a_commit_that_fails_stores_nothing_and_says_so(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    version = game.version

    def lose(self: DatabaseWrapper) -> None:
        monkeypatch.undo()
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(DatabaseWrapper, "_commit", lose)
    with pytest.raises(AnswerUnknown):
        take(game)

    assert Game.objects.get(pk=game.pk).version == version
    assert take(game).game.version == version + 1
    assert verify_game(game.pk) == []


def test_an_error_at_any_statement_stores_nothing(game: Game) -> None:
    member = player_on_turn(game)
    data = legal(game, member)[0]
    version = game.version
    refused = 0
    for failing in range(1, 20):
        seen = 0

        def fail(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen == failing:  # noqa: B023 - called within this round only
                raise DatabaseError("injected")
            return execute(sql, params, many, context)

        try:
            with connection.execute_wrapper(fail):
                take_turn(
                    game_id=game.pk, member=member, data=data, expected_version=version, key="k", now=NOW
                )
        except DatabaseError:
            refused += 1
            assert Game.objects.get(pk=game.pk).version == version
            assert len(events_after(game, 0, 99)) == version
            assert not Receipt.objects.exists()
        else:
            break

    assert refused >= 6
    assert Game.objects.get(pk=game.pk).version == version + 1
    assert verify_game(game.pk) == []


def test_ended_connections_heal_without_a_second_turn(game: Game, superuser_connection: Any) -> None:
    version = game.version
    member = player_on_turn(game)
    data = legal(game, member)[0]
    superuser_connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )

    for _ in range(2):
        try:
            take_turn(game_id=game.pk, member=member, data=data, expected_version=version, key="k", now=NOW)
        except (AnswerUnknown, DatabaseError):
            connection.close()

    assert Game.objects.get(pk=game.pk).version == version + 1
    assert verify_game(game.pk) == []
