"""From a proposal to the first turn: seats are taken and given back; the last one starts the game."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.models import Club
from games.clubs.queries import is_organiser, membership_of
from games.play import log
from games.play.catalogue import GAME_PROPOSED, PROPOSAL_WITHDRAWN, SEAT_FREED, SEAT_TAKEN
from games.play.clocks import Clock
from games.play.folding import Loaded, fold_events, nonces_in_order
from games.play.models import Game, Seat, Status, Tenure
from games.play.services.clock import wind
from games.play.services.creating import Once, create_game, make_once, proposal
from games.play.services.locking import BOT, Locked, load_locked
from games.play.services.notices import tell_kept, tell_start
from games.play.services.projecting import project
from games.play.vault import DealSource, new_secret
from games.rules.deal import cut, seal_of
from games.rules.encoding import body_of
from games.rules.events import GameStarted
from games.rules.ruleset import make_ruleset

NONCE = re.compile(r"\A([0-9a-f]{2}){1,32}\Z")


class NotAllowed(PermissionError):
    """The caller sees the game or club but may not do this."""


class SeatUnavailable(ValueError):
    """The seat cannot be had: taken, kept for somebody else, or the game is not open any more."""


class BadNonce(ValueError):
    """A nonce is not lower-case hex of at most 32 bytes."""


def propose_game(
    *,
    proposer: User,
    club: Club,
    seats: int,
    teams: int | None = None,
    edition: str = "classic",
    options: Mapping[str, Any] | None = None,
    name: str = "",
    expiry: str = "ask",
    clock: Clock | None = None,
    own_seat: int | None = 0,
    nonce: str = "",
    invited: Mapping[int, User] | None = None,
    bots: Iterable[int] = (),
    rematch_of: Game | None = None,
    once: Once | None = None,
    now: datetime,
) -> Game:
    """Propose a game to the members of `club`; its secret is made and sealed at once.

    The proposer takes `own_seat` unless it is None; `invited` keeps seats for members, `bots` take theirs.
    Raises BadOption, NotAllowed, BadNonce, SeatUnavailable, KeyReused.
    """
    if membership_of(proposer, club) is None:
        raise NotAllowed(gettext("only members of the club propose games in it"))
    if nonce and own_seat is None:
        raise BadNonce(gettext("a nonce goes with a seat of one's own"))
    rules = make_ruleset(seats, teams, edition, **(options or {}))

    def make() -> Game:
        secret = new_secret()
        with transaction.atomic(durable=True):
            game = create_game(
                rules,
                club=club,
                name=name,
                expiry=expiry,
                clock=clock,
                seal=seal_of(secret),
                by=proposer,
                rematch_of=rematch_of,
                once=once,
                now=now,
            )
            source = DealSource.objects.create(game=game, secret=secret)
            locked = Locked(game, source, list(game.places.order_by("number")), Loaded(rules))
            body = proposal(rules, clock) | {"expiry": expiry, "seal": game.seal}
            locked.store([log.Draft(GAME_PROPOSED, body)], actor=proposer.uuid, now=now)
            if own_seat is not None:
                _take(locked, _open_place(locked, own_seat), proposer, nonce, now)
            for seat, member in (invited or {}).items():
                _keep(locked, _open_place(locked, seat), member)
            tell_kept(game, locked.places, proposer, now)
            for seat in bots:
                _take(locked, _open_place(locked, seat), None, "", now)
            _save(locked)
        return game

    return make_once(proposer, once, make)


def take_seat(*, member: User, game_id: int, seat: int | None = None, nonce: str = "", now: datetime) -> Game:
    """Agree to the game's rules and take `seat`, or the first free one; the last seat starts the game.

    Raises GameNotFound, NotAllowed, SeatUnavailable, BadNonce.
    """
    with transaction.atomic(durable=True):
        locked = _proposed(game_id, member)
        if membership_of(member, locked.game.club) is None:
            raise NotAllowed(gettext("only members of the club take part in its games"))
        if locked.seat_of(member) is not None:
            raise SeatUnavailable(gettext("you hold a seat in this game already"))
        _take(locked, _free_place(locked, member, seat), member, nonce, now)
        _save(locked)
    return locked.game


def leave_seat(*, member: User, game_id: int, now: datetime) -> Game:
    """Give the member's seat back before the game starts; raises GameNotFound, SeatUnavailable."""
    with transaction.atomic(durable=True):
        locked = _proposed(game_id, member)
        place = locked.seat_of(member)
        if place is None:
            raise SeatUnavailable(gettext("you hold no seat in this game"))
        body = {"seat": place.letter}
        locked.store([log.Draft(SEAT_FREED, body, place.number)], actor=member.uuid, now=now)
        Tenure.objects.filter(seat=place, until_version__isnull=True).update(
            until_version=locked.game.version, until=now
        )
        Seat.objects.filter(pk=place.pk).update(member=None, taken_at=None, nonce="")
        _save(locked)
    return locked.game


def invite_to_seat(*, inviter: User, game_id: int, seat: int, invited: User | None, now: datetime) -> Game:
    """Keep a free seat for a member of the club, or for nobody again.

    The proposer and organisers may. Raises GameNotFound, NotAllowed, SeatUnavailable.
    """
    with transaction.atomic(durable=True):
        locked = _proposed(game_id, inviter)
        _check_host(locked, inviter)
        place = _open_place(locked, seat)
        _keep(locked, place, invited)
        tell_kept(locked.game, [place], inviter, now)
    return locked.game


def seat_bot(*, host: User, game_id: int, seat: int, now: datetime) -> Game:
    """Fill a free seat with a bot; the proposer and organisers may.

    Raises GameNotFound, NotAllowed, SeatUnavailable.
    """
    with transaction.atomic(durable=True):
        locked = _proposed(game_id, host)
        _check_host(locked, host)
        _take(locked, _open_place(locked, seat), None, "", now)
        _save(locked)
    return locked.game


def withdraw_proposal(*, member: User, game_id: int, now: datetime) -> Game:
    """Call a proposed game off; the proposer and organisers may. Raises GameNotFound, NotAllowed."""
    with transaction.atomic(durable=True):
        locked = _proposed(game_id, member)
        _check_host(locked, member)
        locked.store([log.Draft(PROPOSAL_WITHDRAWN, {})], actor=member.uuid, now=now)
        locked.game.status = Status.WITHDRAWN
        locked.game.finished_at = now
        _save(locked)
    return locked.game


def _proposed(game_id: int, member: User) -> Locked:
    locked = load_locked(game_id, viewer=member)
    if locked.game.status != Status.PROPOSED:
        raise SeatUnavailable(gettext("the game does not wait for players any more"))
    return locked


def _check_host(locked: Locked, member: User) -> None:
    if locked.game.created_by_id != member.pk and not is_organiser(member, locked.game.club):
        raise NotAllowed(gettext("only who proposed the game, or an organiser of the club, may do this"))


def _open_place(locked: Locked, seat: int) -> Seat:
    if not 0 <= seat < len(locked.places):
        raise SeatUnavailable(
            gettext("the game has %(seats)s seats only") % {"seats": str(len(locked.places))}
        )
    if locked.places[seat].is_taken:
        raise SeatUnavailable(gettext("this seat is taken"))
    return locked.places[seat]


def _keep(locked: Locked, place: Seat, member: User | None) -> None:
    if member is not None and membership_of(member, locked.game.club) is None:
        raise SeatUnavailable(gettext("only members of the club can be invited to its games"))
    place.invited = member
    Seat.objects.filter(pk=place.pk).update(invited=member)


def _free_place(locked: Locked, member: User, seat: int | None) -> Seat:
    if seat is not None:
        place = _open_place(locked, seat)
        if place.invited_id not in (None, member.pk):
            raise SeatUnavailable(gettext("this seat is kept for another member"))
        return place
    free = [place for place in locked.places if not place.is_taken]
    ordered = [p for p in free if p.invited_id == member.pk] + [p for p in free if p.invited_id is None]
    if not ordered:
        raise SeatUnavailable(gettext("no seat is free in this game"))
    return ordered[0]


def _take(locked: Locked, place: Seat, member: User | None, nonce: str, now: datetime) -> None:
    """Seat `member`, or a bot, and start the game with the last seat."""
    if nonce and not NONCE.match(nonce):
        raise BadNonce(gettext("a nonce is lower-case hex, two digits a byte, at most 32 bytes"))
    player: UUID = BOT if member is None else member.uuid
    body: dict[str, Any] = {"seat": place.letter, "player": str(player)}
    if nonce:
        body["nonce"] = nonce
        locked.loaded.nonces[place.number] = nonce
    locked.store([log.Draft(SEAT_TAKEN, body, place.number)], actor=player, now=now)
    place.member, place.is_bot, place.taken_at, place.nonce = member, member is None, now, nonce
    place.invited = None
    Seat.objects.filter(pk=place.pk).update(
        member=member, is_bot=place.is_bot, invited=None, taken_at=now, nonce=nonce
    )
    Tenure.objects.create(seat=place, member=member, from_version=locked.game.version, since=now)
    if all(other.is_taken for other in locked.places):
        _start(locked, now)


def _start(locked: Locked, now: datetime) -> None:
    game, loaded = locked.game, locked.loaded
    nonces = nonces_in_order(loaded)
    secret = locked.source.secret
    if secret is None:
        raise ValueError("a game that is played here has a secret")
    dealer, cuts = cut(loaded.rules.edition, bytes(secret), nonces, game.seats)
    event = GameStarted((dealer + 1) % game.seats, cuts, nonces)
    locked.store([log.Draft("GameStarted", body_of(loaded.rules, event))], actor=None, now=now)
    loaded.events.append(event)
    state = fold_events(loaded, locked.source.deal)
    if state is None:
        raise ValueError("the start of a game gives a state")
    for name, value in project(state).game.items():
        setattr(game, name, value)
    game.started_at = game.turn_since = now
    wind(locked, (None, 0), (event,), now)
    tell_start(locked, now)


def _save(locked: Locked) -> None:
    locked.game.save(
        update_fields=[
            "version", "head_hash", "status", "turn_seat", "turns", "started_at", "turn_since", "finished_at",
            "clock_since", "deadline", "remind_at",
        ]
    )  # fmt: skip
