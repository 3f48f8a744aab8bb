"""The broker is stopped, or keeps silent, for the length of a game: turns go on, and mails arrive after."""

import json
import socket
import time
import urllib.request
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from games.accounts.models import User
from games.mail.models import Mail
from games.play.models import Game
from sequence_site.embedded.places import Places, places_in
from sequence_site.embedded.servers import Valkey
from tests.builders import make_token
from tests.conftest import running
from tests.faults.test_a_turn_is_whole_or_nothing import free_port, wait_for
from tests.mail.servers import Mailbox, smtp_server
from tests.play.builders import legal, make_game, player_on_turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

# A silent broker that is asked holds a request up for longer; benchmarks tell how long turns take.
ANSWER_SECONDS = 20


@pytest.fixture
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """Where a broker of this test's own will be, in a directory that servers of another user can reach."""
    var = tmp_path_factory.mktemp("broker", numbered=True)
    found = places_in(var)
    Path(found.valkey_socket).parent.mkdir(parents=True, exist_ok=True)
    return found


def play_over_http(game: Game, port: int) -> None:
    """Play `game` to its end, each turn answered in time."""
    tokens: dict[User, str] = {}
    for number in range(400):
        game.refresh_from_db()
        if game.turn_seat is None:
            return
        member = player_on_turn(game)
        token = tokens.setdefault(member, make_token(member))
        choices = legal(game, member)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/v1/games/{game.pk}/turns",
            json.dumps(choices[number * 7 % len(choices)]).encode(),
            {
                "Authorization": f"Bearer {token}",
                "Content-Type": "application/json",
                "If-Match": f'"v{game.version}"',
                "Idempotency-Key": f"k{number}",
            },
        )
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
            assert answer.status == 201
    raise AssertionError("the game does not end")


def wait_until(holds: Any, seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.mark.parametrize("is_silent", [False, True], ids=["stopped", "silent"])
def test_turns_go_on_without_the_broker_and_mails_arrive_after(places: Places, is_silent: bool) -> None:
    game = make_game(2, lines_to_win=1)
    broker = {"BROKER_URL": places.broker_url(), "CACHE_URL": ""}
    with ExitStack() as stack:
        if is_silent:
            silent = stack.enter_context(closing(socket.socket(socket.AF_UNIX)))
            silent.bind(str(places.valkey_socket))
            silent.listen(64)
        port = free_port()
        site = stack.enter_context(running("tests.faults.dying_server", PORT=str(port), **broker))
        wait_for(port, site)

        play_over_http(game, port)

    Path(places.valkey_socket).unlink(missing_ok=True)
    assert set(Mail.objects.values_list("state", flat=True)) == {"waiting"}
    mailbox = Mailbox()
    with ExitStack() as stack:
        server = Valkey(places, settings=("--appendonly", "no"))
        server.start_or_adopt()
        stack.callback(server.stop)
        smtp_port = stack.enter_context(smtp_server(mailbox))
        mail = {"EMAIL_URL": f"smtp://127.0.0.1:{smtp_port}/"}
        celery = ("celery", "-A", "sequence_site")
        queues = "--queues=play,mail,hooks,analytics"
        worker = (*celery, "worker", queues, "--concurrency=1", "--loglevel=ERROR")
        stack.enter_context(running(*worker, **broker, **mail))
        beat = (*celery, "beat", "--loglevel=ERROR", f"--schedule={places.valkey_socket}.beat")
        stack.enter_context(running(*beat, **broker, **mail))

        wait_until(lambda: not Mail.objects.filter(state="waiting").exists())

    players = sorted(place.member.email for place in game.places.select_related("member"))
    assert sorted(to for [to], _ in mailbox.taken) == players
    states = {mail.kind: mail.state for mail in Mail.objects.order_by("pk")}
    assert states == {"started": "dropped", "turn": "dropped", "over": "sent"}
