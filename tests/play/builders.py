"""Games for tests: proposed, filled and played through the services."""

from datetime import datetime, timedelta
from typing import Any

from games.accounts.models import User
from games.clubs.models import Club
from games.play import queries
from games.play.models import Game
from games.play.services.proposing import propose_game, take_seat
from games.play.services.requests import Taken
from games.play.services.turns import take_turn
from games.play.wording import action_data
from tests.builders import NOW, make_club, make_member, make_user


def make_players(club: Club, count: int) -> list[User]:
    return [make_member(club).user for _ in range(count)]


def make_game(seats: int = 2, *, club: Club | None = None, now: datetime = NOW, **options: Any) -> Game:
    """Make a running game with a new member in each seat."""
    club = club or make_club(organiser=make_user())
    players = make_players(club, seats)
    teams = options.pop("teams", None)
    game = propose_game(proposer=players[0], club=club, seats=seats, teams=teams, options=options, now=now)
    for player in players[1:]:
        game = take_seat(member=player, game_id=game.pk, now=now)
    return game


def player_on_turn(game: Game) -> User:
    game.refresh_from_db()
    member = game.places.get(number=game.turn_seat).member
    assert member is not None
    return member


def legal(game: Game, member: User) -> list[dict[str, Any]]:
    seen = queries.seen_game(game.pk, member)
    assert seen is not None
    assert seen.loaded.state is not None
    return [action_data(seen.loaded.state, action) for action in queries.legal_for(seen)]


def play_one(game: Game, *, now: datetime = NOW, pick: int = 0, **more: Any) -> Taken:
    """Let the seat on turn take its first legal action."""
    member = player_on_turn(game)
    choices = legal(game, member)
    data = choices[pick % len(choices)]
    return take_turn(
        game_id=game.pk, member=member, data=data, expected_version=game.version, now=now, **more
    )


def play_to_the_end(game: Game, *, now: datetime = NOW, most: int = 600) -> Game:
    """Play legal actions until the game is over."""
    for number in range(most):
        if player_left(game):
            play_one(game, now=now + timedelta(minutes=number), pick=number * 7)
    game.refresh_from_db()
    return game


def player_left(game: Game) -> bool:
    game.refresh_from_db()
    return game.turn_seat is not None
