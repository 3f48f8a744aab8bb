"""Clocks of games on a real database, with a `now` that the tests move."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games.accounts.models import User
from games.clubs.models import Club
from games.play.clocks import HOUR, Clock
from games.play.models import Game, Seat
from games.play.services.organising import rule_game
from games.play.services.proposing import propose_game, take_seat
from games.play.services.upkeep import rebuild_game, verify_game
from tests.builders import NOW, make_club, make_user
from tests.play.builders import make_players, play_one

pytestmark = pytest.mark.django_db

THREE_DAYS = Clock(turn_hours=72)
WITH_A_BANK = Clock(turn_hours=24, bank_hours=48, increment_hours=6, cap_hours=60)


def after(hours: float) -> datetime:
    return NOW + timedelta(hours=hours)


def make_timed(
    seats: int = 2,
    clock: Clock | None = THREE_DAYS,
    *,
    club: Club | None = None,
    players: list[User] | None = None,
    bots: tuple[int, ...] = (),
    **more: Any,
) -> Game:
    """Make a running game with a clock; `players` take the seats that bots do not."""
    club = club or make_club(organiser=make_user())
    players = players or make_players(club, seats - len(bots))
    first, *others = players
    game = propose_game(proposer=first, club=club, seats=seats, clock=clock, bots=bots, now=NOW, **more)
    for player in others:
        take_seat(member=player, game_id=game.pk, now=NOW)
    return Game.objects.get(pk=game.pk)


def banks(game: Game) -> list[float]:
    return [seconds / HOUR for seconds in seats(game).values_list("bank_seconds", flat=True)]


def seats(game: Game) -> Any:
    return Seat.objects.filter(game=game).order_by("number")


def rule(game: Game, act: str, now: datetime, **more: Any) -> None:
    game.refresh_from_db()
    organiser = User.objects.get(memberships__club=game.club, memberships__role="organiser")
    data = {"act": act, "reason": "Because.", **more}
    substitute = more.pop("substitute", None)
    data.pop("substitute", None)
    rule_game(
        game_id=game.pk, organiser=organiser, data=data, substitute=substitute,
        expected_version=game.version, now=now,
    )  # fmt: skip
    game.refresh_from_db()


# Winding -------------------------------------------------------------------------------------------


def test_the_first_turn_begins_with_the_game() -> None:
    game = make_timed(clock=WITH_A_BANK)

    assert game.clock_since == NOW
    assert game.deadline == after(72)
    assert game.remind_at == after(36)
    assert banks(game) == [48, 48]


def test_each_turn_has_its_time_anew() -> None:
    game = make_timed()

    play_one(game, now=after(26))

    game.refresh_from_db()
    assert (game.clock_since, game.deadline, game.clock_spent_seconds) == (after(26), after(98), 0)


def test_a_game_without_a_clock_has_no_deadline() -> None:
    game = make_timed(clock=None)

    play_one(game, now=after(1))

    game.refresh_from_db()
    assert (game.clock_since, game.deadline, game.remind_at) == (None, None, None)


def test_a_slow_turn_is_paid_from_the_bank_and_each_turn_adds_to_it() -> None:
    game = make_timed(clock=WITH_A_BANK)
    first = game.turn_seat
    assert first is not None

    play_one(game, now=after(34))
    after_a_slow_turn = banks(game)[first]
    play_one(game, now=after(35))

    assert after_a_slow_turn == 48 - 10 + 6
    assert banks(game)[1 - first] == 54
    game.refresh_from_db()
    assert game.deadline == after(35 + 24 + 44 + 8)  # one at night becomes nine


def test_the_clock_of_a_game_is_in_its_first_event_and_rebuilt_from_it() -> None:
    game = make_timed(clock=Clock(24, 48, 6, 60, rests_at_weekends=True))
    plain = make_timed(clock=None)

    Game.objects.filter(pk=game.pk).update(turn_hours=1, rests_at_weekends=False)
    mended = rebuild_game(game.pk)

    assert len(mended) == 2
    assert verify_game(game.pk) == verify_game(plain.pk) == []
    game.refresh_from_db()
    assert (game.turn_hours, game.rests_at_weekends) == (24, True)
    assert "clock" not in plain.events.get(number=1).body
