"""The rows that follow from the events: what lists and queries read of a game."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.play import log
from games.play.catalogue import DEAL_REVEALED
from games.play.folding import Loaded
from games.play.models import Game, Seat, Status, Tenure
from games.play.services.locking import Locked
from games.play.vault import DealSource
from games.rules.encoding import body_of
from games.rules.events import Event, GameAnnulled, GameEnded, SeatLeft
from games.rules.state import State


@dataclass(frozen=True, slots=True)
class Projection:
    """What the events of a started game say about its row and its seats."""

    game: dict[str, Any]
    seats: tuple[dict[str, Any], ...]


def project(state: State) -> Projection:
    """Return the columns that follow from `state`; times and the head are the appender's."""
    result = state.outcome
    status = Status.ACTIVE
    if result is not None:
        status = Status.ANNULLED if result.end == "annulled" else Status.FINISHED
    game = {
        "status": status,
        "turn_seat": state.turn,
        "turns": state.turns,
        "is_paused": state.paused,
        "bot_stands_in": state.stand_in,
        "offering_team": None if state.offer is None else state.offer[0],
        "winner": None if result is None else result.winner,
        "end": "" if result is None else result.end,
    }
    running = result is None
    seats = tuple(
        {
            "is_active": active,
            "cards_owed": state.debts[seat] if running else 0,
            "draws_due": len(state.rights[seat]) if running else 0,
        }
        for seat, active in enumerate(state.active)
    )
    return Projection(game, seats)


def drafts_of(locked: Locked, events: tuple[Event, ...]) -> list[log.Draft]:
    """Return the rows to store for `events`; the deal is revealed as the last event of a game."""
    rules = locked.loaded.rules
    drafts = [
        log.Draft(type(event).__name__, body_of(rules, event), getattr(event, "seat", None))
        for event in events
    ]
    ends = any(isinstance(event, GameEnded | GameAnnulled) for event in events)
    if ends and locked.game.status == Status.ACTIVE:
        drafts.append(log.Draft(DEAL_REVEALED, revealed(locked.source, locked.loaded)))
    return drafts


def revealed(source: DealSource, loaded: Loaded) -> dict[str, Any]:
    """Return the body of the event that publishes the deal."""
    if source.secret is None:
        return {}
    start = loaded.events[0]
    return {"secret": bytes(source.secret).hex(), "nonces": list(getattr(start, "nonces", ()))}


def columns_of(
    game: Game, state: State, projection: Projection, turn_before: tuple[int | None, int], now: datetime
) -> dict[str, Any]:
    """Return the columns of a started game's row, also set on `game` itself.

    `turn_before` is the seat on turn and the number of turns before the events.
    """
    columns = dict(projection.game)
    if (state.turn, state.turns) != turn_before:
        columns["turn_since"] = now if state.turn is not None else None
    if columns["status"] in (Status.FINISHED, Status.ANNULLED) and game.finished_at is None:
        columns["finished_at"] = now
    for name, value in columns.items():
        setattr(game, name, value)
    return columns


def save_seats(
    locked: Locked, projection: Projection, events: tuple[Event, ...], first: int, now: datetime
) -> None:
    """Write the seats that `events`, numbered from `first` on, changed; who left holds no seat any more."""
    left = {event.seat: first + n for n, event in enumerate(events) if isinstance(event, SeatLeft)}
    for seat, columns in zip(locked.places, projection.seats, strict=True):
        if all(getattr(seat, name) == value for name, value in columns.items()):
            continue
        if seat.number in left:
            Tenure.objects.filter(seat=seat, until_version__isnull=True).update(
                until_version=left[seat.number], until=now
            )
        for name, value in columns.items():
            setattr(seat, name, value)
        Seat.objects.filter(pk=seat.pk).update(**columns)
