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
from games.play.calendars import holidays_of
from games.play.models import Game, Status
from games.play.pages.lists import IN_A_LIST, RECENT, game_lines, with_members
from games.play.pages.organise.frame import running_late_first
from games.play.telling import words


@never_cache
@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's games, to its members also who is in it."""
    now = timezone.now()
    found = get_object_or_404(visible_clubs(request.user), slug=slug)
    games = Game.objects.filter(club=found)
    own = membership_of(request.user, found)
    running = running_late_first(found)
    bots_only = running.exclude(pk__in=with_members(running).values("pk"))
    ended = games.filter(status__in=queries.OVER).order_by("-finished_at")
    context: dict[str, Any] = {
        "club": found,
        "zone": words.zone_of(request.user),
        "is_member": own is not None,
        "members": members(found) if own is not None else [],
        "holidays": holidays_of(found, now),
        "proposals": game_lines(
            games.filter(status=Status.PROPOSED).order_by("-pk"), IN_A_LIST, now=now, terms=True
        ),
        "running": game_lines(with_members(running), IN_A_LIST, now=now),
        "running_bots": game_lines(bots_only, RECENT, now=now),
        "finished": game_lines(with_members(ended), RECENT, now=now) or game_lines(ended, RECENT, now=now),
    }
    if own is not None and own.role == Role.ORGANISER:
        still_good = open_invitations(found).filter(expires_at__gt=now)
        context |= {
            "is_organiser": True,
            "invite_form": InvitationForm(),
            "invitations": still_good.order_by("-pk"),
        }
    return render(request, "play/club.html", context)
