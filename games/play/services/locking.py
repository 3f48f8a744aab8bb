"""A game under the lock of its row, with all that judging an action needs."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from games.accounts.models import User
from games.clubs.queries import can_see_club
from games.play import log
from games.play.folding import Loaded, fold_events, read_events
from games.play.models import Game, Seat
from games.play.services.rows import fetch
from games.play.vault import DealSource
from games.rules.state import State

BOT = UUID("b07b07b0-0000-4000-8000-000000000001")
"""Stands for a bot as the actor of an event."""


class GameNotFound(LookupError):
    """There is no such game, or none that the caller may see."""


class GameNotStarted(ValueError):
    """The game waits for players, or was withdrawn; there is no turn to take."""


@dataclass(slots=True)
class Locked:
    """A locked game, its seats in order, and the log as far as it was needed."""

    game: Game
    source: DealSource
    places: list[Seat]
    loaded: Loaded

    @property
    def state(self) -> State:
        """The state of a started game; raises GameNotStarted."""
        if self.loaded.state is None:
            raise GameNotStarted(f"game {self.game.pk} has not started")
        return self.loaded.state

    def seat_of(self, user: User) -> Seat | None:
        """Return the seat that `user` holds now."""
        return next((seat for seat in self.places if seat.member_id == user.pk and seat.is_active), None)

    def store(self, drafts: list[log.Draft], *, actor: UUID | None, now: datetime) -> None:
        """Append `drafts`; whatever else they change in the game's row is the caller's to save."""
        log.append(self.game, drafts, actor=actor, now=now)


_LOCK = """
SELECT {}, {} FROM play_game JOIN play_dealsource ON play_dealsource.game_id = play_game.id
WHERE play_game.id = %s FOR UPDATE OF play_game
"""
_SEATS = "SELECT {} FROM play_seat WHERE game_id = %s ORDER BY number"


def lock_game(game_id: int) -> tuple[Game, DealSource]:
    """Return the game and the source of its deal, its row locked until the transaction ends."""
    rows = fetch(_LOCK, [game_id], Game, DealSource)
    if not rows:
        raise GameNotFound(f"there is no game {game_id}")
    game, source = rows[0]
    return game, source


def seats_in_order(game: Game) -> list[Seat]:
    """Return the seats of a game, without their members."""
    return [seat for (seat,) in fetch(_SEATS, [game.pk], Seat)]


def load_locked(game_id: int, *, viewer: User) -> Locked:
    """Lock a game that `viewer` may see, read its seats and fold its events; raises GameNotFound."""
    game, source = lock_game(game_id)
    return load_rest(game, source, viewer=viewer)


def load_rest(game: Game, source: DealSource, *, viewer: User | None = None) -> Locked:
    """Read the seats and fold the events of a game that is locked already.

    Nothing is folded for a `viewer` who may not see the game: GameNotFound.
    """
    places = seats_in_order(game)
    if viewer is not None:
        sits = any(place.member_id == viewer.pk for place in places)
        if not sits and not can_see_club(viewer, game.club):
            raise GameNotFound(f"there is no game {game.pk}")
    loaded = read_events(log.bodies(game.pk))
    fold_events(loaded, source.deal)
    return Locked(game, source, places, loaded)
