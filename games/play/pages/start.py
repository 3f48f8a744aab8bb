"""The first page: what waits for the viewer, and what there is to join or to watch."""

from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.accounts.models import User
from games.clubs.queries import clubs_of, visible_clubs
from games.play import queries
from games.play.models import Game, Seat, Status
from games.play.pages import words

IN_A_LIST = 50
RECENT = 12


@never_cache
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Show what waits for the viewer first, then their other games and what they may join or watch."""
    user = request.user
    seen = queries.visible_games(user)
    context: dict[str, Any] = {"zone": words.zone_of(user)}
    finished = seen.filter(status=Status.FINISHED).order_by("-finished_at")
    if isinstance(user, User):
        mine = Seat.objects.filter(member=user).values("game_id")
        waiting = queries.waiting_for(user).distinct().order_by("turn_since", "pk")
        finished = finished.filter(Q(pk__in=mine) | Q(club__in=clubs_of(user).values("pk")))
        running = Game.objects.filter(pk__in=mine, status=Status.ACTIVE).exclude(pk__in=waiting.values("pk"))
        proposed = Game.objects.filter(status=Status.PROPOSED)
        to_join = proposed.filter(club__in=clubs_of(user).values("pk")).exclude(pk__in=mine)
        context |= {
            "waiting": words.game_lines(waiting, IN_A_LIST),
            "running": words.game_lines(running.order_by("-turn_since"), IN_A_LIST),
            "proposals": words.game_lines(to_join.order_by("-pk"), IN_A_LIST),
            "own_proposals": words.game_lines(proposed.filter(pk__in=mine).order_by("-pk"), IN_A_LIST),
            "clubs": list(clubs_of(user).order_by("name")),
        }
    else:
        context |= {
            "running": words.game_lines(seen.filter(status=Status.ACTIVE).order_by("-turn_since"), RECENT),
            "clubs": list(visible_clubs(user).order_by("name")[:IN_A_LIST]),
        }
    # Games among bots only are shown where there is nothing else.
    with_members = Exists(Seat.objects.filter(game=OuterRef("pk"), member__isnull=False))
    context["finished"] = words.game_lines(finished.filter(with_members), RECENT) or words.game_lines(
        finished, RECENT
    )
    return render(request, "play/start.html", context)
