"""The pages around games: lists, clubs, rules, proposals."""

import secrets
from typing import Any

from django.contrib import messages
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.accounts.models import User
from games.clubs.forms import InvitationForm
from games.clubs.models import Club, Role
from games.clubs.queries import clubs_of, members, membership_of, open_invitations, visible_clubs
from games.play import queries
from games.play.models import Game, Seat, Status
from games.play.pages import words
from games.play.pages.asked import posted, sentence, signed_in
from games.play.pages.forms import ProposalForm
from games.play.services import proposing, requests
from games.play.services.creating import Once
from games.rules.ruleset import BadOption

IN_A_LIST = 50
RECENT = 12
KEY_BYTES = 18


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


@never_cache
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules in short; every number of a rule on a page leads to its anchor here."""
    return render(request, "play/rules.html")


@never_cache
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    """Propose a game in the club that `?club=` names, or first ask in which."""
    user = _member(request)
    clubs = clubs_of(user).order_by("name")
    found = clubs.filter(slug=request.GET.get("club", "")).first()
    if found is None:
        return render(request, "play/choose_club.html", {"clubs": clubs})
    form = ProposalForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        game = _propose(form, found, user, posted(request, "key")[:200])
        if game is not None:
            messages.success(request, gettext("The game is proposed."))
            return redirect(words.game_url(game))
        status = 422
    context = {
        "form": form,
        "club": found,
        "key": posted(request, "key")[:200] or secrets.token_urlsafe(KEY_BYTES),
    }
    return render(request, "play/new_game.html", context, status=status)


def _propose(form: ProposalForm, found: Club, user: User, key: str) -> Game | None:
    if not form.is_valid():
        return None
    table = form.cleaned_data
    asked = {"club": found.slug, **{name: form.data.get(name) for name in form.fields}}
    try:
        game = proposing.propose_game(
            proposer=user,
            club=found,
            seats=table["seats"],
            teams=table["teams"],
            edition=table["edition"] or "classic",
            options=form.options(),
            name=table["name"],
            expiry=table["expiry"],
            bots=range(1, 1 + (table["bots"] or 0)),
            once=Once(key, asked) if key else None,
            now=timezone.now(),
        )
    except BadOption as error:
        form.refuse(error)
        return None
    except proposing.SeatUnavailable as error:
        form.add_error("bots", sentence(str(error)))
        return None
    except (proposing.NotAllowed, requests.KeyReused) as error:
        form.add_error(None, sentence(str(error)))
        return None
    return game


def _member(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
