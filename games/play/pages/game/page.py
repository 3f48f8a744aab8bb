"""The page of a game: the board and its turns, or the table before the start."""

import secrets
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.accounts.models import User
from games.clubs.models import Role
from games.clubs.queries import members, membership_of
from games.play import queries
from games.play.models import Status
from games.play.pages.asked import posted, signed_in
from games.play.pages.game.around import around_context
from games.play.pages.game.board import KEY_BYTES, board_context
from games.play.pages.game.refused import REFUSALS, posted_action, posted_version, refused
from games.play.services import turns
from games.play.services.locking import GameNotFound
from games.play.telling import words
from games.play.telling.clock_words import clock_sentences
from games.play.telling.house_rules import EXPIRY, explain


@never_cache
@require_safe
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show a game as the viewer may see it."""
    return game_page(request, game_id)


def game_page(
    request: HttpRequest, game_id: int, *, alert: str = "", status: int = 200, note_text: str = ""
) -> HttpResponse:
    """Answer with the page of a game; `alert` says what was refused, of which `note_text` is kept."""
    seen = queries.seen_game(game_id, request.user)
    if seen is None:
        raise Http404
    here = words.game_url(seen.game)
    context: dict[str, Any] = {
        "alert": alert,
        "game": seen.game,
        "title": words.game_title(seen.game),
        "zone": words.zone_of(request.user),
        "house_rules": explain(seen.loaded.rules),
        "expiry": EXPIRY[seen.game.expiry],
        "clock": clock_sentences(seen.game),
        "is_default": seen.loaded.rules.is_default,
    }
    if seen.view is None:
        context |= _table_context(request, seen)
    else:
        context |= board_context(seen, here, request.GET) | around_context(seen, request.user)
        context |= {"act_url": reverse("game-act", args=[game_id]), "note_text": note_text}
    response = render(request, "play/game.html", context, status=status)
    if status != HTTPStatus.OK:
        # The address of the form is none to come back to.
        response["HX-Replace-Url"] = here
    return response


def _table_context(request: HttpRequest, seen: queries.Seen) -> dict[str, Any]:
    """Return what a game shows before its start: who may join, invite, fill seats, call it off."""
    user, club = request.user, seen.game.club
    context: dict[str, Any] = {
        "seats": words.seat_lines(seen),
        "result": words.result_words(seen.game, seen.places, seen.seat),
        "is_over": seen.game.status in queries.OVER,
    }
    if not isinstance(user, User) or seen.game.status != Status.PROPOSED:
        return context
    membership = membership_of(user, club)
    is_organiser = membership is not None and membership.role == Role.ORGANISER
    is_host = is_organiser or seen.game.created_by_id == user.pk
    free = [place for place in seen.places if not place.is_taken]
    seated = {place.member_id for place in seen.places}
    open_to_me = [place for place in free if place.invited_id in (None, user.pk)]
    return context | {
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
    try:
        data = posted_action(request)
        turns.take_turn(
            game_id=game_id,
            member=user,
            data=data,
            expected_version=posted_version(request),
            key=posted(request, "key")[:200],
            now=timezone.now(),
        )
    except GameNotFound:
        raise Http404 from None
    except REFUSALS as error:
        alert, status = refused(error)
        return game_page(request, game_id, alert=alert, status=status)
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
