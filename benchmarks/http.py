"""Turns and states over HTTP from a server process of its own, beside bare views of the same server."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.measure import alternate, row
from benchmarks.people import club_with, games_for, members_of
from benchmarks.stack import PROJECT
from games.accounts.models import User
from games.accounts.services import issue_token
from games.play.models import Game

TURNS = 90


class Caller:
    """One connection that is kept, with one member's token."""

    def __init__(self, port: int, member: User) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.headers = {
            "Authorization": f"Bearer {issue_token(user=member, name='bench', scopes=['read', 'play'])[1]}",
            "Content-Type": "application/json",
        }

    def call(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        body = None if data is None else json.dumps(data)
        self.connection.request(method, path, body, {**self.headers, **headers})
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status < 300, (answer.status, text[:500])
        return json.loads(text)


@contextmanager
def server(**environment: str) -> Iterator[int]:
    """Run gunicorn with one thread and yield its port; `environment` is added to ours."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "sequence_site.wsgi", f"--bind=127.0.0.1:{port}"]
    options = ["--worker-class=gthread", "--threads=1", "--log-level=error", "--keep-alive=60"]
    process = subprocess.Popen([*command, *options], cwd=PROJECT, env={**os.environ, **environment})
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < deadline, "the server does not listen"
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(15)


def turn_over_http() -> dict[str, Any]:
    """The median time of a turn through a whole game, beside a view that inserts one row."""
    club = club_with(2)
    game = games_for(club, 1)[0]
    numbers = iter(range(1_000_000))
    with server() as port:
        callers = {seat: Caller(port, member) for seat, member in zip("AB", members_of(club), strict=True)}
        state = {"game": callers["A"].call("GET", f"/api/v1/games/{game.pk}")}
        chosen: dict[str, Any] = {}

        def choose() -> None:
            """Look up, outside the measured time, what the seat on turn may do."""
            seat = state["game"]["position"]["turn"]["seat"]
            legal = callers[seat].call("GET", f"/api/v1/games/{game.pk}/legal")
            plays = [a for a in legal["actions"] if a["act"] in ("place", "remove", "pass")] or legal[
                "actions"
            ]
            action = plays[len(plays) // 2]
            action.pop("claims", None)
            chosen.update(seat=seat, action=action, version=legal["version"])

        def turn() -> None:
            answer = callers[chosen["seat"]].call(
                "POST",
                f"/api/v1/games/{game.pk}/turns",
                chosen["action"],
                **{"If-Match": f'"v{chosen["version"]}"', "Idempotency-Key": f"k{next(numbers)}"},
            )
            state["game"] = answer

        def bare() -> None:
            callers["A"].call("POST", "/bare/insert", {"game": game.pk, "key": f"b{next(numbers)}"})

        pairs = []
        for _ in range(TURNS):
            if state["game"]["position"]["turn"]["seat"] is None:
                break
            choose()
            pairs.append(alternate(turn, bare, 1))
        pairs = sorted(pairs[5:])
    ours = sorted(p[0] for p in pairs)[len(pairs) // 2]
    reference = sorted(p[1] for p in pairs)[len(pairs) // 2]
    return row(
        f"turn over HTTP, durable, {len(pairs)} turns",
        ours * 1000,
        "ms",
        reference * 1000,
        ratio=ours / reference,
        reach="2x a bare view that inserts one row",
        ok=ours / reference <= 2,
    )


def state_over_http() -> dict[str, Any]:
    """The state of a game at turn 40, beside a view that reads one row."""
    from django.utils import timezone

    from games.play.queries import legal_for, seen_game
    from games.play.services.turns import take_turn
    from games.play.wording import action_data

    club = club_with(2)
    game = games_for(club, 1)[0]
    players = members_of(club)
    for _ in range(40):
        game = Game.objects.get(pk=game.pk)
        if game.turn_seat is None:
            break
        player = players[game.turn_seat]
        seen = seen_game(game.pk, player)
        assert seen is not None
        assert seen.loaded.state is not None
        data = action_data(seen.loaded.state, legal_for(seen)[0])
        take_turn(
            game_id=game.pk, member=player, data=data, expected_version=game.version, now=timezone.now()
        )
    with server() as port:
        caller = Caller(port, players[0])
        path = f"/api/v1/games/{game.pk}"
        ours, reference = alternate(
            lambda: caller.call("GET", path), lambda: caller.call("GET", f"/bare/read?game={game.pk}"), 150
        )
    return row(
        f"state of a game at turn {game.turns} over HTTP",
        ours * 1000,
        "ms",
        reference * 1000,
        ratio=ours / reference,
        reach="2x a bare view that reads one row",
        ok=ours / reference <= 2,
    )
