"""docs/api.md is held to the code: every route, every code, and its client plays a game."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from games.accounts.api_problems import CODES
from games.clubs.models import Club
from games.play.models import Game, Status
from games.play.services.proposing import propose_game, take_seat
from tests.api.test_routes_by_caller import routes
from tests.builders import NOW, make_club, make_member, make_user

TEXT = (Path(__file__).parent.parent.parent / "docs" / "api.md").read_text(encoding="utf-8")


def test_every_route_is_described():
    described = set(re.findall(r"^\| `([A-Z]+) /([^`]*)` \|", TEXT, re.MULTILINE))

    assert described == {(method.upper(), re.sub(r"<\w+:(\w+)>", r"{\1}", path)) for method, path in routes()}


def test_every_code_is_described_with_its_status_and_title():
    described = re.findall(r"^\| `(\w+)` \| (\d{3}) \| (.*) \|$", TEXT, re.MULTILINE)

    assert {code: (int(status), title) for code, status, title in described} == CODES
    assert len(described) == len(CODES)


def test_the_client_is_short():
    (client,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)

    assert len([row for row in client.splitlines() if row.strip()]) <= 50


@pytest.mark.django_db(transaction=True)
def test_the_client_plays_a_game_to_its_end(live_server: Any) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    client: dict[str, Any] = {"__name__": "client"}
    exec(compile(code, "docs/api.md", "exec"), client)
    club: Club = make_club(organiser=make_user())
    anna, bo = (make_member(club, make_user(name, password=f"{name} plays")).user for name in ("anna", "bo"))
    game = propose_game(proposer=anna, club=club, seats=2, options={"lines_to_win": 1}, now=NOW)
    take_seat(member=bo, game_id=game.pk, now=NOW)

    players = [
        threading.Thread(target=client["play_on"], args=(live_server.url, name, f"{name} plays"))
        for name in ("anna", "bo")
    ]
    for player in players:
        player.start()
    for player in players:
        player.join(120)
    connections.close_all()

    game = Game.objects.get()
    assert game.status == Status.FINISHED
    assert game.turns > 8
