"""Proposing a game: the form, and what becomes of it."""

import secrets

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts.models import User
from games.clubs.models import Club
from games.clubs.queries import clubs_of
from games.play.models import Game
from games.play.pages import words
from games.play.pages.asked import member_of, posted, sentence, signed_in
from games.play.pages.forms import ProposalForm
from games.play.services import proposing, requests
from games.play.services.creating import Once
from games.rules.ruleset import BadOption

KEY_BYTES = 18


@never_cache
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    """Propose a game in the club that `?club=` names, or first ask in which."""
    user = member_of(request)
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
