"""Reading a game from its rows, and appending events beside the peer library's recorder."""

import os
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from django.db import connection
from django.utils import timezone

from benchmarks.measure import alternate, row
from benchmarks.people import club_with, finished_game, games_for
from games.play import log
from games.play.folding import fold_events, read_events
from games.play.models import Game

APPENDS = 400


def rows_to_state() -> dict[str, Any]:
    """The rows of one finished game to its state, beside the same SELECT alone."""
    game = finished_game()
    source = game.deal_source
    state, select = alternate(
        lambda: [fold_events(read_events(log.bodies(game.pk)), source.deal) for _ in range(20)],
        lambda: [log.bodies(game.pk) for _ in range(20)],
        25,
    )
    return row(
        f"rows of one {game.turns}-turn game to its state",
        state / 20 * 1000,
        "ms",
        select / 20 * 1000,
        ratio=state / select,
        reach="2x the SELECT",
        ok=state / select <= 2,
    )


def append_one() -> dict[str, Any]:
    return _append(1)


def append_four() -> dict[str, Any]:
    return _append(4)


def _append(writers: int) -> dict[str, Any]:
    """Events appended in a second, each in a durable transaction of its own, a game for each writer."""
    peer = _peer_recorder(writers)
    games = games_for(club_with(2), writers)
    rates: dict[str, list[float]] = {"ours": [], "peer": []}
    for _ in range(5):
        rates["ours"].append(_rate(writers, lambda number: _ours(games[number].pk)))
        rates["peer"].append(_rate(writers, lambda number: _theirs(peer)))
    ours, theirs = max(rates["ours"]), max(rates["peer"])
    return row(
        f"append, {writers} writer{'s' if writers > 1 else ''}",
        ours,
        "events/s",
        theirs,
        ratio=ours / theirs,
        reach="at least the peer's rate",
        ok=ours >= theirs,
    )


def _rate(writers: int, write: Callable[[int], None]) -> float:
    barrier = threading.Barrier(writers + 1)

    def run(number: int) -> None:
        barrier.wait()
        write(number)
        connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    barrier.wait()
    started = time.perf_counter()
    for thread in threads:
        thread.join()
    return APPENDS * writers / (time.perf_counter() - started)


def _ours(game_id: int) -> None:
    """Append one event and move the head: the statement of every turn, as durable as the peer's."""
    draft = log.Draft("TurnPassed", {"seat": "A", "next_seat": "B"}, 0)
    game = Game.objects.get(pk=game_id)
    for _ in range(APPENDS):
        log.append(game, [draft], actor=None, now=timezone.now())


def _peer_recorder(writers: int) -> Any:
    from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

    # The peer makes its own table, so it connects as the owner.
    parts = urlsplit(os.environ["DATABASE_OWNER_URL"])
    datastore = PostgresDatastore(
        dbname=parts.path.lstrip("/"),
        host=unquote(parts.hostname or ""),
        port="5432",
        user=parts.username or "",
        password="",
        pool_size=writers,
        max_overflow=0,
    )
    recorder = PostgresApplicationRecorder(datastore, events_table_name=f"peer_{uuid4().hex[:8]}")
    recorder.create_table()
    return recorder


def _theirs(recorder: Any) -> None:
    from eventsourcing.persistence import StoredEvent

    aggregate = uuid4()
    for version in range(1, APPENDS + 1):
        recorder.insert_events(
            [StoredEvent(aggregate, version, "TurnPassed", b'{"next_seat":"B","seat":"A"}')]
        )
