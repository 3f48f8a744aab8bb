"""The event log: append-only rows in one hash chain a game. Only services and queries may use it."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, models

from games.play.models import Game

GENESIS = bytes(32)
"""What stands for the hash before a game's first event."""

SCHEMA_VERSION = 1

_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")

_APPEND = """
WITH head AS (
    UPDATE play_game SET {columns} WHERE id = %s AND version = %s RETURNING id
)
INSERT INTO play_event
    (game_id, number, type, schema_version, actor, seat, body, prev_hash, hash, recorded_at)
SELECT head.id, row.* FROM head, (VALUES {rows}) AS row
"""
_ROW = "(%s::int, %s, %s::smallint, %s::uuid, %s::smallint, %s, %s::bytea, %s::bytea, %s::timestamptz)"


class HeadMoved(RuntimeError):
    """Somebody appended to the game although its row was locked: nothing is stored."""


class Event(models.Model):
    """One fact of a game, numbered from 1; never updated or deleted: the database refuses it."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events", db_index=False)
    number = models.PositiveIntegerField()
    type = models.CharField(max_length=40)
    schema_version = models.PositiveSmallIntegerField()
    actor = models.UUIDField(null=True)
    seat = models.PositiveSmallIntegerField(null=True)
    body = models.TextField()
    prev_hash = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=32)
    recorded_at = models.DateTimeField()

    class Meta:
        app_label = "play"
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="event_game_number"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="event_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.number} of game {self.game_id}"


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it is numbered: its type, its seat and its body as plain data."""

    type: str
    body: dict[str, Any]
    seat: int | None = None


def canonical(body: dict[str, Any]) -> str:
    """Return the one text of `body` that is stored and hashed; raises ValueError for NUL and NaN."""
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    text.encode("utf-8")
    if _ESCAPED_NUL.search(text):
        raise ValueError("NUL cannot be stored")
    return text


def chain_hash(
    prev_hash: bytes,
    game_uuid: UUID,
    number: int,
    kind: str,
    schema_version: int,
    actor: UUID | None,
    seat: int | None,
    body: str,
    recorded_at: datetime,
) -> bytes:
    """Return the hash of an event: SHA-256 over everything but the row id (docs/events.md)."""
    micros = int(recorded_at.timestamp()) * 1_000_000 + recorded_at.microsecond
    fields = (
        game_uuid,
        number,
        kind,
        schema_version,
        actor or "",
        "" if seat is None else seat,
        micros,
        body,
    )
    message = "|".join(map(str, fields)).encode("utf-8")
    return hashlib.sha256(b"sequence-event/1|" + prev_hash + b"|" + message).digest()


def append(
    game: Game,
    drafts: Iterable[Draft],
    *,
    actor: UUID | None,
    now: datetime,
    columns: Mapping[str, Any] | None = None,
) -> None:
    """Store `drafts` behind the head of `game` and write its row: the new head, and `columns`.

    One statement, so that a turn costs few round trips. The caller holds the lock of the row; a race that
    slips past it raises HeadMoved, or fails on the unique number of the event.
    """
    version, digest = game.version, bytes(game.head_hash)
    values: list[Any] = []
    for draft in drafts:
        version += 1
        body, before = canonical(draft.body), digest
        digest = chain_hash(
            before, game.uuid, version, draft.type, SCHEMA_VERSION, actor, draft.seat, body, now
        )
        values += [version, draft.type, SCHEMA_VERSION, actor, draft.seat, body, before, digest, now]
    count = version - game.version
    written = {**(columns or {}), "version": version, "head_hash": digest}
    sql = _APPEND.format(
        columns=", ".join(f'"{name}" = %s' for name in written), rows=", ".join([_ROW] * count)
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [*written.values(), game.pk, game.version, *values])
        if cursor.rowcount != count:
            raise HeadMoved(f"game {game.pk} is not at version {game.version} any more")
    game.version, game.head_hash = version, digest


def bodies(game_id: int, upto: int | None = None) -> list[tuple[str, str]]:
    """Return (type, body) of a game's events in order, up to event number `upto`."""
    sql = "SELECT type, body FROM play_event WHERE game_id = %s"
    values = [game_id]
    if upto is not None:
        sql += " AND number <= %s"
        values.append(upto)
    with connection.cursor() as cursor:
        cursor.execute(sql + " ORDER BY number", values)
        rows: list[tuple[str, str]] = cursor.fetchall()
    return rows
