"""A finished game's facts follow from its events, once for each version, whatever is delivered twice."""

from typing import Any

import pytest
from django.test import Client

from analytics.facts import count_facts
from analytics.models import GameFacts
from analytics.queries import games_to_derive
from analytics.services import derive_game
from analytics.tasks import sweep
from games.play.models import Game
from games.play.queries import engine_events
from games.play.services.organising import rule_game
from games.rules import events as ev
from games.rules.ruleset import make_ruleset
from tests.builders import NOW, make_club, make_token, make_user
from tests.play.builders import make_game, play_to_the_end

pytestmark = pytest.mark.django_db


def finished_game() -> Game:
    return play_to_the_end(make_game(2, club=make_club(organiser=make_user(), is_open=True)))


def test_facts_of_a_short_game_counted_by_hand() -> None:
    rules = make_ruleset(2)
    row = rules.board.line_between(0, 4)
    assert row is not None

    def placed(seat: int, card: str, space: int, *lines: int, reshuffled: int = 0) -> ev.ChipPlaced:
        return ev.ChipPlaced(seat, card, space, lines, 0, True, reshuffled, (), 1 - seat)

    facts = count_facts(
        rules,
        [
            ev.GameStarted(0),
            placed(0, "2s", 1),
            ev.ChipRemoved(1, "Js", 1, (), 0, True, ev.AFTER, (), 0),
            ev.CardSwapped(0, "2s", ev.BEFORE),
            placed(0, "Jc", 4, row.mask),
            ev.TurnPassed(1, 0),
            ev.TurnExpired(0, "pass", 1),
            ev.SeatLeft(1, "resign", 0),
            ev.GameEnded(0, "last_team"),
        ],
    )

    assert facts.turns == 6
    assert (facts.placements, facts.removals, facts.swaps, facts.passes) == (2, 1, 1, 1)
    assert (facts.two_eyed_jacks, facts.one_eyed_jacks, facts.reshuffles) == (1, 1, 2)
    assert facts.lines == {"blue": 1, "green": 0}
    assert facts.first_line_turn == 3
    assert (facts.winner, facts.end) == ("blue", "last_team")


def test_facts_count_as_many_turns_as_the_game() -> None:
    game = finished_game()

    facts = count_facts(*engine_events(game))

    assert facts.turns == game.turns
    assert facts.winner == (game.winner_name or "")
    assert facts.end == game.end


def test_a_sweep_derives_each_game_once() -> None:
    first, running = finished_game(), make_game(2)

    assert sweep() == 1
    assert sweep() == 0
    assert not derive_game(game_id=first.pk, now=NOW)

    facts = GameFacts.objects.get()
    assert (facts.game_id, facts.version) == (first.pk, first.version)
    assert not derive_game(game_id=running.pk, now=NOW)


def test_an_annulled_game_leaves_no_facts() -> None:
    game = finished_game()
    sweep()
    organiser = game.club.memberships.get(role="organiser").user

    rule_game(
        game_id=game.pk, organiser=organiser, data={"act": "annul", "reason": "played twice"},
        expected_version=game.version, now=NOW,
    )  # fmt: skip
    assert list(games_to_derive()) == [game]
    sweep()

    assert not GameFacts.objects.exists()
    assert not games_to_derive().exists()


def get(game: Game, **headers: Any) -> Any:
    return Client().get(f"/api/v1/stats/games/{game.pk}", headers=headers)


def test_the_api_serves_facts_of_visible_finished_games() -> None:
    game = finished_game()
    assert get(game).json()["code"] == "facts_pending"
    sweep()

    answer = get(game)

    assert answer.status_code == 200
    assert answer.json()["turns"] == game.turns
    assert answer.json()["winner"] == game.winner_name
    running = make_game(2, club=make_club(is_open=True))
    assert (get(running).status_code, get(running).json()["code"]) == (409, "facts_not_over")
    closed = play_to_the_end(make_game(2))
    assert get(closed).status_code == 404
    player = closed.places.get(number=0).member
    assert player is not None
    assert get(closed, Authorization=f"Bearer {make_token(player)}").json()["code"] == "facts_pending"
