"""Reading games: always as a view of a viewer, never as a state."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.queries import Viewer, can_see_club, visible_clubs
from games.play import log
from games.play.catalogue import DEAL_REVEALED, TABLE_EVENTS
from games.play.dealing import PublishedDeal, publish_deal
from games.play.folding import Loaded, fold_events, read_events
from games.play.models import Game, Reason, Seat, Status, Tenure
from games.rules.actions import SeatAction
from games.rules.events import Event, GameStarted
from games.rules.legal import legal_actions
from games.rules.record import FULL, PUBLIC, SEAT, Record
from games.rules.recording import Stamp, record_of
from games.rules.ruleset import Ruleset
from games.rules.state import State
from games.rules.view import View, view_for

OVER = (Status.FINISHED, Status.ANNULLED, Status.UNFINISHED)


class NoSuchVersion(LookupError):
    """The game has no event of this number."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A game as one viewer sees it; `view` is None until the cards are dealt.

    `version` is the one that the view stands for, which may lie before `game.version`.
    """

    game: Game
    places: list[Seat]
    seat: int | None
    version: int
    view: View | None
    loaded: Loaded


def visible_games(viewer: Viewer) -> QuerySet[Game]:
    """Return the games that `viewer` may see: those of visible clubs and those they sit in."""
    seen = Q(club__in=visible_clubs(viewer).values("pk"))
    if isinstance(viewer, User):
        seen |= Q(pk__in=Seat.objects.filter(member=viewer).values("game_id"))
    return Game.objects.filter(seen)


def seen_game(game_id: int, viewer: Viewer, *, at: int | None = None) -> Seen | None:
    """Return the game as `viewer` sees it at event `at`, None if it is not theirs to see.

    Raises NoSuchVersion.
    """
    game = Game.objects.select_related("deal_source", "club").filter(pk=game_id).first()
    if game is None:
        return None
    places = seats_of(game)
    seat = seat_held(places, viewer)
    if seat is None and not can_see_club(viewer, game.club):
        return None
    if at is not None and not 1 <= at <= game.version:
        raise NoSuchVersion(
            gettext("event %(event)s does not exist: the game has events 1 to %(last)s")
            % {"event": str(at), "last": str(game.version)}
        )
    version = game.version if at is None else at
    # Up to the version of the row as read: a turn may be stored between the two queries.
    loaded = read_events(log.bodies(game.pk, version))
    state = fold_events(loaded, game.deal_source.deal)
    return Seen(game, places, seat, version, view_of(game, state, seat), loaded)


def seats_of(game: Game) -> list[Seat]:
    """Return the seats of a game in order, with their members."""
    return list(Seat.objects.select_related("member", "invited").filter(game=game).order_by("number"))


def seat_held(places: list[Seat], viewer: Viewer) -> int | None:
    """Return the number of the seat that `viewer` holds."""
    if not isinstance(viewer, User):
        return None
    own = [place for place in places if place.member_id == viewer.pk]
    # A member who left one seat may have come back as the substitute in another.
    own.sort(key=lambda place: not place.is_active)
    return own[0].number if own else None


def view_of(game: Game, state: State | None, seat: int | None) -> View | None:
    """Return what the holder of `seat` (or a spectator) may see; all hands once the game is over."""
    if state is None:
        return None
    return view_for(state, seat, reveal=game.status in OVER)


def legal_for(seen: Seen) -> tuple[SeatAction, ...]:
    """Return what the viewer's own seat may do now; nothing for a spectator."""
    state = seen.loaded.state
    if state is None or seen.seat is None or seen.version != seen.game.version:
        return ()
    return legal_actions(state, seen.seat)


def may_act(seen: Seen) -> bool:
    """Tell whether the viewer's own seat has something to do now (`waiting_for` looks at rows only)."""
    view, seat = seen.view, seen.seat
    if view is None or seat is None or view.outcome is not None or seen.version != seen.game.version:
        return False
    is_asked = view.offer is not None and seat % seen.game.teams not in view.offer[1]
    return view.active[seat] and (
        view.turn == seat or is_asked or bool(view.debts[seat] or view.rights[seat])
    )


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """A row of the log as the API gives it."""

    number: int
    type: str
    schema_version: int
    seat: int | None
    actor: str | None
    body: dict[str, Any]
    recorded_at: datetime
    prev_hash: str
    hash: str


def events_after(game: Game, after: int, limit: int) -> list[LoggedEvent]:
    """Return up to `limit` events with numbers above `after`: safe to show to all who see the game."""
    rows = log.Event.objects.filter(game=game, number__gt=after).order_by("number")[:limit]
    return [
        LoggedEvent(
            number=row.number,
            type=row.type,
            schema_version=row.schema_version,
            seat=row.seat,
            actor=None if row.actor is None else str(row.actor),
            body=json.loads(row.body),
            recorded_at=row.recorded_at,
            prev_hash=bytes(row.prev_hash).hex(),
            hash=bytes(row.hash).hex(),
        )
        for row in rows
    ]


def games_with_bots_due() -> QuerySet[Game]:
    """Return the running games in which a bot may have something to do, those with members first."""
    bots = Seat.objects.filter(game=OuterRef("pk"), is_bot=True, is_active=True)
    due = bots.filter(
        Q(number=OuterRef("turn_seat"))
        | Q(cards_owed__gt=0)
        | Q(draws_due__gt=0)
        | Q(game__offering_team__isnull=False)
    )
    has_members = Exists(Seat.objects.filter(game=OuterRef("pk"), member__isnull=False, is_active=True))
    return (
        Game.objects.filter(status=Status.ACTIVE)
        .filter(Q(bot_stands_in=True) | Exists(due))
        .order_by(has_members.desc(), "turn_since", "pk")
    )


def engine_events(game: Game) -> tuple[Ruleset, list[Event]]:
    """Return the ruleset and the events of the rules of a game: none of them tells a hidden card."""
    loaded = read_events(log.bodies(game.pk, game.version))
    return loaded.rules, loaded.events


def view_after(loaded: Loaded, seat: int | None) -> View | None:
    """Return what the holder of `seat` saw when these were all the events, however the game went on."""
    if loaded.state is None:
        return None
    return view_for(loaded.state, seat, reveal=loaded.state.outcome is not None)


def reasons_of(game: Game) -> QuerySet[Reason]:
    """Return the words of the rulings in a game, oldest first."""
    return Reason.objects.filter(game=game).select_related("given_by").order_by("pk")


def tenures_of(game: Game) -> QuerySet[Tenure]:
    """Return who held which seat from when to when."""
    return (
        Tenure.objects.filter(seat__game=game).select_related("seat", "member").order_by("seat__number", "pk")
    )


def published_deal(seen: Seen) -> PublishedDeal:
    """Return the deal of a game that is over, from what its log publishes."""
    row = log.Event.objects.filter(game=seen.game, type=DEAL_REVEALED).first()
    secret = "" if row is None else json.loads(row.body).get("secret", "")
    return publish_deal(seen.loaded, secret)


def record_for(seen: Seen, view: str) -> Record:
    """Return the record of a started game in one of its views; raises HiddenView.

    Whether the viewer may have that view is the caller's to judge: see `views_of_record`.
    """
    game, events = seen.game, seen.loaded.events
    tags = {"Event": game.club.name, "Game": str(game.pk)}
    if game.started_at is not None:
        tags["Date"] = game.started_at.date().isoformat()
    start = events[0]
    nonces = start.nonces if isinstance(start, GameStarted) else ()
    source = game.deal_source
    return record_of(
        seen.loaded.rules,
        events,
        source.deal(nonces),
        tags=tags,
        names=_names_for_record(seen),
        nonces=nonces,
        secret=bytes(source.secret) if source.secret is not None and view == FULL else None,
        seal=game.seal,
        clocks=_stamps(seen),
        view=view,
    )


def _names_for_record(seen: Seen) -> dict[str, str]:
    """Return who sat first in each seat, by letter, and every substitute by the id in the events."""
    names = {place.letter: place.player_name for place in seen.places}
    tenures = Tenure.objects.select_related("member", "seat").filter(seat__game=seen.game)
    for tenure in tenures.order_by("-pk"):
        if tenure.member is not None:
            names[str(tenure.member.uuid)] = names[tenure.seat.letter] = tenure.member.username
    return names


def _stamps(seen: Seen) -> dict[int, Stamp]:
    times = log.Event.objects.filter(game=seen.game, number__lte=seen.version).exclude(type__in=TABLE_EVENTS)
    recorded = times.order_by("number").values_list("recorded_at", flat=True)
    return {place: Stamp(at.strftime("%Y-%m-%dT%H:%M:%SZ")) for place, at in enumerate(recorded)}


def views_of_record(seen: Seen) -> tuple[str, ...]:
    """Return the views of the record that the viewer may have now: all of them once the game is over."""
    letters = [place.letter for place in seen.places]
    if seen.game.status in OVER:
        return (FULL, PUBLIC, *(f"{SEAT}{letter}" for letter in letters))
    return (PUBLIC,) if seen.seat is None else (PUBLIC, f"{SEAT}{letters[seen.seat]}")


def waiting_for(member: User) -> QuerySet[Game]:
    """Return the running games in which `member` may act: on turn, a card owed or to draw, a draw to answer.

    Rows do not tell which teams have agreed to a draw: of three, one that has still counts.
    """
    own_team = F("number") % F("game__teams")
    offered = Q(game__offering_team__isnull=False) & ~Q(game__offering_team=own_team)
    acting = Seat.objects.filter(game=OuterRef("pk"), member=member, is_active=True).filter(
        Q(number=OuterRef("turn_seat")) | Q(cards_owed__gt=0) | Q(draws_due__gt=0) | offered
    )
    return Game.objects.filter(Exists(acting), status=Status.ACTIVE)
