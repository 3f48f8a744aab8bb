"""How often a member wants mail about one game."""

from contextlib import suppress

from django.utils.translation import gettext

from games.accounts.models import Cadence, User
from games.play.models import Game, GameCadence, Seat
from games.play.services.locking import GameNotFound
from games.play.telling.words import game_title


class UnknownCadence(ValueError):
    """No such cadence."""


def set_game_cadence(*, member: User, game_id: int, cadence: str) -> None:
    """Set the cadence of a member's mail about a game they sit in; empty for their usual one.

    Raises GameNotFound, UnknownCadence.
    """
    if not Seat.objects.filter(game_id=game_id, member=member).exists():
        raise GameNotFound(f"there is no game {game_id} of this member")
    if not cadence:
        GameCadence.objects.filter(game_id=game_id, member=member).delete()
        return
    if cadence not in Cadence.values:
        raise UnknownCadence(gettext("choose one of the answers that are offered"))
    GameCadence.objects.update_or_create(game_id=game_id, member=member, defaults={"cadence": cadence})


def name_of_game(game_id: int) -> str:
    """Return how a game is called, for whoever has a mail about it; empty if there is none."""
    game = Game.objects.filter(pk=game_id).first()
    return "" if game is None else game_title(game)


def restore(member: User, game_id: int) -> None:
    """Let mail about a game come as usual again, if the member still has to do with it."""
    with suppress(GameNotFound):
        set_game_cadence(member=member, game_id=game_id, cadence="")


def quieten(member: User, game_id: int | None) -> None:
    """Let mail about a game come once a day; of all games those that had a cadence of their own.

    The address that asks for it outlives games and seats: what is gone is quiet.
    """
    if game_id is None:
        GameCadence.objects.filter(member=member).update(cadence=Cadence.DAILY)
        return
    with suppress(GameNotFound):
        set_game_cadence(member=member, game_id=game_id, cadence=Cadence.DAILY)
