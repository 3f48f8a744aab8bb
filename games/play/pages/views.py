"""The pages of games: lists, proposals, the table, the board and its turns."""

import re
import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.accounts.models import User
from games.clubs.forms import InvitationForm
from games.clubs.models import Club, Role
from games.clubs.queries import clubs_of, members, membership_of, open_invitations, visible_clubs
from games.play import queries
from games.play.models import Game, Seat, Status
from games.play.pages import history, svg, words
from games.play.pages.choices import choices_for, request_from
from games.play.pages.forms import ProposalForm
from games.play.pages.house_rules import EXPIRY, explain
from games.play.pages.spoken import team_word
from games.play.services import proposing, requests, turns
from games.play.services.creating import Once
from games.play.services.locking import GameNotFound, GameNotStarted
from games.play.wording import MalformedAction
from games.rules.refusal import CODES_OF_THE_MOMENT, IllegalAction
from games.rules.ruleset import BadOption

IN_A_LIST = 50
RECENT = 12
KEY_BYTES = 18

# The site's own address for signing in; settings.LOGIN_URL is for what knows no names.
signed_in = login_required(login_url="sign-in")


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


@never_cache
@require_safe
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show a game as the viewer may see it."""
    return game_page(request, game_id)


def game_page(request: HttpRequest, game_id: int, *, alert: str = "", status: int = 200) -> HttpResponse:
    seen = queries.seen_game(game_id, request.user)
    if seen is None:
        raise Http404
    context: dict[str, Any] = {
        "alert": alert,
        "game": seen.game,
        "title": words.game_title(seen.game),
        "zone": words.zone_of(request.user),
        "seats": words.seat_lines(seen),
        "house_rules": explain(seen.loaded.rules),
        "expiry": EXPIRY[seen.game.expiry],
        "is_default": seen.loaded.rules.is_default,
        "result": words.result_words(seen.game, seen.places, seen.seat),
        "key": secrets.token_urlsafe(KEY_BYTES),
        "is_over": seen.game.status in queries.OVER,
    }
    context |= _table_context(request, seen) if seen.view is None else _board_context(request, seen)
    return render(request, "play/game.html", context, status=status)


def _board_context(request: HttpRequest, seen: queries.Seen) -> dict[str, Any]:
    view = seen.view
    if view is None:
        raise ValueError("a started game has a view")
    here = words.game_url(seen.game)
    choices = choices_for(seen)
    chosen = words.chosen_in(choices, request.GET)
    links = words.board_links(choices, here, chosen.card)
    own_team = None if seen.seat is None else seen.seat % seen.game.teams
    is_in_play = seen.seat is not None and view.outcome is None and view.active[seen.seat]
    picture = svg.board_svg(view, links=links, chosen=chosen.space)
    return {
        "view": view,
        "board": mark_safe(picture),  # noqa: S308 - svg.py escapes
        "teams": words.team_lines(view),
        "plays": history.last_plays(seen),
        "declined_by": history.own_offer_declined(seen) if is_in_play else "",
        "on_turn": None if view.turn is None else words.player_name(seen.places[view.turn]),
        "is_my_turn": view.turn is not None and view.turn == seen.seat,
        "is_in_play": is_in_play,
        "hand": words.hand_cards(view, choices, here, chosen.card) if seen.seat is not None else None,
        "choices": choices,
        "chosen": chosen,
        "chosen_group": words.chosen_group(choices, chosen),
        "can_offer": is_in_play and view.offer is None,
        "can_answer": is_in_play and view.offer is not None and own_team not in view.offer[1],
        "offered_by": "" if view.offer is None else team_word(view.ruleset.team_names[view.offer[0]]),
        "deal": words.revealed_deal(seen.game) if seen.game.status in queries.OVER else {},
    }


def _table_context(request: HttpRequest, seen: queries.Seen) -> dict[str, Any]:
    """Return what a game shows before its start: who may join, invite, fill seats, call it off."""
    user, club = request.user, seen.game.club
    if not isinstance(user, User) or seen.game.status != Status.PROPOSED:
        return {}
    membership = membership_of(user, club)
    is_organiser = membership is not None and membership.role == Role.ORGANISER
    is_host = is_organiser or seen.game.created_by_id == user.pk
    free = [place for place in seen.places if not place.is_taken]
    seated = {place.member_id for place in seen.places}
    open_to_me = [place for place in free if place.invited_id in (None, user.pk)]
    return {
        "free": free,
        "open_to_me": open_to_me,
        "can_join": membership is not None and seen.seat is None and bool(open_to_me),
        "can_give_back": seen.seat is not None,
        "is_host": is_host,
        "can_invite": [m.user for m in members(club) if m.user_id not in seated] if is_host else [],
    }


@never_cache
@require_POST
def take_action(request: HttpRequest, game_id: int) -> HttpResponse:
    """Carry out what the form of a game's page asks for the viewer's seat."""
    user = request.user
    here = reverse("game", args=[game_id])
    if not isinstance(user, User):
        return redirect_to_login(here, reverse("sign-in"))
    pulled = {
        name.removeprefix("at-"): str(text) for name, text in request.POST.items() if name.startswith("at-")
    }
    version = posted(request, "version")
    try:
        data = request_from(posted(request, "choice"), pulled)
        turns.take_turn(
            game_id=game_id,
            member=user,
            data=data,
            expected_version=int(version) if re.fullmatch(r"[0-9]{1,9}", version) else None,
            key=posted(request, "key")[:200],
            now=timezone.now(),
        )
    except GameNotFound:
        raise Http404 from None
    except (requests.VersionStale, requests.VersionMissing, requests.KeyReused):
        alert = gettext(
            "The game has moved on since this page was opened. Nothing was done; here is how it stands now."
        )
        return game_page(request, game_id, alert=alert, status=412)
    except IllegalAction as error:
        status = 409 if error.code in CODES_OF_THE_MOMENT else 422
        return game_page(request, game_id, alert=sentence(f"{error} ({error.rule})"), status=status)
    except MalformedAction as error:
        return game_page(request, game_id, alert=sentence(error.message), status=400)
    except turns.NotSeated as error:
        return game_page(request, game_id, alert=sentence(str(error)), status=403)
    except GameNotStarted:
        return game_page(request, game_id, alert=gettext("The game has not started."), status=409)
    except requests.AnswerUnknown:
        alert = gettext("The database went away for a moment: look whether your turn is there.")
        return game_page(request, game_id, alert=alert, status=503)
    messages.success(request, words.told_turn(data))
    return HttpResponseRedirect(here)


@never_cache
@signed_in
@require_safe
def resign(request: HttpRequest, game_id: int) -> HttpResponse:
    """Ask whether the viewer really means it."""
    seen = queries.seen_game(game_id, request.user)
    if seen is None:
        raise Http404
    if seen.seat is None or seen.view is None or seen.view.outcome is not None:
        return redirect(words.game_url(seen.game))
    context = {
        "game": seen.game,
        "title": words.game_title(seen.game),
        "effect": words.effect_of_resigning(seen.view, seen.seat),
        "key": secrets.token_urlsafe(KEY_BYTES),
    }
    return render(request, "play/resign.html", context)


def posted(request: HttpRequest, name: str) -> str:
    """Return a field of the form without NUL, which PostgreSQL does not take."""
    return request.POST.get(name, "").replace("\0", "")


def _member(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
