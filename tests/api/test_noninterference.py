"""Two games that differ in one hand and the pile only look the same to everybody but that hand's holder."""

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import connection, transaction

from games.accounts.models import User
from games.clubs.models import Club
from games.play.models import Game
from games.play.services import proposing
from games.play.services.proposing import propose_game, take_seat
from games.play.vault import DealSource
from games.rules.deal import SecretDeal
from games.rules.editions import load_edition
from tests.api.builders import API, GAMES, client_of, send_turn
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import legal, player_on_turn

pytestmark = pytest.mark.django_db

SEATS = 4
SECRET = bytes(range(32))
OTHERS = ("nobody", "outsider", "member", "organiser", "admin", "A", "C", "D")


@pytest.fixture
def fixed_chance(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the clock stand still and uuids and the secret be the same in both games."""
    monkeypatch.setattr(proposing, "new_secret", lambda: SECRET)
    with time_machine.travel(NOW, tick=False):
        yield


def sequences() -> list[tuple[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT schemaname || '.' || sequencename, last_value FROM pg_sequences")
        return list(cursor.fetchall())


def put_back(values: list[tuple[str, Any]]) -> None:
    """Let the numbers of rows start again where they were: no rollback does that."""
    with connection.cursor() as cursor:
        for name, value in values:
            cursor.execute("SELECT setval(%s, %s, %s)", [name, value or 1, value is not None])


def decks(start: int) -> tuple[list[str], list[str]]:
    """Return two decks that deal everybody but B the same cards, now and in the turns to come.

    B keeps the first two cards of the hand, which are played; the others and the deep pile differ.
    """
    one = SecretDeal(SECRET).deck(load_edition("classic"))
    jacks = [card for card in one if card[0] == "J"]
    one = [card for card in one if card[0] != "J"] + jacks
    hand_size = 6
    seat_b = (1 - start) % SEATS
    hand = [seat_b + SEATS * place for place in range(2, hand_size)]
    draws = [SEATS * hand_size + seat_b + SEATS * turn for turn in range(4)]
    deep = list(range(SEATS * hand_size + 40, len(one) - 1))
    two = list(one)
    places = hand + draws + deep
    for place, other in zip(places, places[::-1], strict=True):
        two[place] = one[other]
    assert sorted(one) == sorted(two)
    return one, two


class World:
    def __init__(self, which: int, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = count()

        def urandom(size: int) -> bytes:
            return sha256(b"%d" % next(numbers)).digest()[:size]

        with monkeypatch.context() as patch:
            patch.setattr("os.urandom", urandom)
            self._make(which)

    def _make(self, which: int) -> None:
        self.people: dict[str, User | None] = {"nobody": None, "outsider": make_user("oscar")}
        self.people["organiser"] = organiser = make_user("olivia")
        self.people["admin"] = make_user("ada", is_superuser=True)
        self.club: Club = make_club("tuesday", organiser=organiser, is_open=True)
        self.people["member"] = make_member(self.club, make_user("mia")).user
        players = [make_member(self.club, make_user(f"player-{letter}")).user for letter in "abcd"]
        self.people |= dict(zip("ABCD", players, strict=True))
        game = propose_game(proposer=players[0], club=self.club, seats=SEATS, now=NOW)
        for player in players[1:]:
            take_seat(member=player, game_id=game.pk, now=NOW)
        game.refresh_from_db()
        self.game: Game = game
        deck = decks(game.turn_seat or 0)[which]
        source = {"secret": None, "listed": json.dumps({"deck": deck, "reshuffles": []})}
        DealSource.objects.filter(game=game).update(**source)
        self.kept = {deck[(1 - (game.turn_seat or 0)) % SEATS + SEATS * place] for place in range(2)}

    def play(self) -> Any:
        """Take the first legal action and return what others than B are answered.

        B plays one of the cards that it has in both games.
        """
        self.game.refresh_from_db()
        member = player_on_turn(self.game)
        actions = legal(self.game, member)
        if member == self.people["B"]:
            actions = [action for action in actions if action["card"] in self.kept]
        answer = send_turn(client_of(member), self.game, actions[0], key=f"turn-{self.game.version}")
        assert answer.status_code == 201, answer.content
        self.game.refresh_from_db()
        return None if member == self.people["B"] else (sorted(answer.items()), answer.content)

    def look(self, caller: str) -> list[tuple[str, int, list[tuple[str, str]], bytes]]:
        """Return every answer that `caller` gets: address, status, headers, content."""
        client = client_of(self.people[caller])
        base = f"{GAMES}/{self.game.pk}"
        addresses = [
            GAMES, f"{GAMES}?waiting=true", f"{GAMES}?mine=true&fields=id,version", base, f"{base}/legal",
            f"{base}/events", f"{base}/events?after=6", f"{base}/tenures", f"{base}/rulings", f"{base}/deal",
            f"{base}/record", f"{base}/record?as=sqn", f"{base}/record?view=full",
            *(f"{base}/record?view=seat:{letter}" for letter in "ABCD"),
            *(f"{base}?at={version}" for version in range(1, self.game.version + 2)),
            f"{API}/stats/games/{self.game.pk}", f"{API}/clubs/tuesday",
        ]  # fmt: skip
        answers = [(address, client.get(address)) for address in addresses]
        stream = client.get(f"{base}/events", headers={"Accept": "application/x-ndjson"})
        refused = [
            client.post(f"{base}/turns", body | {"expected_version": version})
            for version in (1, self.game.version)
            for body in (
                {"act": "place", "card": "Jc", "space": "a1"},
                {"act": "remove", "card": "Js", "space": "b2"},
                {"act": "swap", "card": "2c"},
                {"act": "pass"},
                {"act": "draw"},
            )
        ]
        answers += [(f"refused {number}", answer) for number, answer in enumerate(refused)]
        seen = [(name, a.status_code, sorted(a.items()), a.content) for name, a in answers]
        return [*seen, ("stream", 200, sorted(stream.items()), b"".join(stream.streaming_content))]


def test_a_hidden_hand_and_pile_change_nothing_that_others_see(
    fixed_chance: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")

    def heard() -> list[str]:
        """Return what was logged since this was asked last; statements of the database name its rows."""
        lines = [r.getMessage() for r in caplog.records if not r.name.startswith(("django.db", "faker"))]
        caplog.clear()
        return lines

    numbers, both = sequences(), []
    for which in (0, 1):
        before = transaction.savepoint()
        world = World(which, monkeypatch)
        views: dict[int, Any] = {}
        answered: list[Any] = []
        logged: list[Any] = []
        heard()
        for turn in range(8):
            if turn in (2, 5, 6, 7):
                views[turn] = {}
                for caller in (*OTHERS, "B"):
                    views[turn][caller] = world.look(caller)
                    lines = heard()
                    logged += lines if caller != "B" else []
            answered.append(world.play())
            logged += heard()
        both.append((views, (answered, logged, list(mail.outbox))))
        transaction.savepoint_rollback(before)
        put_back(numbers)

    (one, answers), (two, others) = both
    assert answers == others
    assert answers[1], "nothing was logged, or nothing was tested"
    for turn in one:
        for caller in OTHERS:
            for here, there in zip(one[turn][caller], two[turn][caller], strict=True):
                assert here == there, (turn, caller, here[0])
        assert one[turn]["B"] != two[turn]["B"], "the games differ for B, or nothing was tested"
        assert any(status == 200 for _, status, _, _ in one[turn]["nobody"])
