"""Turn links: what is stored of them, and what keeps them the same."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection

from games.accounts.models import User
from games.play.links import find_link, link_for
from games.play.models import Game, TurnLink
from tests.builders import NOW, make_user
from tests.play.builders import make_game, player_on_turn

pytestmark = pytest.mark.django_db


def turn_link(game: Game, member: User | None = None, purpose: str = "turn", number: int = 1) -> str:
    member = member or player_on_turn(game)
    seat = game.places.get(member=member).number
    return link_for(game, seat, member, purpose, number, now=NOW)


def token_of(link: str) -> str:
    return link.rsplit("/", 1)[1]


def test_a_link_is_the_same_each_time_and_stored_as_a_hash_only() -> None:
    game = make_game(2)

    link = turn_link(game)

    assert turn_link(game) == link
    assert link.startswith("http://localhost:8000/t/")
    row = TurnLink.objects.get()
    assert len(token_of(link)) == 43
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(link)::text FROM play_turnlink AS link")
        assert token_of(link) not in cursor.fetchone()[0]
    assert find_link(token_of(link)) == row


def test_a_link_of_another_game_seat_member_purpose_or_turn_is_another() -> None:
    game, other = make_game(2), make_game(2)
    member, stranger = player_on_turn(game), make_user()
    seat = game.places.get(member=member).number

    links = {
        link_for(game, seat, member, "turn", 1, now=NOW),
        link_for(other, seat, member, "turn", 1, now=NOW),
        link_for(game, 1 - seat, member, "turn", 1, now=NOW),
        link_for(game, seat, stranger, "turn", 1, now=NOW),
        link_for(game, seat, member, "pay", 1, now=NOW),
        link_for(game, seat, member, "turn", 2, now=NOW),
    }

    assert len(links) == 6


def test_the_host_of_a_link_is_the_public_one_whoever_asks(settings: LazySettings) -> None:
    settings.PUBLIC_URL = "https://sequence.example"

    assert turn_link(make_game(2)).startswith("https://sequence.example/t/")


def test_an_old_key_opens_its_links_until_it_is_taken_away(settings: LazySettings) -> None:
    game = make_game(2)
    settings.LINK_KEYS = {"old": "a" * 40}
    first = turn_link(game)

    settings.LINK_KEYS = {"new": "b" * 40, "old": "a" * 40}
    assert turn_link(game) == first
    assert find_link(token_of(first)) is not None

    settings.LINK_KEYS = {"new": "b" * 40}
    assert find_link(token_of(first)) is None
    second = turn_link(game)
    assert second != first
    assert find_link(token_of(second)) == TurnLink.objects.get(key_id="new")
    assert find_link(token_of(first)) is None


def test_another_key_under_the_same_name_is_noticed(settings: LazySettings) -> None:
    game = make_game(2)
    settings.LINK_KEYS = {"0": "a" * 40}
    first = turn_link(game)

    settings.LINK_KEYS = {"0": "b" * 40}
    second = turn_link(game)

    assert find_link(token_of(first)) is None
    assert find_link(token_of(second)) is not None


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "a" * 44, "é" * 43, "\ud800" * 43, "a" * 42 + "\n"])
def test_what_no_mail_carries_opens_nothing(token: str) -> None:
    turn_link(make_game(2))

    assert find_link(token) is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_forgotten_key", [False, True])
def test_workers_that_ask_at_once_get_the_same_link(has_forgotten_key: bool, settings: LazySettings) -> None:
    game = make_game(2)
    member = player_on_turn(game)
    if has_forgotten_key:
        settings.LINK_KEYS = {"old": "a" * 40}
        turn_link(game)
        settings.LINK_KEYS = {"new": "b" * 40}
    start = Barrier(6)

    def ask(_: Any) -> str:
        try:
            start.wait(10)
            return link_for(game, 0, member, "turn", 1, now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        links = set(pool.map(ask, range(6)))

    assert len(links) == 1
    assert find_link(token_of(links.pop())) is not None
