"""Whatever is sent to whatever address: a clear refusal, nothing stored, never a fault of the server."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from games.play.models import Game
from tests.api.builders import API, GAMES, address, client_of, code_of, on_turn
from tests.builders import make_club, make_user
from tests.play.builders import make_game, play_one, player_on_turn

pytestmark = pytest.mark.django_db

HUGE = 10**30


@pytest.fixture
def game() -> Game:
    club = make_club(organiser=make_user())
    game = make_game(2, club=club)
    game.refresh_from_db()
    return game


@pytest.fixture
def organiser(game):
    """A client that may do everything: the member on turn, made an organiser."""
    member = player_on_turn(game)
    game.club.memberships.filter(user=member).update(role="organiser")
    return client_of(member)


def bodies(game) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return a good body for each route that takes one."""
    guest = str(game.places.get(number=0).member.uuid)
    nobody = "00000000-0000-4000-8000-000000000000"
    return {
        "games": (GAMES, {
            "club": game.club.slug, "seats": 3, "teams": 3, "edition": "classic",
            "options": {"hand_size": 5, "wild": ["Jc", "Jd"], "chip_limit": [50, 50, 35]},
            "name": "n", "expiry": "ask", "seat": "A", "nonce": "00", "bots": ["C"],
            "invited": [{"seat": "B", "member": guest}],
        }),
        "seats": (address(game, "seats"), {"seat": "A", "nonce": "00"}),
        "bots": (address(game, "bots"), {"seat": "A"}),
        "turns": (address(game, "turns"), {
            "act": "place", "card": "Qd", "space": "c7", "lines": [["c5", "g9"]],
            "expected_version": game.version,
        }),
        "rulings": (address(game, "rulings"), {
            "act": "replace", "seat": "A", "member": nobody, "team": "blue", "winner": "blue", "reason": "x",
            "expected_version": game.version,
        }),
        "records": (f"{API}/records", {"club": game.club.slug, "record": "[SQN \"1\"]", "name": "n"}),
        "check": (f"{API}/records/check", {"record": {"sqn": 1, "seats": [], "turns": []}}),
    }  # fmt: skip


ROUTES = ("games", "seats", "bots", "turns", "rulings", "records", "check")
WRONG = (None, True, -1, 0, 1.5, HUGE, "", "x" * 5000, "\u202e", [], [[]], [None], {}, {"a": {}}, ["A", 1])


def spoilt(value: Any) -> Iterator[Any]:
    """Yield `value` with one thing in it replaced by each wrong thing, at every depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            for wrong in (*WRONG, *spoilt(inner)):
                yield value | {name: wrong}
        yield value | {"unknown": 1}
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            for wrong in (*WRONG, *spoilt(inner)):
                yield [*value[:index], wrong, *value[index + 1 :]]


@pytest.mark.parametrize("route", ROUTES)
def test_wrong_values_anywhere_are_refused_without_a_fault(game, organiser, route):
    url, good = bodies(game)[route]
    organiser.raise_request_exception = False
    version = game.version

    for body in spoilt(good):
        answer = organiser.post(url, json.dumps(body), content_type="application/json")
        assert answer.status_code < 500, (body, answer.content)
        if answer.status_code >= 400:
            assert answer["Content-Type"] == "application/problem+json", (body, answer.content)
            assert answer.json()["code"]

    game.refresh_from_db()
    assert game.version == version


RAW = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "null": b"null",
    "text": b'"act"',
    "NaN": b'{"expected_version": NaN}',
    "Infinity": b'{"expected_version": -Infinity}',
    "a huge number": b'{"expected_version": ' + b"9" * 6000 + b"}",
    "a huge exponent": b'{"expected_version": 1e999}',
    "NUL": b'{"act": "pass\\u0000"}',
    "NUL in a key": b'{"act\\u0000": "pass"}',
    "half a surrogate pair": b'{"act": "\\ud800"}',
    "no UTF-8": b'{"act": "\xff"}',
    "depth": b'{"lines": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "a key twice": b'{"act": "pass", "act": "resign"}',
}


@pytest.mark.parametrize("what", RAW)
@pytest.mark.parametrize("route", ["games", "turns", "rulings", "records", "check"])
def test_a_body_that_is_not_good_json_is_malformed(game, organiser, route, what):
    url, _ = bodies(game)[route]

    answer = organiser.post(url, RAW[what], content_type="application/json")

    assert answer.status_code == 400, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert Game.objects.get().version == game.version


@pytest.mark.parametrize("route", ROUTES)
def test_ten_megabytes_are_too_large(game, organiser, route):
    url, _ = bodies(game)[route]

    answer = organiser.post(url, b'{"act": "' + b"x" * 10_000_000 + b'"}', content_type="application/json")

    assert code_of(answer) == (413, "too_large")


@pytest.mark.parametrize("route", ["games", "turns", "rulings", "records"])
def test_another_media_type_is_not_read(game, organiser, route):
    url, _ = bodies(game)[route]

    answer = organiser.post(url, b"act=pass", content_type="application/x-www-form-urlencoded")

    assert code_of(answer) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "number", ["0", "999999", str(2**31), str(2**63 - 1), str(2**63), str(2**64), "9" * 40, "9" * 5000]
)
@pytest.mark.parametrize("rest", ["", "/legal", "/events", "/tenures", "/record", "/deal", "/rulings"])
def test_a_number_that_no_game_has_is_not_found(organiser, number, rest):
    assert code_of(organiser.get(f"{GAMES}/{number}{rest}")) == (404, "not_found")


@pytest.mark.parametrize("number", ["999999", str(2**63), "9" * 40])
@pytest.mark.parametrize(
    ("rest", "method", "body"),
    [
        ("", "delete", None),
        ("/seats", "post", {}),
        ("/seats/A", "delete", None),
        ("/seats/A/invitation", "put", {"member": None}),
        ("/bots", "post", {"seat": "A"}),
        ("/turns", "post", {"act": "pass", "expected_version": 1}),
        ("/rulings", "post", {"act": "expire", "expected_version": 1}),
    ],
)
def test_nothing_is_done_to_a_game_that_does_not_exist(organiser, number, rest, method, body):
    assert code_of(getattr(organiser, method)(f"{GAMES}/{number}{rest}", body)) == (404, "not_found")


@pytest.mark.parametrize("number", ["-1", "1.5", "x", "٣", "1%00", "%FF", "..", "1e3", "0x1"])
def test_what_is_no_number_is_no_address(organiser, number):
    assert organiser.get(f"{GAMES}/{number}").status_code in (400, 404)


@pytest.mark.parametrize(
    "query", ["at=1&at=2", "at=", "at=%00", "at=1%20", "at=%F0%9F", "at[]=1", "=", "&&", "at=+1"]
)
@pytest.mark.parametrize("rest", ["", "/events", "/record", "/legal"])
def test_odd_queries_are_no_fault(game, organiser, query, rest):
    organiser.raise_request_exception = False

    assert organiser.get(address(game) + rest + "?" + query).status_code < 500


@pytest.mark.parametrize(
    "name", ["club", "status", "member", "since", "seats", "mine", "cursor", "fields", "limit"]
)
@pytest.mark.parametrize(
    "value", ["%00", "%F0%28", "a%0D%0Ab", "9" * 300, "[]", "%27%20OR%201=1", "-1", "NaN", "1e400"]
)
def test_odd_filters_are_no_fault(game, organiser, name, value):
    organiser.raise_request_exception = False

    assert organiser.get(f"{GAMES}?{name}={value}").status_code < 500


@pytest.mark.parametrize("tag", ["*", '""', '"v', "W/", "\u00e9", "x" * 5000, '"v1-A-' + "0" * 5000 + '"'])
def test_odd_tags_are_no_fault(game, organiser, tag):
    organiser.raise_request_exception = False

    assert organiser.get(address(game), headers={"If-None-Match": tag}).status_code in (200, 304)


@pytest.mark.parametrize("method", ["put", "patch", "trace"])
def test_a_method_that_an_address_does_not_take_is_told(game, method):
    answer = on_turn(game).generic(method.upper(), address(game))

    assert code_of(answer) == (405, "method_not_allowed")


def test_an_answer_in_another_form_is_refused(game):
    assert code_of(on_turn(game).get(address(game), headers={"Accept": "image/png"})) == (
        406,
        "not_acceptable",
    )


def test_the_name_of_a_game_may_be_in_any_script(game, organiser):
    body = {"club": game.club.slug, "seats": 2, "name": "Dinsdag ♠ 火曜日 🎴"}

    assert organiser.post(GAMES, body).json()["name"] == body["name"]


@pytest.fixture
def small_record(game, organiser) -> dict[str, Any]:
    """Return the full record of a short game that is over."""
    for _ in range(3):
        play_one(game)
    other = client_of(player_on_turn(game))
    game.refresh_from_db()
    over = {"act": "resign", "expected_version": game.version}
    assert other.post(address(game, "turns"), over).status_code == 201
    return organiser.get(address(game, "record")).json()


def test_a_record_that_is_wrong_anywhere_is_refused_without_a_fault(game, organiser, small_record):
    organiser.raise_request_exception = False

    for record in spoilt(small_record):
        for text in (record, json.dumps(record)):
            answer = organiser.post(
                f"{API}/records/check", json.dumps({"record": text}), content_type="application/json"
            )
            assert answer.status_code in (200, 400, 422), (record, answer.content)


@pytest.mark.parametrize("wrong", ["\0", "\ud800", "a\nb", "\x1b[2J", "x" * 5000])
@pytest.mark.parametrize("place", ["name", "tag", "key", "option", "substitute"])
def test_text_that_cannot_be_stored_is_refused_inside_a_record_too(
    game, organiser, small_record, wrong, place
):
    organiser.raise_request_exception = False
    if place == "name":
        small_record["seats"][0]["name"] = wrong
    elif place == "tag":
        small_record["tags"]["Event"] = wrong
    elif place == "key":
        small_record["tags"][wrong] = "x"
    elif place == "option":
        small_record["ruleset"]["overlap"] = wrong
    else:
        small_record["turns"].insert(1, {"n": 1, "seat": "B", "act": "substitute", "name": wrong})
    body = json.dumps({"club": game.club.slug, "record": json.dumps(small_record)})

    answer = organiser.post(f"{API}/records", body, content_type="application/json")

    assert answer.status_code in (201, 422), answer.content
    if answer.status_code == 201:
        assert organiser.get(answer["Location"]).status_code == 200
        assert organiser.get(answer["Location"] + "/record").status_code == 200
        assert organiser.get(answer["Location"] + "/record?as=sqn").status_code == 200
