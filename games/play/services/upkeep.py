"""Checking a game against its log, and making its rows anew from it."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from games.accounts.models import User
from games.play import log
from games.play.calendars import clock_columns, clock_from_body
from games.play.catalogue import (
    DEAL_REVEALED,
    GAME_PROPOSED,
    PROPOSAL_WITHDRAWN,
    RECORD_IMPORTED,
    SEAT_FREED,
    SEAT_TAKEN,
    TABLE_EVENTS,
)
from games.play.folding import ruleset_of
from games.play.models import Game, Reason, Seat, Status, Tenure
from games.play.services.locking import BOT, lock_game
from games.play.services.projecting import project
from games.play.vault import DealSource
from games.rules.deal import cut, seal_of
from games.rules.encoding import SEAT_LETTERS, BadEvent, event_from
from games.rules.events import GameStarted, SeatLeft, SeatReplaced
from games.rules.evolve import CorruptEvents, fold
from games.rules.state import State, deal_cards


@dataclass(frozen=True, slots=True)
class Rows:
    """The columns of a game and its seats as the log tells them; `players` holds each seat's actor."""

    game: dict[str, Any]
    seats: list[dict[str, Any]]
    players: list[str | None]


def verify_game(game_id: int) -> list[str]:
    """Return what is wrong with a game, nothing if all is well: chain, fold, rows, outcome, deal, reasons."""
    with transaction.atomic():
        game, source = lock_game(game_id)
        rows = list(log.Event.objects.filter(game=game).order_by("number"))
        faults = list(_chain_faults(game, rows))
        if faults:
            return faults
        try:
            expected = rows_from_log(rows, source)
        except (CorruptEvents, BadEvent, ValueError, KeyError) as error:
            return [f"the events do not fold: {error}"]
        places = list(Seat.objects.select_related("member").filter(game=game).order_by("number"))
        faults += _row_faults(game, places, expected)
        faults += _tenure_faults(game, rows)
        faults += _deal_faults(game, rows, source)
        faults += _reason_faults(game, rows)
    return faults


def rebuild_game(game_id: int) -> list[str]:
    """Make the rows of a game anew from its log; return the columns that were wrong.

    Raises CorruptEvents where the log itself is damaged: `verify` says how.
    """
    with transaction.atomic():
        game, source = lock_game(game_id)
        rows = list(log.Event.objects.filter(game=game).order_by("number"))
        faults = list(_chain_faults(game, rows, check_head=False))
        if faults:
            raise CorruptEvents("; ".join(faults))
        expected = rows_from_log(rows, source)
        places = list(Seat.objects.select_related("member").filter(game=game).order_by("number"))
        wrong = [fault for fault in _row_faults(game, places, expected) if not fault.startswith("player")]
        if wrong:
            Game.objects.filter(pk=game.pk).update(**expected.game)
            for place, columns in zip(places, expected.seats, strict=True):
                Seat.objects.filter(pk=place.pk).update(**columns)
        tenures = _tenure_faults(game, rows)
        if tenures:
            _make_tenures_anew(places, tenures_from_log(rows))
    return wrong + tenures


def _chain_faults(game: Game, rows: list[log.Event], *, check_head: bool = True) -> Iterator[str]:
    previous = log.GENESIS
    for expected, row in enumerate(rows, 1):
        if row.number != expected:
            yield f"event {expected} is missing"
            return
        digest = log.chain_hash(
            previous, game.uuid, row.number, row.type, row.schema_version, row.actor, row.seat, row.body,
            row.recorded_at,
        )  # fmt: skip
        if bytes(row.prev_hash) != previous or bytes(row.hash) != digest:
            yield f"event {row.number} ({row.type}) does not match its hash"
            return
        previous = digest
    if not rows:
        yield "the game has no events"
    elif check_head and (game.version != len(rows) or bytes(game.head_hash) != previous):
        yield f"the game says version {game.version}, its log ends with {len(rows)}, or the head hash differs"


def rows_from_log(rows: list[log.Event], source: DealSource) -> Rows:
    """Return what the log says about the rows of its game; raises CorruptEvents, BadEvent."""
    if rows[0].type not in (GAME_PROPOSED, RECORD_IMPORTED):
        raise CorruptEvents("the first event does not propose a game")
    rules = ruleset_of(rows[0].body)
    first = json.loads(rows[0].body)
    imported = rows[0].type == RECORD_IMPORTED
    seats = [_free_seat(rows[0].recorded_at if imported else None) for _ in range(rules.seats)]
    players: list[str | None] = [None] * rules.seats
    game: dict[str, Any] = {
        "status": Status.PROPOSED,
        "turn_since": None,
        "started_at": None,
        "finished_at": None,
    }
    state: State | None = None
    for row in rows[1:]:
        if row.type in TABLE_EVENTS:
            _apply_table_event(row, seats, players, game)
            continue
        event = event_from(rules, row.type, json.loads(row.body))
        if isinstance(event, GameStarted):
            state = deal_cards(rules, source.deal(event.nonces), event.start)
            game["started_at"] = game["turn_since"] = row.recorded_at
        elif state is None:
            raise CorruptEvents(f"event {row.number} comes before the start")
        else:
            before = (state.turn, state.turns)
            fold(state, (event,))
            if (state.turn, state.turns) != before:
                game["turn_since"] = row.recorded_at if state.turn is not None else None
            if state.outcome is not None and game["finished_at"] is None:
                game["finished_at"] = row.recorded_at
            if isinstance(event, SeatReplaced):
                players[event.seat] = event.player
                seats[event.seat]["is_bot"] = event.player == str(BOT)
    game |= _columns(state, seats)
    if imported and game["status"] == Status.ACTIVE:
        game |= {"status": Status.UNFINISHED, "turn_seat": None, "turn_since": None}
    if imported and game["finished_at"] is None:
        game["finished_at"] = rows[-1].recorded_at
    game |= {
        "version": len(rows),
        "head_hash": bytes(rows[-1].hash),
        "edition": rules.edition.name,
        "seats": rules.seats,
        "teams": rules.teams,
        "house_rules": rules.changed,
        "rules_version": first["rules_version"],
        "seal": first.get("seal", ""),
        "expiry": first["expiry"],
        **clock_columns(clock_from_body(first.get("clock"))),
    }
    return Rows(game, seats, players)


@dataclass(slots=True)
class Held:
    """Who held a seat from one event to another, as the log tells it."""

    seat: int
    player: str
    from_version: int
    since: datetime
    until_version: int | None = None
    until: datetime | None = None


def tenures_from_log(rows: list[log.Event]) -> list[Held]:
    """Return who held which seat and when, by seat and time; nobody held those of an imported record."""
    if rows[0].type == RECORD_IMPORTED:
        return []
    held: list[Held] = []
    now: dict[str, Held] = {}
    for row in rows:
        if row.type not in (SEAT_TAKEN, SEAT_FREED, SeatReplaced.__name__, SeatLeft.__name__):
            continue
        body = json.loads(row.body)
        before = now.pop(body["seat"], None)
        if before is not None:
            before.until_version, before.until = row.number, row.recorded_at
        if "player" in body:
            seat = SEAT_LETTERS.index(body["seat"])
            now[body["seat"]] = Held(seat, body["player"], row.number, row.recorded_at)
            held.append(now[body["seat"]])
    return sorted(held, key=lambda one: (one.seat, one.from_version))


def _tenure_faults(game: Game, rows: list[log.Event]) -> list[str]:
    expected = tenures_from_log(rows)
    stored = list(
        Tenure.objects.select_related("member", "seat")
        .filter(seat__game=game)
        .order_by("seat__number", "from_version")
    )
    if len(stored) != len(expected):
        return [f"the game has {len(stored)} tenures, the log says {len(expected)}"]
    faults = []
    for row, one in zip(stored, expected, strict=True):
        there = (row.seat.number, row.from_version, row.since, row.until_version, row.until)
        told = (one.seat, one.from_version, one.since, one.until_version, one.until)
        # A member who was erased leaves no name behind; anybody else must be who the log names.
        if there != told or (row.member is not None and str(row.member.uuid) != one.player):
            faults.append(
                f"the tenure of seat {row.seat.letter} from event {row.from_version} is not the log's"
            )
    return faults


def _make_tenures_anew(places: list[Seat], held: list[Held]) -> None:
    members = {str(user.uuid): user for user in User.objects.filter(uuid__in={one.player for one in held})}
    Tenure.objects.filter(seat__in=places).delete()
    Tenure.objects.bulk_create(
        Tenure(
            seat=places[one.seat],
            member=members.get(one.player),
            from_version=one.from_version,
            since=one.since,
            until_version=one.until_version,
            until=one.until,
        )
        for one in held
    )


def _free_seat(taken_at: datetime | None) -> dict[str, Any]:
    return {
        "taken_at": taken_at,
        "nonce": "",
        "is_bot": False,
        "is_active": True,
        "cards_owed": 0,
        "draws_due": 0,
    }


def _columns(state: State | None, seats: list[dict[str, Any]]) -> dict[str, Any]:
    if state is None:
        return {
            "turn_seat": None,
            "turns": 0,
            "is_paused": False,
            "bot_stands_in": False,
            "offering_team": None,
            "winner": None,
            "end": "",
        }
    projection = project(state)
    for seat, columns in zip(seats, projection.seats, strict=True):
        seat.update(columns)
    return projection.game


def _apply_table_event(
    row: log.Event, seats: list[dict[str, Any]], players: list[str | None], game: dict[str, Any]
) -> None:
    body = json.loads(row.body)
    if row.type == PROPOSAL_WITHDRAWN:
        game["status"], game["finished_at"] = Status.WITHDRAWN, row.recorded_at
    elif row.type in (SEAT_TAKEN, SEAT_FREED):
        seat = SEAT_LETTERS.index(body["seat"])
        taken = row.type == SEAT_TAKEN
        players[seat] = body["player"] if taken else None
        seats[seat] |= {
            "taken_at": row.recorded_at if taken else None,
            "nonce": body.get("nonce", ""),
            "is_bot": taken and body["player"] == str(BOT),
        }


def _row_faults(game: Game, places: list[Seat], expected: Rows) -> list[str]:
    faults = [
        f"game.{name} is {_shown(getattr(game, name))}, the log says {_shown(value)}"
        for name, value in expected.game.items()
        if _plain(getattr(game, name)) != _plain(value)
    ]
    if len(places) != len(expected.seats):
        return [*faults, f"the game has {len(places)} seats, the log says {len(expected.seats)}"]
    for place, columns, player in zip(places, expected.seats, expected.players, strict=True):
        faults += [
            f"seat {place.letter}.{name} is {_shown(getattr(place, name))}, the log says {_shown(value)}"
            for name, value in columns.items()
            if getattr(place, name) != value
        ]
        if place.member is not None and str(place.member.uuid) != player:
            faults.append(f"player of seat {place.letter} is {place.member.uuid}, the log says {player}")
    return faults


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def _shown(value: Any) -> str:
    value = _plain(value)
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if isinstance(value, datetime) else repr(value)


def _deal_faults(game: Game, rows: list[log.Event], source: DealSource) -> list[str]:
    if source.secret is None:
        return []
    secret = bytes(source.secret)
    faults = []
    if game.seal and seal_of(secret) != game.seal:
        faults.append("the secret of the deal does not match its published seal")
    for row in rows:
        body = json.loads(row.body)
        if row.type == "GameStarted":
            rules = ruleset_of(rows[0].body)
            dealer, cuts = cut(rules.edition, secret, tuple(body.get("nonces", ())), rules.seats)
            start = SEAT_LETTERS[(dealer + 1) % rules.seats]
            # A record from elsewhere need not say how the first seat was found.
            if "cuts" in body and (body["start"], body["cuts"]) != (start, [list(cards) for cards in cuts]):
                faults.append("the cut for the first turn does not follow from the secret")
        if row.type == DEAL_REVEALED and body.get("secret") != secret.hex():
            faults.append("the revealed secret is not the one of the deal")
    if game.status in (Status.FINISHED, Status.ANNULLED) and not any(r.type == DEAL_REVEALED for r in rows):
        faults.append("the game is over and its secret was not revealed")
    return faults


def _reason_faults(game: Game, rows: list[log.Event]) -> list[str]:
    known = {reason.hash: reason for reason in Reason.objects.filter(game=game)}
    faults = []
    for row in rows:
        reason = known.get(json.loads(row.body).get("reason_hash", ""))
        if reason is not None:
            digest = hashlib.sha256(f"{reason.nonce}|{reason.text}".encode()).hexdigest()
            if digest != reason.hash:
                faults.append(f"the reason of event {row.number} was changed afterwards")
    return faults
