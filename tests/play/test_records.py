"""Records go out in three views and come in judged whole."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.play import queries
from games.play.models import Game, Source, Status
from games.play.services.importing import import_record
from games.play.services.organising import rule_game
from games.play.services.proposing import NotAllowed
from games.play.services.upkeep import verify_game
from games.rules.record import FULL, RecordError
from games.rules.recording import HiddenView
from games.rules.sqn_json import from_json, read, to_json
from games.rules.sqn_text import to_text
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game, play_one, play_to_the_end

pytestmark = pytest.mark.django_db
CASES = Path(__file__).parent.parent / "cases" / "games.json"


def seen(game: Game, viewer: Any) -> queries.Seen:
    found = queries.seen_game(game.pk, viewer)
    assert found is not None
    return found


def member_of(game: Game, seat: int) -> Any:
    return game.places.get(number=seat).member


def test_a_finished_game_comes_back_from_its_record() -> None:
    game = play_to_the_end(make_game(3, idle_rounds=2))
    record = queries.record_for(seen(game, member_of(game, 0)), FULL)
    club = make_club(organiser=(organiser := make_user()))

    copy = import_record(member=organiser, club=club, record=read(to_text(record)), name="again", now=NOW)

    assert copy.source == Source.IMPORTED
    assert (copy.status, copy.winner, copy.end, copy.turns) == (
        game.status,
        game.winner,
        game.end,
        game.turns,
    )
    there, here = seen(game, member_of(game, 0)).view, seen(copy, organiser).view
    assert there is not None
    assert here is not None
    assert (here.chips, here.lines, here.hands) == (there.chips, there.lines, there.hands)
    assert verify_game(copy.pk) == []
    assert [place.player_name for place in copy.places.order_by("number")] == [
        place.player_name for place in game.places.order_by("number")
    ]


def test_a_running_game_shows_the_public_view_and_ones_own() -> None:
    game = make_game(2)
    play_one(game)
    own = seen(game, member_of(game, 0))

    assert queries.views_of_record(own) == ("public", "seat:A")
    public = to_json(queries.record_for(own, "public"))
    mine = to_json(queries.record_for(own, "seat:A"))

    assert "deal" not in public
    assert "deal" not in mine
    hand = own.loaded.state.hands[0] if own.loaded.state else []
    assert not any(card in json.dumps(public) for card in hand if card not in played_cards(own))
    assert mine["hands"]["A"] != "?"


def played_cards(game: queries.Seen) -> set[str]:
    return {event.card for event in game.loaded.events if hasattr(event, "card")} | {
        card for event in game.loaded.events for turned in getattr(event, "cuts", ()) for card in turned
    }


def test_games_played_over_the_board_are_imported_with_their_deal() -> None:
    organiser = make_user()
    club = make_club(organiser=organiser)
    for whole in json.loads(CASES.read_text())["games"][:6]:
        game = import_record(member=organiser, club=club, record=from_json(over_the_board(whole)), now=NOW)
        assert game.status == Status.FINISHED
        assert game.winner == "ABC".index(whole["final"]["winner"])
        assert verify_game(game.pk) == []


def over_the_board(whole: dict[str, Any]) -> dict[str, Any]:
    """Return a game of the worked cases as a JSON record."""

    def card(code: str) -> str:
        return code[0] + code[1].lower()

    letters = "ABCDEFGHIJKL"[: whole["seats"]]
    turns: list[dict[str, Any]] = []
    swaps: list[dict[str, str]] = []
    for kind, code, cell in whole["actions"]:
        if kind == "swap":
            swaps.append({"out": card(code)})
            continue
        space = f"{'abcdefghij'[cell[1]]}{cell[0] + 1}"
        seat = letters[len(turns) % len(letters)]
        turn = {"n": len(turns) + 1, "seat": seat, "card": card(code), "act": kind, "space": space}
        turns.append(turn | ({"swap": swaps} if swaps else {}))
        swaps = []
    return {
        "sqn": 1,
        "tags": {"Edition": "classic"},
        "ruleset": {},
        "seats": [
            {"seat": letter, "name": f"p{letter}", "team": ["blue", "green", "red"][number % whole["teams"]]}
            for number, letter in enumerate(letters)
        ],
        "start": "A",
        "view": "full",
        "deal": {
            "deck": [card(code) for code in whole["deck_top_first"]],
            "reshuffles": [[card(code) for code in pile["new_draw_pile"]] for pile in whole["reshuffles"]],
        },
        "turns": turns,
    }


def test_a_damaged_record_stores_nothing() -> None:
    organiser = make_user()
    club = make_club(organiser=organiser)
    data = over_the_board(json.loads(CASES.read_text())["games"][0])
    data["turns"][9]["space"] = "a1"

    with pytest.raises(RecordError) as refused:
        import_record(member=organiser, club=club, record=from_json(data), now=NOW)

    assert refused.value.turn == "10B"
    assert not Game.objects.exists()
    with pytest.raises(NotAllowed):
        import_record(member=make_user(), club=club, record=from_json(over_the_board_first()), now=NOW)


def over_the_board_first() -> dict[str, Any]:
    return over_the_board(json.loads(CASES.read_text())["games"][0])


def test_an_unfinished_and_a_public_record_are_taken_in_as_such() -> None:
    organiser = make_user()
    club = make_club(organiser=organiser)
    data = over_the_board_first()
    data["turns"] = data["turns"][:20]
    game = import_record(member=organiser, club=club, record=from_json(data), now=NOW)
    assert (game.status, game.turn_seat, game.turns) == (Status.UNFINISHED, None, 20)
    assert verify_game(game.pk) == []

    running = make_game(2, club=club)
    play_one(running)
    public = queries.record_for(seen(running, organiser), "public")
    copy = import_record(member=organiser, club=club, record=public, now=NOW)
    assert verify_game(copy.pk) == []
    with pytest.raises(HiddenView):
        queries.record_for(seen(copy, organiser), "nobody")


def test_a_record_names_who_sat_first_and_the_substitute() -> None:
    organiser = make_user()
    club = make_club(organiser=organiser)
    game = make_game(2, club=club)
    first, substitute = member_of(game, 1), make_member(club).user
    game.refresh_from_db()
    rule_game(
        game_id=game.pk, organiser=organiser, data={"act": "replace", "seat": "B"}, substitute=substitute,
        expected_version=game.version, now=NOW,
    )  # fmt: skip

    text = to_text(queries.record_for(seen(game, organiser), "public"))

    assert f"B={first.username}:green" in text
    assert f"sub{{B={substitute.username}}}" in text
