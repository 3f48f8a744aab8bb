"""Bots fill seats, play by their own view, and leave nothing undone."""

from datetime import timedelta
from typing import Any

import pytest

from games.bots.services import play_bots_in, play_due_bots
from games.bots.simple import choose
from games.play.models import Game, Status
from games.play.queries import games_with_bots_due
from games.play.services.organising import rule_game
from games.play.services.proposing import propose_game, seat_bot
from games.play.services.turns import take_bot_turn, take_turn
from games.play.services.upkeep import verify_game
from games.rules import actions as act
from tests.builders import NOW, make_club, make_user
from tests.play.builders import make_game, player_on_turn

pytestmark = pytest.mark.django_db


def bots_only(seats: int, teams: int | None = None, **options: Any) -> Game:
    organiser = make_user()
    club = make_club(organiser=organiser)
    game = propose_game(
        proposer=organiser, club=club, seats=seats, teams=teams, options=options, own_seat=None, now=NOW
    )
    for seat in range(seats):
        game = seat_bot(host=organiser, game_id=game.pk, seat=seat, now=NOW)
    return game


@pytest.mark.parametrize(
    ("seats", "teams", "options"),
    [
        (2, 2, {}),
        (3, 3, {"idle_rounds": 2}),
        (4, 2, {"draw_mode": "manual"}),
        (2, 2, {"claim": "announce"}),
        (12, 3, {"idle_rounds": 2}),
    ],
)
def test_bots_play_a_game_to_its_end(seats: int, teams: int, options: dict[str, Any]) -> None:
    game = bots_only(seats, teams, **options)

    actions = play_bots_in(game.pk, now=NOW)

    game.refresh_from_db()
    assert game.status == Status.FINISHED
    assert actions >= game.turns
    assert verify_game(game.pk) == []
    assert not games_with_bots_due().exists()


def test_a_bot_stops_where_a_member_is_on_turn() -> None:
    organiser = make_user()
    game = propose_game(proposer=organiser, club=make_club(organiser=organiser), seats=2, now=NOW)
    game = seat_bot(host=organiser, game_id=game.pk, seat=1, now=NOW)

    play_due_bots(now=NOW)

    game.refresh_from_db()
    assert game.turn_seat == 0
    assert play_due_bots(now=NOW) == 0


def test_a_bot_plays_one_turn_for_a_member_whose_time_ran_out() -> None:
    game = make_game(2)
    Game.objects.filter(pk=game.pk).update(expiry="bot")
    organiser = game.club.memberships.get(role="organiser").user
    late = player_on_turn(game)

    rule_game(
        game_id=game.pk, organiser=organiser, data={"act": "expire"}, expected_version=game.version,
        now=NOW + timedelta(days=4),
    )  # fmt: skip
    assert play_due_bots(now=NOW) == 1

    assert player_on_turn(game) != late
    assert game.turns == 1
    assert not game.bot_stands_in


def test_a_bot_declines_a_draw() -> None:

    organiser = make_user()
    game = propose_game(proposer=organiser, club=make_club(organiser=organiser), seats=2, now=NOW)
    game = seat_bot(host=organiser, game_id=game.pk, seat=1, now=NOW)
    play_due_bots(now=NOW)
    game.refresh_from_db()

    take_turn(
        game_id=game.pk, member=organiser, data={"act": "offer_draw"}, expected_version=game.version, now=NOW
    )
    play_due_bots(now=NOW)

    game.refresh_from_db()
    assert game.offering_team is None
    assert game.status == Status.ACTIVE


class Recorder:
    def __init__(self) -> None:
        self.hands: list[Any] = []

    def __call__(self, chance: Any) -> act.SeatAction | None:
        self.hands.append((chance.view.viewer, chance.view.hands))
        return choose(chance)


def test_a_bot_sees_its_own_hand_only() -> None:

    recorder = Recorder()
    game = bots_only(3)

    for _ in range(9):
        take_bot_turn(game_id=game.pk, choose=recorder, now=NOW)

    assert recorder.hands
    for viewer, hands in recorder.hands:
        assert hands[viewer] is not None
        assert all(hand is None for seat, hand in enumerate(hands) if seat != viewer)
