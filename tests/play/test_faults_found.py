"""Faults that were found by looking for them, each held down by a test."""

from typing import Any

import pytest
from django.test import Client

from games.accounts.models import User
from games.play import log, queries
from games.play.models import Game, Status, Tenure
from games.play.services.importing import import_record
from games.play.services.organising import rule_game
from games.play.services.proposing import BadNonce, propose_game
from games.play.services.turns import take_turn
from games.play.services.upkeep import verify_game
from games.rules.refusal import IllegalAction
from games.rules.sqn_json import from_json
from tests.builders import NOW, make_club, make_token, make_user
from tests.play.builders import legal, make_game, play_one, player_on_turn
from tests.play.reading import proposal_form, propose, signed_in

pytestmark = pytest.mark.django_db

UNFINISHED = {
    "sqn": 1,
    "ruleset": {},
    "tags": {"Edition": "classic"},
    "seats": [
        {"seat": "A", "name": "a", "team": "blue"},
        {"seat": "B", "name": "b", "team": "green"},
    ],
    "deal": {"secret": bytes(range(32)).hex(), "nonces": []},
    "turns": [],
}


@pytest.fixture
def organiser() -> User:
    return make_user()


@pytest.fixture
def imported(organiser: User) -> Game:
    club = make_club(organiser=organiser)
    return import_record(member=organiser, club=club, record=from_json(UNFINISHED), now=NOW)


def rule(game: Game, organiser: User, data: dict[str, Any], **more: Any) -> None:
    rule_game(game_id=game.pk, organiser=organiser, data=data, expected_version=game.version, now=NOW, **more)


def test_a_record_with_a_secret_but_no_seal_or_cut_verifies(imported: Game) -> None:
    assert verify_game(imported.pk) == []


@pytest.mark.parametrize(
    "data",
    [
        {"act": "replace", "seat": "A"},
        {"act": "pause", "reason": "r"},
        {"act": "rule", "winner": "blue", "reason": "r"},
        {"act": "expire"},
    ],
    ids=str,
)
def test_an_unfinished_record_is_not_played_on(imported: Game, organiser: User, data: dict[str, Any]) -> None:
    with pytest.raises(IllegalAction) as refused:
        rule(imported, organiser, data, substitute=organiser)

    assert refused.value.code == "game_over"
    imported.refresh_from_db()
    assert imported.status == Status.UNFINISHED
    assert verify_game(imported.pk) == []


def test_an_unfinished_record_may_be_annulled(imported: Game, organiser: User) -> None:
    rule(imported, organiser, {"act": "annul", "reason": "typed wrongly"})

    imported.refresh_from_db()
    assert imported.status == Status.ANNULLED
    assert verify_game(imported.pk) == []


def test_a_member_who_left_and_came_back_sees_the_new_seat(organiser: User) -> None:
    game = make_game(4, club=make_club(organiser=organiser))
    game.refresh_from_db()
    member = game.places.get(number=0).member
    assert member is not None
    take_turn(game_id=game.pk, member=member, data={"act": "resign"}, expected_version=game.version, now=NOW)
    game.refresh_from_db()
    rule(game, organiser, {"act": "replace", "seat": "B"}, substitute=member)

    seen = queries.seen_game(game.pk, member)

    assert seen is not None
    assert seen.seat == 1
    assert seen.view is not None
    assert seen.view.hands[1] is not None


@pytest.mark.parametrize(
    "form",
    [
        {"choice": "pass", "version": "9" * 5000},
        {"choice": "pass", "version": "4", "key": "a\x00"},
        {"choice": "place Qd c5\x00", "version": "4"},
    ],
    ids=["huge version", "NUL in the key", "NUL in the choice"],
)
def test_rubbish_in_the_form_of_a_turn_is_refused(form: dict[str, str]) -> None:
    game = make_game(2)
    client = Client(raise_request_exception=False)
    client.force_login(player_on_turn(game))

    answer = client.post(f"/games/{game.pk}/act", form)

    assert 400 <= answer.status_code < 500
    game.refresh_from_db()
    assert game.turns == 0


def test_nul_in_a_name_to_invite_is_refused(organiser: User) -> None:
    game = propose_game(proposer=organiser, club=make_club(organiser=organiser), seats=2, now=NOW)
    client = Client(raise_request_exception=False)
    client.force_login(organiser)

    answer = client.post(f"/games/{game.pk}/table", {"deed": "invite", "seat": "1", "username": "a\x00b"})

    assert answer.status_code == 409


def test_there_is_no_second_way_to_sign_in() -> None:
    assert Client().get("/admin/login/").status_code == 404


def test_a_backslash_before_u0000_is_no_nul() -> None:
    assert log.canonical({"a": "\\u0000"}) == '{"a":"\\\\u0000"}'
    with pytest.raises(ValueError, match="NUL"):
        log.canonical({"a": "\\\x00"})


def test_a_turn_stored_while_a_game_is_read_is_not_half_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game(2)
    game.refresh_from_db()
    member = player_on_turn(game)
    real = queries.seats_of

    def seats_then_a_turn(shown: Game) -> Any:
        monkeypatch.undo()
        play_one(game)
        return real(shown)

    monkeypatch.setattr(queries, "seats_of", seats_then_a_turn)
    seen = queries.seen_game(game.pk, member)

    assert seen is not None
    assert seen.view is not None
    assert (seen.version, seen.view.turns) == (4, 0)


def test_who_left_a_seat_holds_it_no_more(organiser: User) -> None:
    game = make_game(4, club=make_club(organiser=organiser))
    game.refresh_from_db()
    member = game.places.get(number=1).member
    assert member is not None

    take_turn(game_id=game.pk, member=member, data={"act": "leave"}, expected_version=game.version, now=NOW)

    tenure = Tenure.objects.get(seat__game=game, member=member)
    assert (tenure.from_version, tenure.until_version) == (3, 7)


def test_a_repeat_is_answered_from_the_seat_that_asked(organiser: User) -> None:
    game = make_game(4, club=make_club(organiser=organiser))
    game.refresh_from_db()
    seat = game.turn_seat
    assert seat is not None
    member = game.places.get(number=(seat + 1) % 4).member
    assert member is not None
    take_turn(game_id=game.pk, member=member, data={"act": "leave"}, expected_version=game.version, now=NOW)
    game.refresh_from_db()
    rule(game, organiser, {"act": "replace", "seat": "ABCD"[seat]}, substitute=member)
    game.refresh_from_db()
    asked: dict[str, Any] = {
        "game_id": game.pk,
        "member": member,
        "data": legal(game, member)[0],
        "expected_version": game.version,
        "key": "once",
        "now": NOW,
    }

    first, again = take_turn(**asked), take_turn(**asked)

    assert (first.seat, again.seat) == (seat, seat)
    assert again.is_repeat


@pytest.mark.parametrize("changed", [False, True])
def test_a_proposal_with_a_key_is_made_once(organiser: User, changed: bool) -> None:
    club = make_club(organiser=organiser)
    client = Client(headers={"Authorization": f"Bearer {make_token(organiser)}", "Idempotency-Key": "k"})
    asked = {"club": club.slug, "seats": 2, "bots": ["B"]}
    first = client.post("/api/v1/games", asked, content_type="application/json")

    again = client.post(
        "/api/v1/games", asked | ({"name": "other"} if changed else {}), content_type="application/json"
    )

    assert first.status_code == 201
    assert "Idempotency-Replayed" not in first.headers
    assert Game.objects.count() == 1
    if changed:
        assert (again.status_code, again.json()["code"]) == (422, "key_reused")
    else:
        assert (again.status_code, again.json()["id"]) == (201, first.json()["id"])
        assert again.headers["Idempotency-Replayed"] == "true"


def test_a_record_with_a_key_is_taken_in_once(organiser: User) -> None:
    club = make_club(organiser=organiser)
    client = Client(headers={"Authorization": f"Bearer {make_token(organiser)}", "Idempotency-Key": "k"})
    asked = {"club": club.slug, "record": UNFINISHED}

    answers = [client.post("/api/v1/records", asked, content_type="application/json") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [201, 201]
    assert Game.objects.count() == 1


def test_a_proposal_form_sent_twice_makes_one_game(organiser: User) -> None:
    club = make_club(organiser=organiser)
    client = signed_in(organiser)
    form = proposal_form(client, club)
    assert form["key"]

    answers = [client.post(f"/games/new?club={club.slug}", form) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Game.objects.count() == 1


def test_more_bots_than_seats_are_refused_and_nothing_is_made(organiser: User) -> None:
    club = make_club(organiser=organiser)

    answer = propose(signed_in(organiser), club, seats="2", bots="5")

    assert answer.status_code == 422
    assert not Game.objects.exists()


def test_control_characters_in_the_name_of_a_game_are_refused(organiser: User) -> None:
    club = make_club(organiser=organiser)

    answer = propose(signed_in(organiser), club, name="a\r\nBcc: x\x1b[31m")

    assert answer.status_code == 422
    assert not Game.objects.exists()


def test_a_nonce_without_a_seat_of_ones_own_is_refused(organiser: User) -> None:
    with pytest.raises(BadNonce):
        propose_game(
            proposer=organiser,
            club=make_club(organiser=organiser),
            seats=2,
            own_seat=None,
            nonce="00",
            now=NOW,
        )


def test_a_turn_does_not_expire_while_the_clock_stands(organiser: User) -> None:
    game = make_game(2, club=make_club(organiser=organiser))
    game.refresh_from_db()
    rule(game, organiser, {"act": "pause", "reason": "illness"})
    game.refresh_from_db()

    with pytest.raises(IllegalAction) as refused:
        rule(game, organiser, {"act": "expire"})

    assert (refused.value.code, refused.value.rule) == ("not_active", "R22")


def test_options_of_a_record_can_be_asked_for_in_any_form() -> None:
    game = make_game(2, club=make_club(is_open=True))

    answer = Client().options(f"/api/v1/games/{game.pk}/record", headers={"Accept": "application/x-sqn"})

    assert answer.status_code in (200, 401)
