"""Proposing a game: the form, for a rematch filled in beforehand, and what becomes of it."""

import re
import secrets
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts.models import User
from games.clubs.models import Club
from games.clubs.queries import clubs_of
from games.play import queries
from games.play.models import Game, Status
from games.play.pages.answers import marked_in
from games.play.pages.asked import member_of, posted, sentence, signed_in
from games.play.pages.proposing.clock_form import ClockForm
from games.play.pages.proposing.forms import ProposalForm, initial_like
from games.play.pages.proposing.rematch import seats_for_rematch
from games.play.pages.proposing.seats_form import Seating, SeatsForm
from games.play.services import proposing, requests
from games.play.services.creating import Once
from games.play.telling import words
from games.rules.ruleset import BadOption

KEY_BYTES = 18


@dataclass(frozen=True, slots=True)
class Forms:
    """What is filled in for a new game: table and rules, time, seats."""

    table: ProposalForm
    clock: ClockForm
    seats: SeatsForm

    def seating(self) -> Seating | None:
        """Return who sits where if all that was filled in can be, else None; each part says what cannot."""
        fits = [form.is_valid() for form in (self.table, self.clock, self.seats)]
        seats = self.table.cleaned_data.get("seats")
        if not fits[2] or seats is None:
            return None
        found = self.seats.seating(seats, self.table.cleaned_data.get("bots") or 0)
        return found if all(fits) else None

    @property
    def has_errors(self) -> bool:
        return any(form.errors for form in (self.table, self.clock, self.seats))


@never_cache
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    """Propose a game in the club that `?club=` names, or a rematch of `?rematch=`; else ask in which club."""
    user = member_of(request)
    clubs = clubs_of(user).order_by("name")
    like = _game_to_play_again(request, user)
    slug = request.GET.get("club", "") if like is None else like.club.slug
    found = clubs.filter(slug=slug).first()
    if found is None:
        return render(request, "play/choose_club.html", {"clubs": clubs, "has_left": like is not None})
    filled = _forms(request, found, user, like)
    key = posted(request, "key")[:200]
    status = 200
    if request.method == "POST":
        game = _propose(filled, found, user, like, key)
        if game is not None:
            messages.success(request, gettext("The game is proposed."))
            return redirect(words.game_url(game))
        status = 422
    shown, folded = filled.seats.seats_shown(_seats_of(filled.table))
    context = {
        "form": filled.table,
        "seats_shown": shown,
        "seats_folded": folded,
        "clock_form": filled.clock,
        "seats_form": filled.seats,
        "has_errors": filled.has_errors,
        "marked": marked_in(filled.table, filled.clock, filled.seats),
        "club": found,
        "like": like,
        "like_title": "" if like is None else words.game_title(like),
        "proposed_already": _proposed_already(like),
        "key": key or secrets.token_urlsafe(KEY_BYTES),
    }
    return render(request, "play/new_game.html", context, status=status)


def _seats_of(form: ProposalForm) -> int:
    """Return how many seats the table has, as far as it is filled in."""
    text = str(form["seats"].value() or "")
    return int(text) if re.fullmatch(r"[0-9]{1,2}", text) else 0


def _forms(request: HttpRequest, club: Club, user: User, like: Game | None) -> Forms:
    data = {name: posted(request, name) for name in request.POST} if request.method == "POST" else None
    return Forms(
        ProposalForm(data, initial={} if like is None else initial_like(like)),
        ClockForm(data, like),
        SeatsForm(club, user, data, {} if like is None else seats_for_rematch(like, user, club)),
    )


def _game_to_play_again(request: HttpRequest, user: User) -> Game | None:
    """Return the game that `?rematch=` names; 404 unless it is over and the viewer had a seat in it."""
    text = request.GET.get("rematch", "")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Http404
    games = Game.objects.select_related("club").filter(status__in=queries.OVER, places__member=user)
    game = games.filter(pk=int(text)).first()
    if game is None:
        raise Http404
    return game


def _proposed_already(like: Game | None) -> str:
    """Return the address of the rematch that somebody else has proposed."""
    if like is None:
        return ""
    living = Game.objects.filter(rematch_of=like, status__in=(Status.PROPOSED, Status.ACTIVE))
    game = living.order_by("-pk").first()
    return "" if game is None else words.game_url(game)


def _propose(filled: Forms, club: Club, user: User, like: Game | None, key: str) -> Game | None:
    form = filled.table
    seating = filled.seating()
    if seating is None:
        return None
    table = form.cleaned_data
    asked: dict[str, Any] = {"club": club.slug, "rematch": None if like is None else like.pk}
    for part in (form, filled.clock, filled.seats):
        asked |= {name: part.data.get(name) for name in part.fields}
    try:
        return proposing.propose_game(
            proposer=user,
            club=club,
            seats=table["seats"],
            teams=table["teams"],
            edition=table["edition"] or "classic",
            options=form.options(),
            name=table["name"],
            expiry=filled.clock.cleaned_data["expiry"],
            clock=filled.clock.clock,
            own_seat=seating.own,
            invited=seating.invited,
            bots=sorted(seating.bots),
            rematch_of=like,
            once=Once(key, asked) if key else None,
            now=timezone.now(),
        )
    except BadOption as error:
        form.refuse(error)
    except proposing.SeatUnavailable as error:
        form.add_error("bots", sentence(str(error)))
    except (proposing.NotAllowed, requests.KeyReused) as error:
        form.add_error(None, sentence(str(error)))
    return None
