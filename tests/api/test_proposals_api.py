"""From a proposal to the first turn over the API, and the lists of games."""

import json
from datetime import timedelta

import pytest

from games.play.models import Game
from games.play.services.proposing import propose_game
from games.rules.ruleset import BadOption, make_ruleset
from tests.api.builders import API, GAMES, address, client_of, code_of, on_turn, send_turn
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game, play_one, play_to_the_end, player_on_turn

pytestmark = pytest.mark.django_db

NOBODY = "00000000-0000-4000-8000-000000000000"


class Cast:
    """Alice organises the closed club; Bob and Cleo are in it; Olga is not."""

    def __init__(self) -> None:
        self.alice, self.bob, self.cleo, self.olga = (make_user(n) for n in ("alice", "bob", "cleo", "olga"))
        self.club = make_club("tuesday", organiser=self.alice)
        make_member(self.club, self.bob)
        make_member(self.club, self.cleo)
        for name in ("alice", "bob", "cleo", "olga"):
            setattr(self, f"as_{name}", client_of(getattr(self, name)))

    def propose(self, client=None, **fields):
        return (client or self.as_bob).post(GAMES, {"club": "tuesday", "seats": 2} | fields)


@pytest.fixture
def people() -> Cast:
    return Cast()


def seat_of(game, letter):
    return next(seat for seat in game["seats"] if seat["seat"] == letter)


def test_a_member_proposes_and_another_joins_which_starts_the_game(people):
    made = people.propose(name="Tea", nonce="00ff")
    game = made.json()

    assert made.status_code == 201, made.content
    assert made["Location"] == f"{GAMES}/{game['id']}"
    assert made["ETag"].startswith('"v2-A-')
    assert (game["status"], game["position"], game["you"]) == (
        "proposed", None, {"seat": "A", "may_act": False},
    )  # fmt: skip
    assert len(game["seal"]) == 64

    joined = people.as_cleo.post(f"{GAMES}/{game['id']}/seats", {"nonce": "a1"})

    assert joined.status_code == 201, joined.content
    after = joined.json()
    assert (after["status"], after["you"]["seat"], after["version"]) == ("active", "B", 4)
    assert after["position"]["turn"]["number"] == 1
    events = people.as_bob.get(f"{GAMES}/{game['id']}/events").json()
    assert events["results"][-1]["body"]["nonces"] == ["00ff", "a1"]


def test_house_rules_are_shown_wherever_the_game_is(people):
    game = people.propose(options={"lines_to_win": 1, "hands": "open"}).json()

    assert game["house_rules"] == {"lines_to_win": 1, "hands": "open"}
    listed = people.as_cleo.get(GAMES).json()["results"][0]
    assert listed["house_rules"] == game["house_rules"]


@pytest.mark.parametrize("seats", [0, 1, 5, 7, 11, 13, 24])
def test_seats_that_cannot_play_are_refused_with_the_allowed_numbers(people, seats):
    answer = people.propose(seats=seats)

    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["rule"]) == (422, "bad_player_count", "R4")
    assert "2, 3, 4, 6, 8, 9, 10, 12" in problem["detail"]
    assert problem["errors"][0]["field"] == "seats"
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("seats", "teams", "words"), [(6, None, "2 or 3"), (12, None, "2 or 3"), (4, 3, "2"), (2, 0, "2")]
)
def test_teams_that_do_not_fit_are_refused(people, seats, teams, words):
    answer = people.propose(seats=seats, teams=teams)

    assert code_of(answer) == (422, "bad_team_count")
    assert words in answer.json()["detail"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"lines_to_win": 0}, "options.lines_to_win"),
        ({"lines_to_win": "two"}, "options.lines_to_win"),
        ({"lines_to_win": 1.0}, "options.lines_to_win"),
        ({"overlap": "none"}, "options.overlap"),
        ({"overlap": ["pairwise"]}, "options.overlap"),
        ({"wild": ["Jc"]}, "options.wild"),
        ({"wild": [["Jc"]]}, "options.wild"),
        ({"wild": {"Jc": 1}}, "options.wild"),
        ({"chip_limit": [50]}, "options.chip_limit"),
        ({"chip_limit": [50, {}]}, "options.chip_limit"),
        ({"no_such": 1}, "options.no_such"),
        ({"": 1}, "options."),
        ({"seats": 4}, "seats"),
        ({"edition": "classic"}, "edition"),
        ({"jacks_can_be_dead": 1}, "options.jacks_can_be_dead"),
        ({"hand_size": 60}, "options.hand_size"),
    ],
)
def test_a_bad_option_is_named(people, options, field):
    answer = people.propose(options=options)

    assert code_of(answer) == (422, "bad_option")
    assert answer.json()["errors"][0]["field"] == field
    assert answer.json()["rule"].startswith("R")


def test_an_edition_that_is_not_known_is_refused(people):
    answer = people.propose(edition="../classic")

    assert code_of(answer) == (422, "bad_option")
    assert answer.json()["errors"][0]["field"] == "edition"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seat": "AA"}, "seat"),
        ({"seat": 0}, "seat"),
        ({"seats": "two"}, "seats"),
        ({"seats": [2]}, "seats"),
        ({"seats": None}, "seats"),
        ({"options": []}, "options"),
        ({"options": "lines_to_win=1"}, "options"),
        ({"expiry": "never"}, "expiry"),
        ({"name": "a\nb"}, "name"),
        ({"name": "n" * 81}, "name"),
        ({"nonce": "XY"}, "nonce"),
        ({"nonce": "f"}, "nonce"),
        ({"invited": [{"seat": "B"}]}, "invited.0.member"),
        ({"invited": [{"seat": "B", "member": "bob"}]}, "invited.0.member"),
        ({"invited": {}}, "invited"),
        ({"bots": ["A"]}, "bots.0"),
        ({"bots": [None]}, "bots.0"),
        ({"bots": "B"}, "bots"),
        ({"seed": 1}, "seed"),
    ],
)
def test_a_malformed_proposal_names_the_field(people, fields, field):
    answer = people.propose(**fields)

    assert answer.status_code == 400, answer.content
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert not Game.objects.exists()


def test_only_members_propose_in_a_club(people):
    assert code_of(people.propose(people.as_olga)) == (404, "not_found")
    people.club.is_open = True
    people.club.save()
    assert code_of(people.propose(people.as_olga)) == (403, "not_allowed")


def test_a_seat_is_kept_for_whom_the_proposer_invites(people):
    make_member(people.club, people.olga)
    game = people.propose(seats=3, invited=[{"seat": "B", "member": str(people.cleo.uuid)}]).json()
    seats = f"{GAMES}/{game['id']}/seats"

    assert seat_of(game, "B")["kept_for"] == str(people.cleo.uuid)
    assert code_of(people.as_olga.post(seats, {"seat": "B"})) == (409, "seat_unavailable")
    assert people.as_olga.post(seats, {}).json()["you"]["seat"] == "C"
    assert people.as_cleo.post(seats, {}).json()["status"] == "active"


def test_an_invitation_is_changed_and_taken_back(people):
    game = people.propose().json()
    invitation = f"{GAMES}/{game['id']}/seats/B/invitation"

    kept = people.as_bob.put(invitation, {"member": str(people.cleo.uuid)})
    by_cleo = people.as_cleo.put(invitation, {"member": None})
    freed = people.as_alice.put(invitation, {"member": None})

    assert seat_of(kept.json(), "B")["kept_for"] == str(people.cleo.uuid)
    assert code_of(by_cleo) == (403, "not_allowed")
    assert seat_of(freed.json(), "B")["kept_for"] is None
    assert code_of(people.as_bob.put(invitation, {"member": str(people.olga.uuid)})) == (
        409,
        "seat_unavailable",
    )
    assert code_of(people.as_bob.put(invitation, {"member": NOBODY})) == (400, "invalid")
    assert code_of(people.as_bob.put(invitation, {})) == (400, "invalid")
    assert code_of(people.as_bob.put(invitation.replace("/B/", "/C/"), {"member": None})) == (
        404,
        "not_found",
    )
    assert code_of(people.as_bob.put(invitation.replace("/B/", "/A/"), {"member": None})) == (
        409, "seat_unavailable",
    )  # fmt: skip


def test_a_proposal_with_a_refused_guest_stores_nothing(people):
    answer = people.propose(seats=3, invited=[{"seat": "B", "member": str(people.olga.uuid)}])

    assert code_of(answer) == (409, "seat_unavailable")
    assert not Game.objects.exists()


def test_bots_fill_seats_and_the_last_seat_starts_the_game(people):
    game = people.propose(seats=3, bots=["B"]).json()

    assert (seat_of(game, "B")["is_bot"], game["status"]) == (True, "proposed")
    assert code_of(people.as_cleo.post(f"{GAMES}/{game['id']}/bots", {"seat": "C"})) == (403, "not_allowed")
    assert people.as_bob.post(f"{GAMES}/{game['id']}/bots", {"seat": "C"}).json()["status"] == "active"
    assert people.propose(bots=["B"]).json()["status"] == "active"


def test_a_seat_is_given_back_by_its_holder_only(people):
    game = people.propose(seats=3).json()
    seats = f"{GAMES}/{game['id']}/seats"
    people.as_cleo.post(seats, {})

    assert code_of(people.as_alice.delete(f"{seats}/B")) == (403, "not_allowed")
    assert code_of(people.as_cleo.delete(f"{seats}/A")) == (403, "not_allowed")
    assert code_of(people.as_cleo.delete(f"{seats}/Z")) == (404, "not_found")
    assert people.as_cleo.delete(f"{seats}/b").status_code == 204
    assert seat_of(people.as_cleo.get(f"{GAMES}/{game['id']}").json(), "B")["player"] is None


def test_a_game_that_runs_gives_no_seat_back(people):
    game = people.propose(bots=["B"]).json()

    assert code_of(people.as_bob.delete(f"{GAMES}/{game['id']}/seats/A")) == (409, "seat_unavailable")
    assert code_of(people.as_cleo.post(f"{GAMES}/{game['id']}/seats", {})) == (409, "seat_unavailable")
    assert code_of(people.as_bob.delete(f"{GAMES}/{game['id']}")) == (409, "seat_unavailable")


def test_nobody_sits_twice(people):
    game = people.propose(seats=3).json()

    assert code_of(people.as_bob.post(f"{GAMES}/{game['id']}/seats", {})) == (409, "seat_unavailable")


@pytest.mark.parametrize(
    ("body", "field"),
    [({"seat": "D"}, "seat"), ({"seat": 1}, "seat"), ({"nonce": "zz"}, "nonce"), ({"seats": "B"}, "seats")],
)
def test_a_malformed_joining_names_the_field(people, body, field):
    game = people.propose(seats=3).json()

    answer = people.as_cleo.post(f"{GAMES}/{game['id']}/seats", body)

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == field


def test_the_proposer_or_an_organiser_withdraws_a_proposal(people):
    game = people.propose().json()

    assert code_of(people.as_cleo.delete(f"{GAMES}/{game['id']}")) == (403, "not_allowed")
    assert people.as_alice.delete(f"{GAMES}/{game['id']}").status_code == 204
    assert people.as_bob.get(f"{GAMES}/{game['id']}").json()["status"] == "withdrawn"
    assert code_of(people.as_bob.get(f"{GAMES}/{game['id']}/deal")) == (409, "not_started")
    assert code_of(people.as_bob.get(f"{GAMES}/{game['id']}/record")) == (409, "not_started")


# Lists ---------------------------------------------------------------------------------------------


def listed(client, **query):
    answer = client.get(GAMES, query)
    assert answer.status_code == 200, answer.content
    return [game["id"] for game in answer.json()["results"]]


def test_games_are_listed_newest_first_to_who_may_see_them(people):
    games = [people.propose().json()["id"] for _ in range(3)]
    open_game = make_game(2, club=make_club("owls", is_open=True))

    assert listed(people.as_cleo) == [open_game.pk, *reversed(games)]
    assert listed(people.as_olga) == listed(client_of(None)) == [open_game.pk]


def test_lists_are_filtered(people):
    club = people.club
    early = propose_game(proposer=people.bob, club=club, seats=3, now=NOW - timedelta(days=2))
    running = make_game(2, club=club)
    over = play_to_the_end(make_game(2, club=club))
    first = player_on_turn(running)
    client = client_of(first)
    second = running.places.exclude(member=first).get().member

    assert listed(client, status="active") == [running.pk]
    assert listed(client, status="proposed", seats=3) == [early.pk]
    assert listed(client, seats=2) == [over.pk, running.pk]
    assert listed(client, club="tuesday") == [over.pk, running.pk, early.pk]
    assert listed(client, club="owls") == []
    assert listed(client, mine="true") == listed(client, waiting="true") == [running.pk]
    assert listed(client_of(second), waiting="true") == []
    assert listed(client_of(second), mine="true") == [running.pk]
    assert listed(client_of(None), mine="true") == listed(client_of(None), waiting="true") == []
    assert listed(client, member=str(people.bob.uuid)) == [early.pk]
    assert listed(client, since=NOW.isoformat()) == [over.pk, running.pk]
    assert listed(client, until=NOW.isoformat()) == [early.pk]
    assert listed(client, source="imported") == []
    assert listed(client, limit=1) == [over.pk]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("status", "lost"), ("source", "x"), ("seats", "two"), ("seats", "9" * 40), ("member", "bob"),
        ("since", "soon"), ("until", "2026-13-01"), ("limit", "0"), ("limit", "201"),
        ("cursor", "x"), ("fields", "id,secret"),
    ],
)  # fmt: skip
def test_a_bad_filter_is_named(people, name, value):
    answer = people.as_bob.get(GAMES, {name: value})

    assert answer.status_code == 400, answer.content
    assert answer.json()["errors"][0]["field"] == name


def test_pages_follow_one_another(people):
    games = [people.propose().json()["id"] for _ in range(5)]
    seen, url = [], f"{GAMES}?limit=2&fields=id"
    while url:
        page = people.as_bob.get(url).json()
        assert all(set(game) == {"id"} for game in page["results"])
        seen += [game["id"] for game in page["results"]]
        url = page["next"]

    assert seen == games[::-1]


def test_a_list_takes_few_queries(people, django_assert_max_num_queries):
    for _ in range(4):
        people.propose()
    people.as_bob.get(GAMES)

    with django_assert_max_num_queries(4):
        assert len(listed(people.as_bob)) == 4


# Editions ------------------------------------------------------------------------------------------


def test_an_edition_shows_its_board_and_cards():
    nobody = client_of(None)

    assert {"name": "classic", "title": "Classic"} in nobody.get(f"{API}/editions").json()["results"]
    edition = nobody.get(f"{API}/editions/classic").json()
    assert edition["board"][0][:3] == ["**", "2s", "3s"]
    assert (len(edition["board"]), len(edition["cards"]), edition["packs"]) == (10, 52, 2)
    assert (edition["two_eyed_jacks"], edition["one_eyed_jacks"]) == (["Jc", "Jd"], ["Jh", "Js"])
    assert {"seats": 6, "teams": [2, 3], "hand_size": 5} in edition["tables"]
    assert nobody.get(f"{API}/editions/nothing").status_code == 404


def test_every_option_is_listed_with_values_that_it_takes():
    options = client_of(None).get(f"{API}/editions/classic").json()["options"]

    assert {option["name"] for option in options} == set(make_ruleset(2).options())
    for option in options:
        name, rule = option["name"], option["rule"]
        for value in option["values"]:
            make_ruleset(2, **{name: value})
        if option["default"] is not None:
            assert make_ruleset(2, **{name: option["default"]}).changed == {}
        for bound, beyond in (("least", -1), ("most", 1)):
            if option[bound] is not None:
                make_ruleset(2, **{name: option[bound]})
                with pytest.raises(BadOption) as refused:
                    make_ruleset(2, **{name: option[bound] + beyond})
                assert refused.value.rule == rule


# Rulings -------------------------------------------------------------------------------------------


def rule(client, game, **body):
    game.refresh_from_db()
    return client.post(address(game, "rulings"), body, headers={"If-Match": f'"v{game.version}"'})


@pytest.fixture
def game(people) -> Game:
    game = make_game(3, club=people.club)
    game.refresh_from_db()
    return game


def test_an_organiser_rules_a_result_and_members_read_why(people, game):
    answer = rule(people.as_alice, game, act="rule", winner="blue", reason="Green gave up by mail.")

    assert answer.status_code == 201, answer.content
    assert answer.json()["position"]["result"] == {"winner": "blue", "end": "ruling"}
    reasons = people.as_cleo.get(address(game, "rulings")).json()["results"]
    assert [(each["text"], each["given_by"]["username"]) for each in reasons] == [
        ("Green gave up by mail.", "alice")
    ]
    events = people.as_cleo.get(address(game, "events"), {"after": game.version}).json()["results"]
    assert events[0]["body"]["reason_hash"] == reasons[0]["hash"]
    assert "Green gave up" not in str(events)


def test_outsiders_of_an_open_club_do_not_read_reasons(people, game):
    people.club.is_open = True
    people.club.save()

    assert code_of(people.as_olga.get(address(game, "rulings"))) == (403, "not_allowed")
    assert code_of(client_of(None).get(address(game, "rulings"))) == (401, "not_signed_in")


def test_a_game_is_annulled_even_when_it_is_over_and_its_tag_changes(people, game):
    rule(people.as_alice, game, act="rule", winner="draw", reason="Agreed.")
    before = people.as_cleo.get(address(game))

    answer = rule(people.as_alice, game, act="annul", reason="Wrong table.")
    after = people.as_cleo.get(address(game), headers={"If-None-Match": before["ETag"]})

    assert answer.status_code == 201
    assert (before.json()["status"], after.json()["status"]) == ("finished", "annulled")
    assert before["ETag"] != after["ETag"]


def test_a_substitute_takes_over_and_the_tenure_is_recorded(people, game):
    out = game.places.get(number=1).member

    answer = rule(people.as_alice, game, act="replace", seat="B", member=str(people.cleo.uuid))

    assert answer.status_code == 201, answer.content
    assert people.as_cleo.get(address(game)).json()["you"]["seat"] == "B"
    tenures = [t for t in people.as_cleo.get(address(game, "tenures")).json()["results"] if t["seat"] == "B"]
    assert [tenure["member"]["username"] for tenure in tenures] == [out.username, "cleo"]
    assert tenures[0]["until_version"] == tenures[1]["from_version"] == answer.json()["version"]


def test_the_clock_is_paused_and_started_again(people, game):
    assert (
        rule(people.as_alice, game, act="pause", reason="Holidays.").json()["position"]["is_paused"] is True
    )
    assert rule(people.as_alice, game, act="resume", reason="Back.").json()["position"]["is_paused"] is False


def test_table_talk_costs_cards_which_are_paid_out_of_turn(people, game):
    answer = rule(people.as_alice, game, act="table_talk", team="green")
    client = client_of(game.places.get(number=1).member)
    legal = client.get(address(game, "legal")).json()

    assert answer.json()["position"]["cards_owed"] == {"B": 1}
    assert {action["act"] for action in legal["actions"]} == {"pay"}
    assert listed(client, waiting="true") == [game.pk]
    paid = send_turn(client, game, legal["actions"][0])
    assert paid.json()["position"]["hands"]["B"]["size"] == 5


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"act": "rule", "winner": "red", "reason": "x"}, 201, None),
        ({"act": "rule", "winner": "pink", "reason": "x"}, 400, "invalid"),
        ({"act": "rule", "reason": "x"}, 400, "invalid"),
        ({"act": "rule", "winner": "red"}, 400, "invalid"),
        ({"act": "rule", "winner": "red", "reason": "x" * 2001}, 400, "invalid"),
        ({"act": "annul", "reason": "  "}, 400, "invalid"),
        ({"act": "table_talk"}, 400, "invalid"),
        ({"act": "table_talk", "team": ["green"]}, 400, "invalid"),
        ({"act": "replace", "seat": "B"}, 400, "invalid"),
        ({"act": "replace", "seat": "D", "member": NOBODY}, 400, "invalid"),
        ({"act": "replace", "seat": "B", "member": NOBODY}, 400, "invalid"),
        ({"act": "replace", "seat": "B", "member": "cleo"}, 400, "invalid"),
        ({"act": "hang"}, 400, "invalid"),
        ({"act": "expire"}, 201, None),
        ({"act": "resume", "reason": "x"}, 409, "not_active"),
    ],
)
def test_rulings_are_judged(people, game, body, status, code):
    answer = rule(people.as_alice, game, **body)

    assert answer.status_code == status, answer.content
    if code:
        assert answer.json()["code"] == code


def test_members_do_not_rule(people, game):
    assert code_of(rule(people.as_cleo, game, act="expire")) == (403, "not_allowed")
    assert code_of(rule(client_of(people.alice, "read play"), game, act="expire")) == (403, "missing_scope")
    assert code_of(rule(people.as_olga, game, act="expire")) == (404, "not_found")


# Events --------------------------------------------------------------------------------------------


def test_events_come_in_order_after_a_number(people, game):
    play_one(game)
    client = on_turn(game)

    page = client.get(address(game, "events"), {"after": 2, "limit": 2}).json()
    rest = client.get(address(game, "events"), {"after": 4}).json()

    game.refresh_from_db()
    assert [event["number"] for event in page["results"]] == [3, 4]
    assert page["version"] == game.version
    numbers = [event["number"] for event in rest["results"]]
    assert numbers == list(range(5, game.version + 1))
    assert rest["results"][0]["prev_hash"] == page["results"][-1]["hash"]
    assert rest["results"][-1]["seat"] in ("A", "B", "C")


def test_events_stream_as_rows_of_json(people, game):
    answer = on_turn(game).get(address(game, "events"), headers={"Accept": "application/x-ndjson"})

    assert answer["Content-Type"] == "application/x-ndjson"
    rows = [json.loads(row) for row in b"".join(answer.streaming_content).splitlines()]
    assert [row["number"] for row in rows] == list(range(1, game.version + 1))
    assert rows == on_turn(game).get(address(game, "events")).json()["results"]


@pytest.mark.parametrize(
    ("name", "value"), [("after", "x"), ("after", "-1"), ("limit", "0"), ("limit", "201")]
)
def test_bad_bounds_of_events_are_named(people, game, name, value):
    answer = people.as_bob.get(address(game, "events"), {name: value})

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == name
