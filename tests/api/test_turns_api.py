"""Taking turns over the API: what is answered, what is refused, and how."""

import pytest

from games.play.models import Game
from tests.api.builders import (
    address,
    client_of,
    code_of,
    first_action,
    legal_now,
    on_turn,
    send_turn,
    without_claims,
)
from tests.builders import make_club, make_member, make_user
from tests.play.builders import make_game, play_one, play_to_the_end, player_on_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = make_game(2)
    game.refresh_from_db()
    return game


def other_player(game):
    return game.places.exclude(number=game.turn_seat).get().member


def test_a_turn_answers_with_the_position_after_it(game):
    client = on_turn(game)
    action = first_action(client, game)

    answer = send_turn(client, game, action)

    assert answer.status_code == 201, answer.content
    body = answer.json()
    assert set(body) == {"game", "version", "position"}
    assert (body["game"], body["version"]) == (game.pk, game.version + 1)
    assert action["space"] in [space for spaces in body["position"]["chips"].values() for space in spaces]
    seat = body["position"]["viewer"]
    assert answer["ETag"] == f'"v{body["version"]}-{seat}"'
    assert len(body["position"]["hands"][seat]["cards"]) == 7
    assert [hand["cards"] for letter, hand in body["position"]["hands"].items() if letter != seat] == [None]
    assert "Idempotency-Replayed" not in answer


def test_every_listed_action_may_be_sent_as_it_stands(game):
    for number in range(60):
        client = on_turn(game)
        actions = legal_now(client, game)["actions"]
        answer = send_turn(client, game, without_claims(actions[number * 7 % len(actions)]))
        assert answer.status_code == 201, answer.content
        game.refresh_from_db()
        if game.turn_seat is None:
            break

    assert game.turns > 20


@pytest.mark.parametrize("tag", ['"v{0}"', '"v{0}-A"', '"v{0}--"', 'W/"v{0}-B"', '"v{0}-A-0a1b2c3d"'])
def test_the_version_may_be_given_as_any_tag_of_it(game, tag):
    client = on_turn(game)

    answer = client.post(
        address(game, "turns"), first_action(client, game), headers={"If-Match": tag.format(game.version)}
    )

    assert answer.status_code == 201, answer.content


def test_the_tag_of_the_game_itself_goes_into_if_match(game):
    client = on_turn(game)
    tag = client.get(address(game))["ETag"]

    answer = client.post(address(game, "turns"), first_action(client, game), headers={"If-Match": tag})

    assert answer.status_code == 201, answer.content


def test_the_version_may_stand_in_the_body(game):
    client = on_turn(game)
    action = first_action(client, game)

    answer = client.post(address(game, "turns"), action | {"expected_version": game.version})

    assert answer.status_code == 201


def test_without_a_version_nothing_is_carried_out(game):
    client = on_turn(game)

    answer = client.post(address(game, "turns"), first_action(client, game))

    assert code_of(answer) == (428, "version_missing")
    assert Game.objects.get().version == game.version


def test_a_stale_version_is_refused_with_the_present_one(game):
    client = on_turn(game)
    action = first_action(client, game)

    answer = send_turn(client, game, action, version=game.version - 1)

    assert code_of(answer) == (412, "version_stale")
    assert answer.json()["version"] == game.version
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "tag", ["v9", '"9"', "*", '"v9", "v10"', '"v"', '"v99999999999"', '"v-1"', '"vx"', "", '"v9-AB"', '"v٣"']
)
def test_a_bad_if_match_is_malformed(game, tag):
    client = on_turn(game)
    action = first_action(client, game)

    answer = client.post(address(game, "turns"), action, headers={"If-Match": tag})

    assert code_of(answer) == (400, "invalid")
    assert answer.json()["errors"][0]["field"] == "If-Match"


def test_two_versions_that_disagree_are_malformed(game):
    client = on_turn(game)
    action = first_action(client, game) | {"expected_version": game.version - 1}

    assert code_of(send_turn(client, game, action)) == (400, "invalid")


def test_it_must_be_ones_turn(game):
    client = client_of(other_player(game))

    answer = send_turn(client, game, {"act": "pass"})

    assert code_of(answer) == (409, "not_your_turn")
    assert answer.json()["rule"] == "R6"
    assert "legal" not in answer.json()


def test_without_a_seat_there_is_no_turn(game):
    club = game.club
    member = make_member(club).user

    assert code_of(send_turn(client_of(member), game, {"act": "pass"})) == (403, "not_seated")


def test_an_outsider_does_not_learn_that_the_game_exists(game):
    client = client_of(make_user())

    here = send_turn(client, game, {"act": "pass"})
    nowhere = client.post("/api/v1/games/999999/turns", {"act": "pass"}, headers={"If-Match": '"v1"'})

    assert here.status_code == nowhere.status_code == 404
    assert here.json() == nowhere.json()


def test_a_game_that_has_not_started_has_no_turn():
    alice = make_user()
    club = make_club(organiser=alice)
    client = client_of(alice)
    made = client.post("/api/v1/games", {"club": club.slug, "seats": 2}).json()

    answer = client.post(f"/api/v1/games/{made['id']}/turns", {"act": "pass", "expected_version": 2})

    assert code_of(answer) == (409, "not_started")


def test_a_finished_game_takes_no_turn():
    game = play_to_the_end(make_game(2))
    client = client_of(game.places.get(number=0).member)

    answer = send_turn(client, game, {"act": "pass"})

    assert code_of(answer) == (409, "game_over")
    assert Game.objects.get().version == game.version


def test_an_illegal_play_says_what_would_be_legal_with_the_card(game):
    client = on_turn(game)
    actions = [action for action in legal_now(client, game)["actions"] if action["act"] == "place"]
    action = next(each for each in actions if each["card"][0] != "J")
    right = [each["space"] for each in actions if each["card"] == action["card"]]
    wrong = next(space for space in ("b2", "e5", "h7") if space not in right)

    answer = send_turn(client, game, {"act": "place", "card": action["card"].lower(), "space": wrong})

    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["rule"]) == (422, "card_mismatch", "R8")
    assert action in problem["legal"]
    assert {each["card"] for each in problem["legal"]} == {action["card"]}
    assert problem["version"] == game.version
    assert Game.objects.get().version == game.version


def test_a_card_that_one_does_not_hold_brings_the_whole_list(game):
    client = on_turn(game)
    actions = legal_now(client, game)["actions"]
    held = {action["card"] for action in actions}
    card = next(card for card in ("2c", "3d", "4h", "5s", "6c", "7d", "8h", "9s") if card not in held)

    answer = send_turn(client, game, {"act": "place", "card": card, "space": "b2"})

    assert code_of(answer) == (422, "not_in_hand")
    assert answer.json()["legal"] == actions[:200]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "act"),
        ({"act": "fly"}, "act"),
        ({"act": ["pass"]}, "act"),
        ({"act": None}, "act"),
        ({"act": "place", "space": "c7"}, "card"),
        ({"act": "place", "card": "Qd"}, "space"),
        ({"act": "place", "card": "Xx", "space": "c7"}, "card"),
        ({"act": "place", "card": "Qd", "space": "z99"}, "space"),
        ({"act": "place", "card": "Qd", "space": "k1"}, "space"),
        ({"act": "place", "card": {"rank": "Q"}, "space": "c7"}, "card"),
        ({"act": "place", "card": "Qd", "space": ["c7"]}, "space"),
        ({"act": "place", "card": "Qd", "space": "c7", "lines": "c5g9"}, "lines"),
        ({"act": "place", "card": "Qd", "space": "c7", "lines": [["c5"]]}, "lines.0"),
        ({"act": "place", "card": "Qd", "space": "c7", "lines": [["c5", "z9"]]}, "lines"),
        ({"act": "pass", "card": "Qd"}, "card"),
        ({"act": "swap", "card": "Qd", "space": "c7"}, "space"),
        ({"act": "pass", "lines": []}, "lines"),
        ({"act": "announce"}, "lines"),
        ({"act": "pass", "note": "hello"}, "note"),
        ({"act": "pass", "expected_version": "forty"}, "expected_version"),
        ({"act": "pass", "expected_version": -1}, "expected_version"),
        ({"act": "pass", "expected_version": 2**62}, "expected_version"),
        ({"act": "pass", "expected_version": True}, "expected_version"),
    ],
)
def test_a_malformed_turn_names_the_field(game, body, field):
    answer = send_turn(on_turn(game), game, body)

    assert answer.status_code == 400, answer.content
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert Game.objects.get().version == game.version


def test_two_ends_that_bound_no_line_are_no_claim(game):
    client = on_turn(game)
    action = first_action(client, game) | {"lines": [["b2", "j9"]]}

    assert code_of(send_turn(client, game, action)) == (422, "bad_claim")


def test_a_token_for_reading_takes_no_turn(game):
    client = client_of(player_on_turn(game), "read organise")

    assert code_of(send_turn(client, game, {"act": "pass"})) == (403, "missing_scope")


def test_a_spectator_has_no_legal_action(game):
    member = make_member(game.club).user

    assert legal_now(client_of(member), game) == {
        "version": game.version, "seat": None, "actions": [], "unclaimed": [],
    }  # fmt: skip


def test_the_seat_that_waits_has_no_legal_action(game):
    client = client_of(other_player(game))

    legal = legal_now(client, game)
    you = client.get(address(game)).json()["you"]

    assert (legal["seat"], legal["actions"]) == (you["seat"], [])
    assert you["may_act"] is False
    assert on_turn(game).get(address(game)).json()["you"]["may_act"] is True


def test_a_resigned_seat_is_not_active():
    game = make_game(3)
    client = on_turn(game)

    assert send_turn(client, game, {"act": "resign"}).status_code == 201
    assert code_of(send_turn(client, game, {"act": "pass"})) == (409, "not_active")


def test_a_draw_is_offered_and_agreed(game):
    asking, answering = on_turn(game), client_of(other_player(game))

    offer = send_turn(asking, game, {"act": "offer_draw"}).json()["position"]["offer"]
    answer = send_turn(answering, game, {"act": "accept_draw"})

    assert offer == {"team": ["blue", "green"][game.turn_seat], "agreed": [offer["team"]]}
    assert answer.json()["position"]["result"] == {"winner": "draw", "end": "agreed"}
    assert None not in [hand["cards"] for hand in answer.json()["position"]["hands"].values()]


def test_at_an_earlier_version_the_board_is_as_it_was(game):
    before = on_turn(game).get(address(game)).json()
    member = player_on_turn(game)
    play_one(game)
    play_one(game)
    client = client_of(member)

    then = client.get(address(game), {"at": before["version"]}).json()
    now = client.get(address(game)).json()

    assert then["at"] == before["version"]
    assert then["position"] == before["position"]
    assert now["version"] == now["at"] == before["version"] + 2
    assert then["you"] == {"seat": before["you"]["seat"], "may_act": False}


@pytest.mark.parametrize("at", [0, 10_000])
def test_a_version_that_does_not_exist_is_not_found(game, at):
    assert code_of(on_turn(game).get(address(game), {"at": at})) == (404, "no_such_version")


@pytest.mark.parametrize("at", ["x", "-1", "", "1.5", "9" * 30, "٣"])
def test_a_version_that_is_no_number_is_malformed(game, at):
    assert code_of(on_turn(game).get(address(game), {"at": at})) == (400, "invalid")


def test_a_game_that_is_unchanged_is_not_sent_again(game):
    client = on_turn(game)
    first = client.get(address(game))

    again = client.get(address(game), headers={"If-None-Match": f'"v1", W/{first["ETag"]}'})
    play_one(game)
    later = client.get(address(game), headers={"If-None-Match": first["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    for answer in (first, again, later):
        assert answer["Cache-Control"] == "private, no-cache"
        assert {"Authorization", "Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))
    assert later.status_code == 200
    assert later["ETag"] != first["ETag"]


def test_two_viewers_and_two_languages(game):
    mine, other = on_turn(game), client_of(other_player(game))

    english = mine.get(address(game), headers={"Accept-Language": "en"})["ETag"]
    dutch = mine.get(address(game), headers={"Accept-Language": "nl"})["ETag"]

    assert english == dutch
    assert other.get(address(game))["ETag"] != english
    assert english.startswith(f'"v{game.version}-')


def test_an_earlier_version_gets_another_tag_when_the_game_is_over(game):
    client = client_of(other_player(game))
    at = {"at": game.version}
    running = client.get(address(game), at)
    send_turn(on_turn(game), game, {"act": "resign"})

    over = client.get(address(game), at, headers={"If-None-Match": running["ETag"]})

    assert over.status_code == 200
    assert None not in [hand["cards"] for hand in over.json()["position"]["hands"].values()]
    assert over.json()["position"]["result"] is None


def play_until(game, wanted):
    """Play on until `wanted(legal)` holds for the seat on turn; return its client and what is legal."""
    for number in range(60):
        client = on_turn(game)
        legal = legal_now(client, game)
        if wanted(legal):
            return client, legal
        play_one(game, pick=number)
    raise AssertionError("this never came up")


def test_full_lines_may_be_announced_where_they_have_to_be():
    game = make_game(2, claim="announce", line_length=2, lines_to_win=20)
    client, legal = play_until(game, lambda legal: legal["unclaimed"])

    answer = send_turn(client, game, {"act": "announce", "lines": legal["unclaimed"][:1]})

    assert answer.status_code == 201, answer.content
    line = answer.json()["position"]["lines"][-1]
    assert [line["spaces"][0], line["spaces"][-1]] == legal["unclaimed"][0]
    assert answer.json()["position"]["turn"]["seat"] == legal["seat"]


def test_a_placement_lists_the_sets_of_lines_that_it_may_claim():
    game = make_game(2, line_length=3, lines_to_win=20)
    client, legal = play_until(
        game, lambda legal: any(len(action.get("claims", [])) > 1 for action in legal["actions"])
    )
    action = next(action for action in legal["actions"] if len(action.get("claims", [])) > 1)

    answer = send_turn(client, game, without_claims(action) | {"lines": action["claims"][-1]})

    assert answer.status_code == 201, answer.content
    claimed = answer.json()["position"]["lines"]
    ends = [[line["spaces"][0], line["spaces"][-1]] for line in claimed]
    assert all(line in ends for line in action["claims"][-1])


def test_a_game_is_read_with_few_queries(game, django_assert_max_num_queries):
    client = on_turn(game)

    with django_assert_max_num_queries(5):  # the token, the game, its seats, the membership, the events
        client.get(address(game))
