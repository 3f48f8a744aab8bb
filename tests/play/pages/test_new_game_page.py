"""Proposing a game."""

import re

import pytest

from games.play.models import Game, Status
from tests.builders import make_club, make_member, make_user
from tests.play.reading import (
    Page,
    propose,
    signed_in,
    url,
)

pytestmark = pytest.mark.django_db


def test_a_game_is_proposed_joined_and_begun():
    club = make_club()
    host, guest = make_member(club).user, make_member(club).user

    answer = propose(signed_in(host), club, name="Tuesday", lines_to_win="1", hands="open")
    game = Game.objects.get()
    assert answer["Location"] == url(game)
    assert game.house_rules == {"lines_to_win": 1, "hands": "open"}
    client = signed_in(guest)
    text = client.get(url(game)).content.decode()
    assert "Lines to win" in text
    assert "Join and agree to these rules" in text

    form = Page(client.get(url(game))).form_with("deed", "join")
    client.post(form.action, form.fields | {"deed": "join"})

    game.refresh_from_db()
    assert game.status == Status.ACTIVE
    assert "The game has begun." in client.get(url(game)).content.decode()


def test_the_form_as_it_stands_proposes_the_usual_game():
    club = make_club()

    propose(signed_in(make_member(club).user), club)

    game = Game.objects.get()
    assert (game.seats, game.teams, game.house_rules, game.status) == (2, 2, {}, Status.PROPOSED)


def test_bots_fill_seats_and_the_game_begins_with_the_last():
    club = make_club()

    propose(signed_in(make_member(club).user), club, seats="4", bots="3")

    game = Game.objects.get()
    assert game.status == Status.ACTIVE
    assert [seat.is_bot for seat in game.places.order_by("number")] == [False, True, True, True]


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"seats": "6"}, "teams", "(R4)"),
        ({"seats": "4", "teams": "3"}, "teams", "(R4)"),
        ({"hand_size": "99"}, "hand_size", "(R5)"),
        ({"chip_limit": "many"}, "chip_limit", "(R3)"),
        ({"wild": "Jc"}, "wild", "(R2)"),
        ({"idle_rounds": "0"}, "idle_rounds", "(R15)"),
        ({"bots": "2"}, "bots", "at most 1"),
        ({"seats": "7"}, "seats", "7"),
    ],
)
def test_what_the_rules_refuse_is_said_at_its_field(fields, field, words):
    club = make_club()

    answer = propose(signed_in(make_member(club).user), club, **fields)

    assert answer.status_code == 422
    assert words in " ".join(answer.context["form"].errors[field])
    assert not Game.objects.exists()


def test_every_wrong_field_is_marked_at_once():
    wrong = {
        "seats": "6",
        "hand_size": "99",
        "lines_to_win": "0",
        "wild": "Jx",
        "chip_limit": "50,50,35",
        "idle_rounds": "0",
        "overlap": "odd",
    }
    club = make_club()

    answer = propose(signed_in(make_member(club).user), club, **wrong)

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {*wrong, "teams"} - {"seats", "chip_limit"}
    assert not Game.objects.exists()


def test_house_rules_are_folded_away_until_one_differs_or_is_wrong():
    club = make_club()
    client = signed_in(make_member(club).user)

    usual = client.get(f"/games/new?club={club.slug}")
    wrong_table = propose(client, club, seats="6")
    differs = propose(client, club, seats="6", hands="open")
    wrong = propose(client, club, idle_rounds="0")

    opened = [re.search(r'<details class="act"( open)?>', page.text)[1] for page in (usual, wrong_table)]
    assert opened == [None, None]
    for page in (differs, wrong):
        assert '<details class="act" open>' in page.text
    assert usual.text.count("Propose the game</button>") == 2


def test_only_members_propose_games_in_a_club():
    club = make_club(is_open=True)
    outsider = signed_in(make_user())

    answer = outsider.post(f"/games/new?club={club.slug}", {"seats": "2"})

    assert answer.status_code == 200
    assert not Game.objects.exists()
