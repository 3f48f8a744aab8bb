"""One request sent often is carried out once, and answered the same; many at once: one wins."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from games.play.models import Game, Receipt
from games.play.services.organising import rule_game
from tests.api.builders import (
    GAMES,
    address,
    client_of,
    code_of,
    first_action,
    legal_now,
    on_turn,
    send_turn,
    without_claims,
)
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game, play_one, play_to_the_end, player_on_turn


@pytest.fixture
def game(db) -> Game:
    game = make_game(2)
    game.refresh_from_db()
    return game


def same(first, again):
    """Tell whether two answers are one, but for the header that marks the repeat and for counted rates."""
    varying = {"Idempotency-Replayed", "RateLimit", "RateLimit-Policy"}
    headers = [{k: v for k, v in a.items() if k not in varying} for a in (first, again)]
    return (first.status_code, first.content) == (again.status_code, again.content) and headers[0] == headers[
        1
    ]


def test_a_repeat_is_answered_byte_for_byte_and_stores_nothing(game):
    client = on_turn(game)
    action, version = first_action(client, game), game.version

    first = send_turn(client, game, action, version, key="one")
    again = send_turn(client, game, action, version, key="one")

    assert first.status_code == 201
    assert same(first, again)
    assert again["Idempotency-Replayed"] == "true"
    assert Game.objects.get().version == first.json()["version"]
    assert Receipt.objects.count() == 1


def test_a_repeat_is_answered_the_same_when_the_game_has_gone_on_and_ended(game):
    client = on_turn(game)
    action, version = first_action(client, game), game.version
    first = send_turn(client, game, action, version, key="one")
    play_one(game)
    play_to_the_end(game)

    again = send_turn(client, game, action, version, key="one")

    assert same(first, again)


@pytest.mark.django_db
def test_a_repeat_is_answered_the_same_when_a_substitute_has_taken_over():
    organiser = make_user()
    club = make_club(organiser=organiser)
    game = make_game(2, club=club)
    game.refresh_from_db()
    client, seat = on_turn(game), "AB"[game.turn_seat]
    action, version = first_action(client, game), game.version
    first = send_turn(client, game, action, version, key="one")
    game.refresh_from_db()
    rule_game(
        game_id=game.pk,
        organiser=organiser,
        data={"act": "replace", "seat": seat},
        substitute=make_member(club).user,
        expected_version=game.version,
        now=NOW,
    )

    again = send_turn(client, game, action, version, key="one")

    assert same(first, again)
    assert again.json()["position"]["viewer"] == seat


def test_a_ruling_is_repeated_the_same_by_an_organiser_who_takes_the_seat(game):
    organiser = make_member(game.club, role="organiser").user
    client = client_of(organiser)
    body = {"act": "replace", "seat": "A", "member": str(organiser.uuid), "expected_version": game.version}

    first = client.post(address(game, "rulings"), body, headers={"Idempotency-Key": "r"})
    again = client.post(address(game, "rulings"), body, headers={"Idempotency-Key": "r"})

    assert first.status_code == 201, first.content
    assert same(first, again)
    assert first.json()["position"]["viewer"] is None
    assert client.get(address(game)).json()["position"]["viewer"] == "A"


def test_the_same_key_with_another_request_is_refused(game):
    client = on_turn(game)
    one, other = (without_claims(action) for action in legal_now(client, game)["actions"][:2])
    version = game.version
    send_turn(client, game, one, version, key="one")

    assert code_of(send_turn(client, game, other, version, key="one")) == (422, "key_reused")


def test_keys_belong_to_one_member_and_one_game(game):
    first, second = make_game(2), game
    for each in (first, second):
        for _ in range(2):
            client = on_turn(each)
            assert send_turn(client, each, first_action(client, each), key="same").status_code == 201

    assert Receipt.objects.count() == 4


def test_a_refused_request_uses_no_key_up(game):
    client = on_turn(game)
    action = first_action(client, game)

    assert send_turn(client, game, action, game.version - 1, key="one").status_code == 412
    assert send_turn(client, game, action, game.version, key="one").status_code == 201


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "x" * 201, "a\tb", "\x7f"])
def test_a_bad_key_is_malformed(game, key):
    client = on_turn(game)
    action = first_action(client, game)

    answer = client.post(
        address(game, "turns"), action, headers={"If-Match": f'"v{game.version}"', "Idempotency-Key": key}
    )

    assert code_of(answer) == (400, "invalid")
    assert answer.json()["errors"][0]["field"] == "Idempotency-Key"


def test_a_key_of_two_hundred_signs_is_taken(game):
    client = on_turn(game)

    assert send_turn(client, game, first_action(client, game), key="~!" * 100).status_code == 201


# Races, with real commits --------------------------------------------------------------------------


def at_once(*works):
    """Call all of `works` at the same moment, each on a connection of its own."""
    barrier = Barrier(len(works))

    def call(work):
        connection.ensure_connection()
        barrier.wait(30)
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(call, works))


@pytest.mark.django_db(transaction=True)
def test_of_fifty_different_plays_of_one_turn_one_is_accepted():
    game = make_game(2, hands="open", hand_size=40)
    game.refresh_from_db()
    member = player_on_turn(game)
    client = client_of(member)
    actions = [without_claims(action) for action in legal_now(client, game)["actions"]][:50]
    clients = [client_of(member) for _ in actions]
    version = game.version

    answers = at_once(
        *(
            lambda c=c, action=action: c.post(
                address(game, "turns"), action, headers={"If-Match": f'"v{version}"'}
            )
            for c, action in zip(clients, actions, strict=True)
        )
    )

    statuses = [answer.status_code for answer in answers]
    assert len({str(action) for action in actions}) == len(statuses) == 50
    assert statuses.count(201) == 1
    assert statuses.count(412) + statuses.count(409) == 49
    game.refresh_from_db()
    assert game.version == version + 1


@pytest.mark.django_db(transaction=True)
def test_of_fifty_members_who_join_one_seat_one_gets_it():
    club = make_club(organiser=(organiser := make_user()))
    made = client_of(organiser).post(GAMES, {"club": club.slug, "seats": 2}).json()
    clients = [client_of(make_member(club).user) for _ in range(50)]

    answers = at_once(*(lambda c=c: c.post(f"{GAMES}/{made['id']}/seats", {"seat": "B"}) for c in clients))

    statuses = [answer.status_code for answer in answers]
    assert (statuses.count(201), statuses.count(409)) == (1, 49)
    assert Game.objects.get().status == "active"


@pytest.mark.django_db(transaction=True)
def test_one_request_sent_twenty_times_at_once_is_carried_out_once():
    game = make_game(2)
    game.refresh_from_db()
    member = player_on_turn(game)
    action, version = first_action(client_of(member), game), game.version
    clients = [client_of(member) for _ in range(20)]

    answers = at_once(
        *(
            lambda c=c: c.post(
                address(game, "turns"),
                action,
                headers={"If-Match": f'"v{version}"', "Idempotency-Key": "one"},
            )
            for c in clients
        )
    )

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotency-Replayed" in answer for answer in answers) == 19
    game.refresh_from_db()
    assert game.version == version + 1
