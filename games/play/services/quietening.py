"""How often a member wants mail about one game."""

from games.accounts.models import Cadence, User
from games.play.models import Game, GameCadence


def set_game_cadence(*, member: User, game: Game, cadence: str) -> None:
    """Let mail about `game` come to `member` at `cadence`; as usual if that is empty."""
    if cadence:
        GameCadence.objects.update_or_create(game=game, member=member, defaults={"cadence": cadence})
    else:
        GameCadence.objects.filter(game=game, member=member).delete()


def quieten(member: User, game_id: int | None) -> None:
    """Let mail about a game come once a day; of all games those that had a cadence of their own.

    The address that asks for it outlives games and seats: what is gone is quiet.
    """
    if game_id is None:
        GameCadence.objects.filter(member=member).update(cadence=Cadence.DAILY)
        return
    game = Game.objects.filter(pk=game_id).first()
    if game is not None:
        set_game_cadence(member=member, game=game, cadence=Cadence.DAILY)
