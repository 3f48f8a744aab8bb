"""Taking in a record of a game that was played elsewhere: judged whole, stored whole, or not at all."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.models import Club
from games.clubs.queries import membership_of
from games.play import log
from games.play.catalogue import DEAL_REVEALED, RECORD_IMPORTED
from games.play.folding import Loaded
from games.play.models import Game, Seat, Source
from games.play.services.creating import Once, create_game, make_once, proposal
from games.play.services.locking import Locked
from games.play.services.projecting import revealed
from games.play.services.proposing import NotAllowed
from games.play.services.upkeep import rows_from_log
from games.play.vault import DealSource
from games.rules.deal import ListedDeal, SecretDeal
from games.rules.encoding import body_of
from games.rules.events import Event, SeatReplaced
from games.rules.record import Record
from games.rules.replay import Replayed, replay


def import_record(
    *, member: User, club: Club, record: Record, name: str = "", once: Once | None = None, now: datetime
) -> Game:
    """Store `record` as a game of `club`, marked as imported; it counts in no rating.

    Raises NotAllowed, KeyReused, and RecordError with the turn, the token and the reason; nothing is stored
    then.
    """
    if membership_of(member, club) is None:
        raise NotAllowed(gettext("only members of the club bring records into it"))
    played = replay(record)

    def make() -> Game:
        with transaction.atomic(durable=True):
            game = create_game(
                played.rules,
                club=club,
                name=name,
                expiry="ask",
                seal=record.seal,
                by=member,
                once=once,
                now=now,
                source=Source.IMPORTED,
            )
            _store(game, record, played, member, now)
        game.refresh_from_db()
        return game

    return make_once(member, once, make)


def _store(game: Game, record: Record, played: Replayed, member: User, now: datetime) -> None:
    deal = record.deal
    source = DealSource.objects.create(
        game=game,
        secret=deal.secret if isinstance(deal, SecretDeal) else None,
        listed=_listed(deal) if isinstance(deal, ListedDeal) else "",
    )
    events, names = _without_names(record, played.events)
    places = list(game.places.order_by("number"))
    locked = Locked(game, source, places, Loaded(played.rules, events=events))
    body = proposal(played.rules) | {"expiry": game.expiry} | ({"seal": record.seal} if record.seal else {})
    drafts = [log.Draft(RECORD_IMPORTED, body)]
    drafts += [
        log.Draft(type(event).__name__, body_of(played.rules, event), getattr(event, "seat", None))
        for event in events
    ]
    drafts.append(log.Draft(DEAL_REVEALED, revealed(source, locked.loaded)))
    locked.store(drafts, actor=member.uuid, now=now)
    _save_rows(locked, names)


def _listed(deal: ListedDeal) -> str:
    return json.dumps({"deck": deal.cards, "reshuffles": deal.reshuffles})


def _without_names(record: Record, events: Iterable[Event]) -> tuple[list[Event], list[str]]:
    """Return the events with an id in place of each substitute's name, and the names by seat."""
    names = [seat.name for seat in record.seats]
    kept: list[Event] = []
    for event in events:
        if isinstance(event, SeatReplaced):
            names[event.seat] = f"{names[event.seat]}, {event.player}"
            kept.append(replace(event, player=str(uuid4())))
        else:
            kept.append(event)
    return kept, names


def _save_rows(locked: Locked, names: list[str]) -> None:
    game = locked.game
    rows = rows_from_log(list(log.Event.objects.filter(game=game).order_by("number")), locked.source)
    Game.objects.filter(pk=game.pk).update(**rows.game)
    for place, columns, name in zip(locked.places, rows.seats, names, strict=True):
        Seat.objects.filter(pk=place.pk).update(**columns, recorded_name=name[:40])
