"""The page on which an organiser settles what a game leaves open: choose, confirm, done."""

import re
import secrets
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts.attempts import TooManyAttempts
from games.accounts.models import User
from games.clubs.models import Club
from games.play import queries
from games.play.models import Receipt
from games.play.pages.answers import marked_in
from games.play.pages.asked import member_of, posted, sentence, signed_in
from games.play.pages.game.reasons import reason_lines
from games.play.pages.lists import late_games
from games.play.pages.organise.forms import DEEDS, RulingForm, deeds_for, effect_of
from games.play.pages.organise.frame import club_to_organise
from games.play.queries import Seen
from games.play.services import organising, proposing, requests
from games.play.services.substituting import offer_seat
from games.play.telling import words
from games.play.telling.refusals import in_words
from games.play.wording import MalformedAction, seat_number
from games.rules.refusal import IllegalAction

KEY_BYTES = 18


@never_cache
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def organise_game(request: HttpRequest, slug: str, game_id: int) -> HttpResponse:
    """Show what an organiser may do in a game; ask whether it is meant; do it."""
    club = club_to_organise(request, slug)
    seen = _seen(request, club, game_id)
    if request.method != "POST":
        return _page(request, club, seen)
    deed = posted(request, "deed")
    if deed in DEEDS and _is_done_already(request, seen):
        return _told(request, club, seen, deed)
    if deed not in deeds_for(seen):
        alert = gettext("This cannot be done now. Here is how the game stands.")
        return _page(request, club, seen, alert=alert, status=409 if deed in DEEDS else 400)
    form = RulingForm(deed, seen, _without_nul(request))
    if not form.is_valid():
        alert = gettext("Nothing was done yet: see the marked field.")
        return _page(request, club, seen, form=form, alert=alert, status=422)
    if "back" in request.POST:
        return _page(request, club, seen, form=form)
    if "confirmed" not in request.POST:
        return _confirm(request, club, seen, form)
    return _carry_out(request, club, seen, form)


def _carry_out(request: HttpRequest, club: Club, seen: Seen, form: RulingForm) -> HttpResponse:
    user = member_of(request)
    try:
        _do(request, user, seen, form)
    except (requests.VersionStale, requests.VersionMissing, requests.KeyReused):
        alert = gettext(
            "The game has moved on meanwhile, so nothing was done. Look, and send it again if it is right."
        )
        return _page(request, club, _seen(request, club, seen.game.pk), form=form, alert=alert, status=412)
    except IllegalAction as error:
        return _page(request, club, seen, form=form, alert=in_words(error), status=409)
    except MalformedAction as error:
        return _page(request, club, seen, form=form, alert=sentence(error.message), status=422)
    except proposing.SeatUnavailable as error:
        return _page(request, club, seen, form=form, alert=sentence(str(error)), status=409)
    except TooManyAttempts as error:
        return _page(request, club, seen, form=form, alert=str(error), status=429)
    except requests.AnswerUnknown:
        alert = gettext("The database went away for a moment: look whether it was done.")
        return _page(request, club, seen, form=form, alert=alert, status=503)
    return _told(request, club, seen, form.deed)


def _told(request: HttpRequest, club: Club, seen: Seen, deed: str) -> HttpResponse:
    messages.success(request, str(DEEDS[deed].told))
    return HttpResponseRedirect(_address(club, seen))


def _is_done_already(request: HttpRequest, seen: Seen) -> bool:
    """Tell whether this very form was carried out before: somebody has clicked twice."""
    key = posted(request, "key")[:200]
    actor = member_of(request).uuid
    return bool(key) and Receipt.objects.filter(game=seen.game, actor=actor, key=key).exists()


def _do(request: HttpRequest, user: User, seen: Seen, form: RulingForm) -> None:
    now = timezone.now()
    if form.deed == "offer":
        seat = seat_number(seen.loaded.rules, form.cleaned_data["seat"])
        asked = form.member
        if asked is None:
            raise MalformedAction("member", gettext("choose a member of the club"))
        offer_seat(organiser=user, game_id=seen.game.pk, seat=seat, member=asked, now=now)
        return
    version = posted(request, "version")
    organising.rule_game(
        game_id=seen.game.pk,
        organiser=user,
        data=form.request() | ({"member": str(form.member.uuid)} if form.member else {}),
        substitute=form.member,
        expected_version=int(version) if re.fullmatch(r"[0-9]{1,9}", version) else None,
        key=posted(request, "key")[:200],
        now=now,
    )


def _seen(request: HttpRequest, club: Club, game_id: int) -> Seen:
    seen = queries.seen_game(game_id, request.user)
    if seen is None or seen.game.club_id != club.pk:
        raise Http404
    return seen


def _address(club: Club, seen: Seen) -> str:
    return reverse("organise-game", args=[club.slug, seen.game.pk])


def _without_nul(request: HttpRequest) -> dict[str, str]:
    return {name: posted(request, name) for name in request.POST}


def _context(request: HttpRequest, club: Club, seen: Seen) -> dict[str, Any]:
    return {
        "club": club,
        "game": seen.game,
        "title": words.game_title(seen.game),
        "zone": words.zone_of(request.user),
        "here": _address(club, seen),
        "version": str(seen.game.version),
    }


def _confirm(request: HttpRequest, club: Club, seen: Seen, form: RulingForm) -> HttpResponse:
    context = _context(request, club, seen) | {
        "deed": DEEDS[form.deed],
        "name": form.deed,
        "effect": effect_of(form.deed, seen.game),
        "form": form,
        # The version that was looked at when the form was filled in: what came after was not known.
        "version": posted(request, "version")[:9],
        "key": secrets.token_urlsafe(KEY_BYTES),
    }
    return render(request, "play/organise_confirm.html", context)


def _page(
    request: HttpRequest,
    club: Club,
    seen: Seen,
    *,
    form: RulingForm | None = None,
    alert: str = "",
    status: int = 200,
) -> HttpResponse:
    game, place = seen.game, None
    if game.turn_seat is not None:
        place = seen.places[game.turn_seat]
    deeds = [
        {
            "name": name,
            "deed": DEEDS[name],
            "effect": effect_of(name, game),
            "form": form if form is not None and form.deed == name else RulingForm(name, seen),
            "is_open": form is not None and form.deed == name,
        }
        for name in deeds_for(seen)
    ]
    context = _context(request, club, seen) | {
        "alert": alert,
        "marked": "" if form is None else marked_in(form),
        "deeds": deeds,
        "on_turn": "" if place is None else words.player_name(place),
        "turn": str(game.turns + 1),
        "is_late": bool(late_games([game], timezone.now())),
        "seats": words.seat_lines(seen),
        "result": words.result_words(game, seen.places),
        "reasons": reason_lines(seen),
    }
    return render(request, "play/organise_game.html", context, status=status)
