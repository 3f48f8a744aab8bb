"""The page of a club: its games, and to its members who is in it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.clubs.forms import InvitationForm
from games.clubs.models import Role
from games.clubs.queries import members, membership_of, open_invitations, visible_clubs
from games.play import queries
from games.play.models import Game, Status
from games.play.pages import words

IN_A_LIST = 50
RECENT = 12


@never_cache
@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's games, to its members also who is in it."""
    found = get_object_or_404(visible_clubs(request.user), slug=slug)
    games = Game.objects.filter(club=found)
    own = membership_of(request.user, found)
    context: dict[str, Any] = {
        "club": found,
        "zone": words.zone_of(request.user),
        "is_member": own is not None,
        "members": members(found) if own is not None else [],
        "proposals": words.game_lines(games.filter(status=Status.PROPOSED).order_by("-pk"), IN_A_LIST),
        "running": words.game_lines(games.filter(status=Status.ACTIVE).order_by("-turn_since"), IN_A_LIST),
        "finished": words.game_lines(games.filter(status__in=queries.OVER).order_by("-finished_at"), RECENT),
    }
    if own is not None and own.role == Role.ORGANISER:
        still_good = open_invitations(found).filter(expires_at__gt=timezone.now())
        context |= {
            "invite_form": InvitationForm(),
            "invitations": still_good.order_by("-pk"),
        }
    return render(request, "play/club.html", context)
