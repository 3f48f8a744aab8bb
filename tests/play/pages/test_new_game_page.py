"""Proposing a game."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from games.clubs.models import Membership
from games.play.models import Game, Status
from games.play.pages.proposing.forms import TYPED_WORDS
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game
from tests.play.reading import (
    Page,
    filled,
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

    is_open = {
        name: re.search(r'<details class="act"( open)?>\s*<summary>House rules', page.text)[1]
        for name, page in {"usual": usual, "table": wrong_table, "differs": differs, "wrong": wrong}.items()
    }
    assert is_open == {"usual": None, "table": None, "differs": " open", "wrong": " open"}


def test_only_members_propose_games_in_a_club():
    club = make_club(is_open=True)
    outsider = signed_in(make_user())

    answer = outsider.post(f"/games/new?club={club.slug}", {"seats": "2"})

    assert answer.status_code == 200
    assert not Game.objects.exists()


# Time


def propose_with(client, club, query="", **fields):
    page = client.get(f"/games/new?club={club.slug}{query}")
    return client.post(f"/games/new?club={club.slug}{query}", filled_all(page) | fields)


def filled_all(page):
    """Return all parts of the form as they stand in the page."""
    found = {"key": page.context["key"]}
    for name in ("form", "clock_form", "seats_form"):
        for bound in page.context[name]:
            value = bound.value()
            if value is not None and value is not False:
                found[bound.html_name] = "on" if value is True else str(value)
    return found


@pytest.mark.parametrize(
    ("fields", "hours"),
    [
        ({}, (None, 0, 0, 0, False)),
        ({"pace": "1"}, (24, 0, 0, 0, False)),
        ({"pace": "3", "rests_at_weekends": "on"}, (72, 0, 0, 0, True)),
        ({"pace": "7"}, (168, 0, 0, 0, False)),
        (
            {
                "pace": "own",
                "turn_hours": "36",
                "bank_hours": "48",
                "increment_hours": "6",
                "cap_hours": "96",
            },
            (36, 48, 6, 96, False),
        ),
        ({"pace": "own", "turn_hours": "36", "bank_hours": "48"}, (36, 48, 0, 48, False)),
    ],
)
def test_a_clock_is_chosen_by_its_pace_or_by_numbers(fields, hours):
    club = make_club()

    answer = propose_with(signed_in(make_member(club).user), club, **fields)

    assert answer.status_code == 302
    game = Game.objects.get()
    names = ("turn_hours", "bank_hours", "increment_hours", "cap_hours", "rests_at_weekends")
    assert tuple(getattr(game, name) for name in names) == hours


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"pace": "own"}, "turn_hours"),
        ({"pace": "own", "turn_hours": "soon"}, "turn_hours"),
        ({"pace": "own", "turn_hours": "0"}, "turn_hours"),
        ({"pace": "own", "turn_hours": "99999999999"}, "turn_hours"),
        ({"pace": "own", "turn_hours": "24", "bank_hours": "48", "cap_hours": "12"}, "cap_hours"),
        ({"pace": "own", "turn_hours": "24", "bank_hours": "48", "increment_hours": "1"}, "cap_hours"),
        ({"pace": "2"}, "pace"),
        ({"expiry": "shout"}, "expiry"),
    ],
)
def test_a_clock_that_cannot_be_is_refused_and_nothing_typed_is_lost(fields, field):
    club = make_club()

    answer = propose_with(signed_in(make_member(club).user), club, name="Tuesday", **fields)

    assert answer.status_code == 422
    assert list(answer.context["clock_form"].errors) == [field]
    assert 'value="Tuesday"' in answer.text
    assert not Game.objects.exists()


def test_who_may_join_sees_the_clock_and_what_happens_when_it_runs_out():
    club = make_club()
    propose_with(signed_in(make_member(club).user), club, pace="3", expiry="pass", hands="open")

    text = signed_in(make_member(club).user).get(url(Game.objects.get())).text

    terms = text.split('class="terms"')[1].split("Join and agree")[0]
    assert "3 days for each turn." in terms
    assert "the turn is passed" in terms
    assert "open to everybody" in terms


# Seats


def test_seats_are_kept_for_members_and_given_to_bots():
    club = make_club()
    host, friend = make_member(club).user, make_member(club).user

    propose_with(
        signed_in(host), club, seats="4", own_seat="2", seat_0=friend.username, seat_1="a bot", bots="0"
    )

    places = list(Game.objects.get().places.order_by("number"))
    assert [p.member for p in places] == [None, None, host, None]
    assert [p.invited for p in places] == [friend, None, None, None]
    assert [p.is_bot for p in places] == [False, True, False, False]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seat_5": "friend"}, "seat_5"),
        ({"own_seat": "3"}, "own_seat"),
        ({"own_seat": "99"}, "own_seat"),
        ({"seat_0": "friend"}, "seat_0"),
        ({"seat_1": "outsider"}, "seat_1"),
        ({"seat_1": "fri\0end\0\0"}, None),
        ({"seats": "3", "seat_1": "friend", "seat_2": "friend"}, "seat_2"),
    ],
)
def test_seats_that_cannot_be_had_are_refused_at_their_field(fields, field):
    club = make_club()
    make_member(club, make_user("friend"))
    make_user("outsider")

    answer = propose_with(signed_in(make_member(club).user), club, **fields)

    if field is None:
        assert answer.status_code == 302
    else:
        assert answer.status_code == 422
        assert field in answer.context["seats_form"].errors
        assert not Game.objects.exists()


def test_the_same_proposal_sent_twice_is_one_game():
    club = make_club()
    client = signed_in(make_member(club).user)
    data = filled_all(client.get(f"/games/new?club={club.slug}"))

    first, second = (client.post(f"/games/new?club={club.slug}", data) for _ in range(2))

    assert first["Location"] == second["Location"]
    assert Game.objects.count() == 1


# Again


def over(**options):
    club = make_club()
    game = make_game(3, club=club, **options)
    Game.objects.filter(pk=game.pk).update(
        status=Status.FINISHED, turn_seat=None, turn_hours=36, bank_hours=24, cap_hours=24, expiry="bot"
    )
    game.refresh_from_db()
    return game


def test_a_rematch_has_the_same_table_and_everybody_sits_one_seat_further():
    game = over(lines_to_win=2, hands="open", jacks_can_be_dead=True, wild=["Jc"], anti=["Jd", "Jh", "Js"])
    first, second, third = (place.member for place in game.places.order_by("number"))

    propose_with(signed_in(second), game.club, f"&rematch={game.pk}")

    again = Game.objects.exclude(pk=game.pk).get()
    assert again.rematch_of == game
    assert (again.club, again.house_rules, again.seats) == (game.club, game.house_rules, 3)
    assert (again.turn_hours, again.bank_hours, again.expiry) == (36, 24, "bot")
    places = list(again.places.order_by("number"))
    assert [place.member for place in places] == [None, None, second]
    assert [place.invited for place in places] == [third, first, None]


def test_who_comes_second_is_shown_the_rematch_that_is_proposed_already():
    game = over()
    first, second, _third = (place.member for place in game.places.order_by("number"))
    propose_with(signed_in(first), game.club, f"&rematch={game.pk}")
    again = Game.objects.exclude(pk=game.pk).get()

    text = signed_in(second).get(f"/games/new?rematch={game.pk}").text

    assert "Somebody has proposed this already." in text
    assert f'href="{url(again)}"' in text


def test_only_who_had_a_seat_proposes_a_rematch_and_only_of_a_game_that_is_over():
    game, running = over(), make_game(2)
    player = signed_in(game.places.first().member)

    assert player.get(f"/games/new?rematch={game.pk}").status_code == 200
    for text in (str(running.pk), "0", "x", "9" * 30, "-1", "%00"):
        assert player.get(f"/games/new?rematch={text}").status_code in (400, 404)
    for outsider in (make_user(), make_member(game.club).user):
        assert signed_in(outsider).get(f"/games/new?rematch={game.pk}").status_code == 404
    assert Client().get(f"/games/new?rematch={game.pk}").status_code == 302


def test_who_has_left_the_club_is_told_that_there_is_no_rematch():
    game = over()
    first, second, _third = (place.member for place in game.places.order_by("number"))
    Membership.objects.filter(user=first).update(left_at=NOW + timedelta(days=1))

    assert (
        "not in the club of that game any more" in signed_in(first).get(f"/games/new?rematch={game.pk}").text
    )

    propose_with(signed_in(second), game.club, f"&rematch={game.pk}")
    again = Game.objects.exclude(pk=game.pk).get()
    assert again.places.get(number=1).invited is None


def test_seats_beyond_the_table_are_folded_away():
    club = make_club()
    client = signed_in(make_member(club).user)

    page = client.get(f"/games/new?club={club.slug}")

    assert [bound.name for bound in page.context["seats_shown"]] == [
        "own_seat",
        "seat_0",
        "seat_1",
        "seat_2",
        "seat_3",
    ]
    assert len(page.context["seats_folded"]) == 8
    again = client.post(f"/games/new?club={club.slug}", filled(page) | {"seats": "6", "bots": "9"})
    assert len(again.context["seats_folded"]) == 6


def test_words_of_the_language_are_taken_for_what_is_typed(monkeypatch):
    monkeypatch.setitem(TYPED_WORDS, "unlimited", "onbeperkt")
    monkeypatch.setitem(TYPED_WORDS, "box", "doos")
    club = make_club()

    propose(
        signed_in(make_member(club).user), club, dead_swaps_per_turn="Onbeperkt", chip_limit="doos", bots="0"
    )

    assert Game.objects.get().house_rules == {"dead_swaps_per_turn": "unlimited", "chip_limit": [50, 50]}
