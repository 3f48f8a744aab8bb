"""One request, one transaction, one answer however often it is sent."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction

from games.accounts.models import User
from games.play import log
from games.play.folding import Loaded, fold_events, read_events
from games.play.models import Game, Receipt, Seat, Status
from games.play.services.clock import wind
from games.play.services.locking import GameNotStarted, Locked, load_rest, lock_game, seats_in_order
from games.play.services.notices import moment_of, tell_turn
from games.play.services.projecting import columns_of, drafts_of, project, save_seats
from games.play.services.rows import fetch
from games.play.vault import DealSource
from games.rules.actions import Action
from games.rules.decide import decide
from games.rules.evolve import fold
from games.rules.refusal import refuse


class VersionMissing(ValueError):
    """The request does not say which version of the game it was made for."""


class VersionStale(ValueError):
    """The game has moved on since the version that the request was made for."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class KeyReused(ValueError):
    """The idempotency key was used for another request."""


class AnswerUnknown(RuntimeError):
    """The connection was lost while the events were stored, and no receipt tells whether they were."""


def fingerprint_of(data: Mapping[str, Any]) -> bytes:
    """Return 32 bytes that differ for different plain data."""
    text = json.dumps(dict(data), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what, about which version of a game; `data` is plain JSON data."""

    game_id: int
    member: User
    data: Mapping[str, Any]
    expected_version: int | None
    key: str
    now: datetime

    @property
    def fingerprint(self) -> bytes:
        """Return what tells two requests with one key apart."""
        return fingerprint_of(self.data)


@dataclass(frozen=True, slots=True)
class Taken:
    """A game after a request that was carried out, now or earlier under the same key.

    `seat` is the one that the member holds, from which the answer is seen.
    """

    game: Game
    places: list[Seat]
    loaded: Loaded
    seat: int | None
    is_repeat: bool


def perform(request: Request, work: Callable[[Locked], None]) -> Taken:
    """Let `work` judge and carry out the request under the game's lock.

    Raises GameNotFound, GameNotStarted, VersionMissing, VersionStale, KeyReused, IllegalAction (game_over),
    AnswerUnknown, and what `work` raises; nothing is stored then.
    """
    try:
        return _perform(request, work)
    except (OperationalError, InterfaceError) as error:
        # The COMMIT may have succeeded although its answer was lost: only the receipt can tell.
        connection.close()
        game = Game.objects.select_related("deal_source").filter(pk=request.game_id).first()
        receipt = _receipt(request, game) if game is not None else None
        if game is None or receipt is None:
            raise AnswerUnknown("the database went away; send the same request again") from error
        return _again(request, game, game.deal_source, receipt)


def _perform(request: Request, work: Callable[[Locked], None]) -> Taken:
    with transaction.atomic(durable=True):
        game, source = lock_game(request.game_id)
        receipt = _receipt(request, game)
        if receipt is not None:
            return _again(request, game, source, receipt)
        locked = load_rest(game, source, viewer=request.member)
        holder = locked.seat_of(request.member)
        seat = None if holder is None else holder.number
        check_moment(locked, request)
        work(locked)
        if request.key:
            Receipt.objects.create(
                game=game,
                actor=request.member.uuid,
                key=request.key,
                fingerprint=request.fingerprint,
                version=game.version,
                seat=seat,
                created_at=request.now,
            )
    return Taken(game, locked.places, locked.loaded, seat, is_repeat=False)


def check_moment(locked: Locked, request: Request) -> None:
    """Refuse a request about a game that has not started, is over, or has moved on."""
    if locked.loaded.state is None:
        raise GameNotStarted(f"game {locked.game.pk} waits for players")
    if locked.game.status != Status.ACTIVE and request.data.get("act") != "annul":
        refuse("game_over", "R7", "the game is over")
    if request.expected_version is None:
        raise VersionMissing("say which version of the game the request was made for")
    if request.expected_version != locked.game.version:
        raise VersionStale(locked.game.version)


def carry_out(locked: Locked, action: Action, *, actor: UUID | None, now: datetime) -> None:
    """Judge `action`, store its events and bring rows and state up to date; raises IllegalAction."""
    game, state = locked.game, locked.state
    before, first = moment_of(state), game.version + 1
    events = decide(state, action)
    drafts = drafts_of(locked, events)
    fold(state, events)
    locked.loaded.events += events
    projection = project(state)
    columns = wind(locked, (before.turn, before.turns), events, now)
    columns |= columns_of(game, state, projection, (before.turn, before.turns), now)
    log.append(game, drafts, actor=actor, now=now, columns=columns)
    save_seats(locked, projection, events, first, now)
    tell_turn(locked, before, events, now)


_RECEIPT = "SELECT {} FROM play_receipt WHERE game_id = %s AND actor = %s AND key = %s"


def _receipt(request: Request, game: Game) -> Receipt | None:
    if not request.key:
        return None
    rows = fetch(_RECEIPT, [game.pk, request.member.uuid, request.key], Receipt)
    if not rows:
        return None
    receipt: Receipt = rows[0][0]
    if bytes(receipt.fingerprint) != request.fingerprint:
        raise KeyReused("this idempotency key was used for another request")
    return receipt


def _again(request: Request, game: Game, source: DealSource, receipt: Receipt) -> Taken:
    """Return the game as it was after the request was first carried out."""
    loaded = read_events(log.bodies(game.pk, receipt.version))
    fold_events(loaded, source.deal)
    game.version = receipt.version
    return Taken(game, seats_in_order(game), loaded, receipt.seat, is_repeat=True)
