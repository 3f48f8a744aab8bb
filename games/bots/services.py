"""Letting bots act in the games that wait for them."""

from datetime import datetime

from games.bots.simple import choose
from games.play.queries import games_with_bots_due
from games.play.services.turns import take_bot_turn

MOST_TURNS = 400
"""More than any game between bots lasts: a guard against a bot that never ends."""


def play_due_bots(*, now: datetime, most_games: int = 20) -> int:
    """Let bots act in games that wait for them, those with members first; return the number of actions."""
    actions = 0
    for game_id in games_with_bots_due().values_list("pk", flat=True)[:most_games]:
        actions += play_bots_in(game_id, now=now)
    return actions


def play_bots_in(game_id: int, *, now: datetime) -> int:
    """Let the bots of one game act until it waits for a member; return the number of actions."""
    for number in range(MOST_TURNS):
        if not take_bot_turn(game_id=game_id, choose=choose, now=now):
            return number
    return MOST_TURNS
