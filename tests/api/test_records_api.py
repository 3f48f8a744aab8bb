"""Records over the API: out in three views and two forms, in judged whole; the deal behind them."""

import hashlib
import json

import pytest

from games.play import queries
from games.play.dealing import publish_deal
from games.play.models import Game
from games.rules.deal import seal_of
from games.rules.replay import replay
from games.rules.sqn_json import read
from tests.api.builders import API, address, client_of, code_of, on_turn
from tests.builders import make_club, make_member, make_user
from tests.play.builders import make_game, play_one, play_to_the_end

pytestmark = pytest.mark.django_db

RECORDS = f"{API}/records"


@pytest.fixture
def game() -> Game:
    game = make_game(2)
    for number in range(6):
        play_one(game, pick=number)
    return game


@pytest.fixture
def finished() -> Game:
    return play_to_the_end(make_game(2))


def player(game, seat):
    return client_of(game.places.get(number=seat).member)


def record(client, game, accept=None, **query):
    headers = {} if accept is None else {"Accept": accept}
    return client.get(address(game, "record"), query, headers=headers)


@pytest.mark.parametrize(
    ("accept", "query", "media_type"),
    [
        (None, {}, "application/sqn+json"),
        ("*/*", {}, "application/sqn+json"),
        ("application/sqn+json", {}, "application/sqn+json"),
        ("application/json", {}, "application/json"),
        ("application/x-sqn", {}, "application/x-sqn"),
        (None, {"as": "sqn"}, "application/x-sqn"),
        ("application/x-sqn", {"as": "json"}, "application/sqn+json"),
    ],
)
def test_a_record_comes_in_the_form_that_is_asked_for(game, accept, query, media_type):
    answer = record(player(game, 0), game, accept, **query)

    assert answer["Content-Type"] == f"{media_type}; charset=utf-8"
    assert read(answer.content.decode()).view == "public"


def test_a_form_that_is_not_there_is_refused(game):
    assert code_of(record(player(game, 0), game, "image/png")) == (406, "not_acceptable")
    assert code_of(record(player(game, 0), game, **{"as": "pgn"})) == (400, "invalid")


def test_while_the_game_runs_each_sees_the_public_view_and_the_own(game):
    mine = player(game, 0)
    spectator = client_of(make_member(game.club).user)

    own = record(mine, game, view="seat:A").json()

    assert len(own["hands"]["A"]) == 7
    assert set(own["hands"]["B"]) == {"?"}
    assert "deal" not in own
    for client in (mine, spectator):
        assert record(client, game, view="public").status_code == 200
        assert code_of(record(client, game, view="full")) == (409, "not_over")
        assert code_of(record(client, game, view="seat:B")) == (403, "not_allowed")
    assert code_of(record(spectator, game, view="seat:A")) == (403, "not_allowed")


@pytest.mark.parametrize("view", ["", "seat:C", "seat:a", "seat:", "seat:AB", "all", "FULL"])
def test_a_view_that_no_game_has_is_malformed(game, view):
    answer = record(player(game, 0), game, view=view)

    assert code_of(answer) == (400, "invalid")
    assert answer.json()["errors"][0]["field"] == "view"


def test_when_the_game_is_over_all_see_all(finished):
    spectator = client_of(make_member(finished.club).user)

    for view in ("full", "public", "seat:A", "seat:B"):
        assert record(spectator, finished, view=view).json()["view"] == view
    full = record(spectator, finished).json()
    assert len(full["deal"]["secret"]) == 64
    assert replay(read(json.dumps(full))).state.turns == finished.turns


@pytest.mark.parametrize("form", ["sqn", "json", "object"])
def test_a_record_goes_out_and_comes_in_the_same(finished, form):
    organiser = make_user()
    club = make_club(organiser=organiser)
    sent = record(player(finished, 0), finished, **{"as": "sqn" if form == "sqn" else "json"})
    body = sent.json() if form == "object" else sent.content.decode()

    answer = client_of(organiser).post(RECORDS, {"club": club.slug, "record": body, "name": "Again"})

    assert answer.status_code == 201, answer.content
    copy = answer.json()
    assert answer["Location"] == f"{API}/games/{copy['id']}"
    there = player(finished, 0).get(address(finished)).json()
    assert (copy["source"], copy["name"], copy["status"]) == ("imported", "Again", "finished")
    assert (copy["winner"], copy["end"], copy["turns"]) == (there["winner"], there["end"], there["turns"])
    for part in ("chips", "locked", "lines", "hands", "discards", "draw_pile"):
        assert copy["position"][part] == there["position"][part]
    deal = client_of(organiser).get(f"{API}/games/{copy['id']}/deal").json()
    assert (deal["seal_holds"], deal["deal_holds"]) == (True, True)


def test_a_public_record_comes_in_without_hands(game):
    organiser = make_user()
    club = make_club(organiser=organiser)
    text = record(player(game, 0), game, **{"as": "sqn"}).content.decode()

    answer = client_of(organiser).post(RECORDS, {"club": club.slug, "record": text})

    assert answer.status_code == 201, answer.content
    copy = answer.json()
    assert copy["status"] == "unfinished"
    deal = client_of(organiser).get(f"{API}/games/{copy['id']}/deal").json()
    assert (deal["deck"], deal["secret"], deal["deal_holds"]) == (None, None, None)


def test_only_members_bring_records_into_a_club(finished):
    text = record(player(finished, 0), finished, **{"as": "sqn"}).content.decode()
    outsider = client_of(make_user())
    body = {"club": finished.club.slug, "record": text}

    assert code_of(outsider.post(RECORDS, body)) == (404, "not_found")
    finished.club.is_open = True
    finished.club.save()
    assert code_of(outsider.post(RECORDS, body)) == (403, "not_allowed")
    assert Game.objects.count() == 1


def test_a_record_is_checked_and_nothing_is_stored(finished):
    full = record(player(finished, 0), finished).json()
    public = record(player(finished, 0), finished, view="public", **{"as": "sqn"}).content.decode()
    client = client_of(make_user(), "read")

    sealed = client.post(f"{RECORDS}/check", {"record": full}).json()
    open_ended = client.post(f"{RECORDS}/check", {"record": public}).json()

    assert sealed == {
        "edition": "classic",
        "seat_count": 2,
        "team_count": 2,
        "house_rules": {},
        "view": "full",
        "turns": finished.turns,
        "result": {"winner": finished.winner_name, "end": finished.end},
        "seal_holds": True,
        "deal_holds": True,
    }
    assert open_ended == sealed | {"view": "public", "seal_holds": None, "deal_holds": None}
    assert Game.objects.count() == 1


def damaged(full, how):
    if how == "turn":
        full["turns"][4]["space"] = full["turns"][3]["space"]
    elif how == "draw":
        full["turns"][5]["draw"] = "2c" if full["turns"][5]["draw"] != "2c" else "3c"
    elif how == "seal":
        full["seal"] = "sha256:" + "0" * 64
    elif how == "secret":
        full["deal"]["secret"] = "00" * 32
    elif how == "result":
        full["result"]["winner"] = "green" if full["result"]["winner"] == "blue" else "blue"
    elif how == "seats":
        full["seats"] = full["seats"] * 9
    return full


@pytest.mark.parametrize("how", ["turn", "draw", "seal", "secret", "result", "seats"])
@pytest.mark.parametrize("route", ["check", "import"])
def test_a_damaged_record_is_refused_with_the_turn_the_token_and_the_reason(finished, how, route):
    full = damaged(record(player(finished, 0), finished).json(), how)
    client = player(finished, 0)
    body = {"record": json.dumps(full)} | ({"club": finished.club.slug} if route == "import" else {})

    answer = client.post(RECORDS if route == "import" else f"{RECORDS}/check", body)

    problem = answer.json()
    assert code_of(answer) == (422, "bad_record")
    assert problem["token"]
    assert problem["reason"]
    assert bool(problem["turn"]) is (how in ("turn", "draw", "result"))
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    "text",
    [
        "", "chess", '[SQN "1"]', "{", "{}", "[]", "null", '{"sqn": 1, "turns": 3}', '{"sqn": NaN}',
        "1A " * 9000, '{"sqn": 1, "seats": ' + "[" * 9000,
        '[SQN "1"] [Seats "A=a:blue B=b:green C=c:blue D=d:green E=e:blue"] 1A --',
    ],
)  # fmt: skip
def test_what_is_no_record_is_refused(text):
    answer = client_of(make_user()).post(f"{RECORDS}/check", {"record": text})

    assert code_of(answer) == (422, "bad_record")


@pytest.mark.parametrize("record_value", [1, None, [], True, 1.5])
def test_a_record_is_text_or_an_object(record_value):
    answer = client_of(make_user()).post(f"{RECORDS}/check", {"record": record_value})

    assert code_of(answer) == (400, "invalid")
    assert answer.json()["errors"][0]["field"] == "record"


def test_a_deck_of_other_cards_is_refused():
    deck = [card for card in read_deck() for _ in range(2)]
    text = json.dumps(
        {
            "sqn": 1,
            "seats": [
                {"seat": "A", "name": "a", "team": "blue"},
                {"seat": "B", "name": "b", "team": "green"},
            ],
            "deal": {"deck": deck[:50]},
            "turns": [],
        }
    )

    assert code_of(client_of(make_user()).post(f"{RECORDS}/check", {"record": text})) == (422, "bad_record")


def read_deck():
    return client_of(None).get(f"{API}/editions/classic").json()["cards"]


# The deal ------------------------------------------------------------------------------------------


def test_the_deal_is_told_when_the_game_is_over(finished):
    deal = player(finished, 0).get(address(finished, "deal")).json()

    assert seal_of(bytes.fromhex(deal["secret"])) == deal["seal"] == finished.seal
    assert hashlib.sha256(b"sequence-seal/1|" + bytes.fromhex(deal["secret"])).hexdigest() == deal["seal"]
    assert (deal["seal_holds"], deal["deal_holds"]) == (True, True)
    assert (len(deal["deck"]), len(set(deal["deck"]))) == (104, 52)
    assert deal["cuts"][0]
    position = player(finished, 0).get(address(finished)).json()["position"]
    assert len(deal["reshuffles"]) == position["reshuffles"]


def test_a_secret_that_was_not_sealed_is_found_out(finished):
    loaded = queries.seen_game(finished.pk, finished.places.get(number=0).member).loaded

    other = publish_deal(loaded, "00" * 32)

    assert (other.seal_holds, other.deal_holds) == (False, False)


def test_the_deal_is_a_secret_while_the_game_runs(game):
    assert code_of(on_turn(game).get(address(game, "deal"))) == (409, "not_over")
