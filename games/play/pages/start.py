"""The first page: what waits for the viewer, and what there is to join or to watch."""

from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.accounts.models import User
from games.clubs.queries import clubs_of, visible_clubs
from games.play import queries
from games.play.models import Game, Seat, Status
from games.play.pages.lists import IN_A_LIST, RECENT, GameLine, game_lines, waiting_first, with_members
from games.play.telling import words


@never_cache
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Show what waits for the viewer first, then their other games and what they may join or watch."""
    user, now = request.user, timezone.now()
    if isinstance(user, User):
        return render(request, "play/start.html", _for_member(user))
    running = queries.visible_games(user).filter(status=Status.ACTIVE).order_by("-turn_since")
    context: dict[str, Any] = {
        "zone": words.zone_of(user),
        "running": game_lines(with_members(running), RECENT, now=now) or game_lines(running, RECENT, now=now),
        "finished": _finished(queries.visible_games(user)),
        "clubs": list(visible_clubs(user).order_by("name")[:IN_A_LIST]),
    }
    return render(request, "play/start.html", context)


@never_cache
@require_safe
def open_games(request: HttpRequest) -> HttpResponse:
    """Show the games that wait for players: those the viewer may join, and those of other open clubs."""
    user, now = request.user, timezone.now()
    if isinstance(user, User):
        mine = to_join(user)
        others = queries.visible_games(user).filter(status=Status.PROPOSED).exclude(pk__in=mine.values("pk"))
        others = others.exclude(places__member=user).exclude(club__in=clubs_of(user).values("pk"))
    else:
        mine = Game.objects.none()
        others = queries.visible_games(user).filter(status=Status.PROPOSED)
    context = {
        "zone": words.zone_of(user),
        "to_join": game_lines(mine.order_by("-pk"), IN_A_LIST, now=now, terms=True),
        "others": game_lines(others.order_by("-pk"), IN_A_LIST, now=now, terms=True),
    }
    return render(request, "play/open_games.html", context)


def to_join(user: User) -> QuerySet[Game]:
    """Return the proposals in which `user` could take a seat: of their clubs, a seat free and not kept."""
    free = Seat.objects.filter(game=OuterRef("pk"), taken_at__isnull=True)
    free = free.filter(Q(invited__isnull=True) | Q(invited=user))
    own = Seat.objects.filter(game=OuterRef("pk"), member=user)
    return Game.objects.filter(
        Exists(free), ~Exists(own), status=Status.PROPOSED, club__in=clubs_of(user).values("pk")
    )


def _for_member(user: User) -> dict[str, Any]:
    now, mine = timezone.now(), Seat.objects.filter(member=user).values("game_id")
    waiting = waiting_first(user)
    running = Game.objects.filter(pk__in=mine, status=Status.ACTIVE)
    running = running.exclude(pk__in=queries.waiting_for(user).values("pk"))
    proposed = Game.objects.filter(pk__in=mine, status=Status.PROPOSED)
    ended = Game.objects.filter(Q(pk__in=mine) | Q(club__in=clubs_of(user).values("pk")))
    kept = Exists(Seat.objects.filter(game=OuterRef("pk"), invited=user, taken_at__isnull=True))
    return {
        "zone": words.zone_of(user),
        "waiting": game_lines(waiting, IN_A_LIST, now=now, viewer=user),
        "running": game_lines(
            running.order_by(F("deadline").asc(nulls_last=True), "-turn_since"), IN_A_LIST, now=now
        ),
        "own_proposals": game_lines(proposed.order_by("-pk"), IN_A_LIST, now=now),
        "kept": game_lines(to_join(user).filter(kept).order_by("-pk"), IN_A_LIST, now=now, terms=True),
        "proposals": game_lines(to_join(user).exclude(kept).order_by("-pk"), RECENT, now=now),
        "finished": _finished(ended),
        "clubs": list(visible_clubs(user).filter(pk__in=clubs_of(user).values("pk")).order_by("name")),
    }


def _finished(games: QuerySet[Game]) -> list[GameLine]:
    # Games among bots only are shown where there is nothing else.
    ended = games.filter(status=Status.FINISHED).order_by("-finished_at")
    now = timezone.now()
    return game_lines(with_members(ended), RECENT, now=now) or game_lines(ended, RECENT, now=now)
