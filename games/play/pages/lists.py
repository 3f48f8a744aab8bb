"""Games in lists: what is asked of whom, until when."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When
from django.utils.translation import gettext, ngettext

from games.accounts.models import User
from games.mail.models import Mail
from games.play import queries
from games.play.models import Game, Seat, Status
from games.play.telling.clock_words import clock_sentences
from games.play.telling.house_rules import changed_rules
from games.play.telling.words import game_title, game_url, player_name, result_words
from games.rules.encoding import SEAT_LETTERS

IN_A_LIST = 50
RECENT = 12


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list; `asks` is what it wants of the viewer, `terms` what joining it agrees to."""

    pk: int
    url: str
    title: str
    club: str
    status: str
    players: str
    is_changed: bool
    over_since: datetime | None
    deadline: datetime | None
    turn_since: datetime | None
    is_late: bool
    is_paused: bool
    asks: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)


def game_lines(
    games: QuerySet[Game], most: int, *, now: datetime, viewer: User | None = None, terms: bool = False
) -> list[GameLine]:
    """Return up to `most` games as lines of a list: two queries, three if a clock stands."""
    shown = list(games.select_related("club").prefetch_related("places__member")[:most])
    late = late_games(shown, now)
    return [
        GameLine(
            pk=game.pk,
            url=game_url(game),
            title=game_title(game),
            club=game.club.name,
            status=_status_words(game),
            players=_players(game),
            is_changed=bool(game.house_rules),
            over_since=game.finished_at,
            deadline=_deadline_for(game, viewer),
            turn_since=game.turn_since,
            is_late=game.pk in late,
            is_paused=game.status == Status.ACTIVE and game.is_paused,
            asks=[] if viewer is None else asks_of(game, game.places.all(), viewer),
            terms=terms_of(game) if terms else [],
        )
        for game in shown
    ]


def _players(game: Game) -> str:
    """Return who plays: the members by name, the bots by number."""
    taken = [place for place in game.places.all() if place.is_taken]
    names = [player_name(place) for place in taken if not place.is_bot]
    bots = len(taken) - len(names)
    if bots:
        names.append(ngettext("%(bots)s bot", "%(bots)s bots", bots) % {"bots": str(bots)})
    return ", ".join(names)


def with_members(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return those of `games` in which a member sits: what bots play among themselves is less news."""
    return games.filter(Exists(Seat.objects.filter(game=OuterRef("pk"), member__isnull=False)))


def _deadline_for(game: Game, viewer: User | None) -> datetime | None:
    """Return when the time of the turn runs out; to a viewer who has other things to do, nothing."""
    if viewer is None:
        return game.deadline
    on_turn = next((place for place in game.places.all() if place.number == game.turn_seat), None)
    return game.deadline if on_turn is not None and on_turn.member_id == viewer.pk else None


def waiting_first(member: User) -> QuerySet[Game]:
    """Return the games that wait for `member`: those that end soonest first."""
    on_turn = Seat.objects.filter(
        game=OuterRef("pk"), member=member, is_active=True, number=OuterRef("turn_seat")
    )
    own_deadline = Case(When(Exists(on_turn), then=F("deadline")), default=None)
    return (
        queries.waiting_for(member)
        .annotate(own_deadline=own_deadline)
        .order_by(F("own_deadline").asc(nulls_last=True), "turn_since", "pk")
    )


def asks_of(game: Game, places: Iterable[Seat], member: User) -> list[str]:
    """Return what a running game asks of the seat of `member`, the most urgent first."""
    place = next((p for p in places if p.member_id == member.pk and p.is_active), None)
    if place is None or game.status != Status.ACTIVE:
        return []
    asks = []
    if place.cards_owed:
        owed = place.cards_owed
        asks.append(
            ngettext("You owe %(owed)s card for table talk", "You owe %(owed)s cards for table talk", owed)
            % {"owed": str(owed)}
        )
    if game.turn_seat == place.number:
        asks.append(gettext("Your turn"))
    if place.draws_due:
        asks.append(gettext("You have a card to draw"))
    if game.offering_team is not None and place.number % game.teams != game.offering_team:
        asks.append(gettext("A draw is offered: agree or decline"))
    return asks


def late_games(games: Iterable[Game], now: datetime) -> set[int]:
    """Return the ids of the running games in which somebody's time has run out.

    A clock also stands where an organiser has stopped it, or where mail comes back; only where time ran out
    were the organisers told that this turn is late.
    """
    running = [game for game in games if game.status == Status.ACTIVE]
    late = {game.pk for game in running if game.deadline is not None and game.deadline <= now}
    standing = {
        f"late:{game.uuid}:{game.turns + 1}:{SEAT_LETTERS[game.turn_seat]}:": game.pk
        for game in running
        if game.is_paused and game.turn_seat is not None
    }
    if not standing:
        return late
    told = Q()
    for key in standing:
        told |= Q(key__startswith=key)
    keys = Mail.objects.filter(told, kind="late").values_list("key", flat=True)
    return late | {standing[key.rpartition(":")[0] + ":"] for key in keys}


def terms_of(game: Game) -> list[str]:
    """Return what whoever joins agrees to: every house rule, and the clock."""
    table = gettext("%(seats)s seats in %(teams)s teams.") % {
        "seats": str(game.seats),
        "teams": str(game.teams),
    }
    return [table, *changed_rules(game.house_rules), *clock_sentences(game)]


def _status_words(game: Game) -> str:
    if game.status == Status.PROPOSED:
        free = sum(not place.is_taken for place in game.places.all())
        return ngettext("%(free)s seat free", "%(free)s seats free", free) % {"free": str(free)}
    if game.status != Status.ACTIVE:
        return result_words(game, game.places.all())
    turn = next(place for place in game.places.all() if place.number == game.turn_seat)
    words = {"turn": str(game.turns + 1), "player": player_name(turn)}
    if game.is_paused:
        return gettext("Turn %(turn)s of %(player)s; the clock stands, an organiser decides") % words
    if game.offering_team is not None:
        return gettext("Turn %(turn)s: %(player)s is to play; a draw is offered") % words
    return gettext("Turn %(turn)s: %(player)s is to play") % words
