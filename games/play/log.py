"""The event log: append-only rows in one hash chain a game. Only services and queries may use it."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, models

from games.play.models import Game

GENESIS = bytes(32)
"""What stands for the hash before a game's first event."""

SCHEMA_VERSION = 1

_INSERT = (
    "INSERT INTO play_event"
    " (game_id, number, type, schema_version, actor, seat, body, prev_hash, hash, recorded_at) VALUES "
)
_ROW = "(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"


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


@dataclass(frozen=True, slots=True)
class Head:
    """Where the chain of a game stands."""

    version: int
    hash: bytes


def canonical(body: dict[str, Any]) -> str:
    """Return the one text of `body` that is stored and hashed; raises ValueError for NUL and NaN."""
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    text.encode("utf-8")
    if "\\u0000" in text:
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


def append(game: Game, head: Head, drafts: Iterable[Draft], *, actor: UUID | None, now: datetime) -> Head:
    """Store `drafts` behind `head` in one statement and return the new head.

    The caller holds the lock of the game's row; a race that slips past it fails on the unique number.
    """
    values: list[Any] = []
    rows = 0
    for draft in drafts:
        number = head.version + 1
        body = canonical(draft.body)
        digest = chain_hash(
            head.hash, game.uuid, number, draft.type, SCHEMA_VERSION, actor, draft.seat, body, now
        )
        values += [
            game.pk, number, draft.type, SCHEMA_VERSION, actor, draft.seat, body, head.hash, digest, now,
        ]  # fmt: skip
        head = Head(number, digest)
        rows += 1
    with connection.cursor() as cursor:
        cursor.execute(_INSERT + ", ".join([_ROW] * rows), values)
    return head


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
