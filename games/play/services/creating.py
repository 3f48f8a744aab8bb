"""Making the row of a game, once for each idempotency key."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.models import Club
from games.play import log
from games.play.calendars import clock_body, clock_columns
from games.play.clocks import Clock
from games.play.models import Game, Seat, Source
from games.play.services.requests import KeyReused, fingerprint_of
from games.rules.ruleset import RULES_VERSION, Ruleset


@dataclass(frozen=True, slots=True)
class Once:
    """The idempotency key of a request that makes a game, and what was asked, as plain data."""

    key: str
    data: Mapping[str, Any]


def make_once(by: User, once: Once | None, make: Callable[[], Game]) -> Game:
    """Return the game that `make` makes, or the one that `by` made before under the same key.

    Raises KeyReused where the key was used for something else.
    """
    if once is None:
        return make()
    known = _made_before(by, once)
    if known is not None:
        return known
    try:
        return make()
    except IntegrityError:
        # The same request, sent twice at once: the other one has made the game meanwhile.
        known = _made_before(by, once)
        if known is None:
            raise
        return known


def _made_before(by: User, once: Once) -> Game | None:
    game = Game.objects.filter(created_by=by, request_key=once.key).first()
    if game is not None and bytes(game.request_fingerprint) != fingerprint_of(once.data):
        raise KeyReused(gettext("this idempotency key was used for another request"))
    return game


def create_game(
    rules: Ruleset,
    *,
    club: Club,
    name: str,
    expiry: str,
    clock: Clock | None = None,
    seal: str,
    by: User,
    rematch_of: Game | None = None,
    once: Once | None,
    now: datetime,
    source: str = Source.PLAYED,
) -> Game:
    """Insert the row of a game without events, and its seats."""
    game = Game.objects.create(
        club=club,
        name=name,
        source=source,
        edition=rules.edition.name,
        seats=rules.seats,
        teams=rules.teams,
        house_rules=rules.changed,
        expiry=expiry,
        **clock_columns(clock),
        rules_version=RULES_VERSION,
        seal=seal,
        head_hash=log.GENESIS,
        created_by=by,
        created_at=now,
        rematch_of=rematch_of,
        request_key="" if once is None else once.key,
        request_fingerprint=b"" if once is None else fingerprint_of(once.data),
    )
    bank = 0 if clock is None else clock.bank_seconds
    Seat.objects.bulk_create(
        Seat(game=game, number=number, bank_seconds=bank) for number in range(rules.seats)
    )
    return game


def proposal(rules: Ruleset, clock: Clock | None = None) -> dict[str, Any]:
    """Return what the first event of a game says about its ruleset and its clock."""
    return {
        **({} if clock is None else {"clock": clock_body(clock)}),
        "edition": rules.edition.name,
        "seats": rules.seats,
        "teams": rules.teams,
        "options": {name: _text_if_bool(value) for name, value in rules.options().items()},
        "rules_version": RULES_VERSION,
    }


def _text_if_bool(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
