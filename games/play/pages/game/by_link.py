"""The pages of a turn link: whoever holds it sees and plays for one seat, without signing in (ADR 13).

Looking changes nothing, ever, and reads and sets no session: mail is opened by scanners, which run browsers.
Playing is a POST; nothing a browser sends by itself gives the right to it, so there is no CSRF cookie either.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts.attempts import TooManyAttempts, network_of, take_attempt_from
from games.accounts.forms import WHO
from games.accounts.languages import read_by
from games.play import queries
from games.play.links import find_link, token_of, was_carried_out
from games.play.models import TurnLink
from games.play.pages.asked import posted
from games.play.pages.game.board import board_context
from games.play.pages.game.choices import choices_for
from games.play.pages.game.refused import REFUSALS, moved_on, posted_action, posted_version, refused
from games.play.services import link_mails, substituting, turns
from games.play.services.proposing import SeatUnavailable
from games.play.standing import ACTS, Found, Standing, standing_of
from games.play.telling import history, words
from games.play.wording import MalformedAction

# Mail programs take the full stop behind an address for a part of it.
TOKEN = re.compile(r"([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])")
STATUSES = {Standing.DONE: 200, Standing.OVER: 200}
REFUSED_STATUSES = {Standing.DONE: 409, Standing.OVER: 409}
GONE = 410


class WhoForm(forms.Form):
    who = forms.CharField(label=_("Name or email address"), max_length=254, widget=forms.TextInput(attrs=WHO))


class SeeOther(HttpResponseRedirect):
    status_code = 303


View = Callable[..., HttpResponse]


def _for_the_bearer(view: View) -> View:
    """Keep a page out of caches, search engines and the referrers of other sites.

    `same-origin`, since under `no-referrer` browsers send forms with `Origin: null`.
    """

    @csrf_exempt
    @never_cache
    @wraps(view)
    def private(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        response["Referrer-Policy"] = "same-origin"
        return response

    return private


@_for_the_bearer
@require_http_methods(["GET", "HEAD", "POST"])
def turn_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the game to the bearer of a link; take the turn, or answer, when that is posted."""
    link = _link(token)
    if link is None:
        return _unknown(request)
    with read_by(link.member):
        return _said(_act(request, link) if request.method == "POST" else _page(request, link))


@_for_the_bearer
@require_POST
def mail_links(request: HttpRequest, token: str) -> HttpResponse:
    """Mail the links of all games that wait for the member of this link, to the member's own address."""
    link = _link(token)
    if link is None:
        return _unknown(request)
    with read_by(link.member):
        if _is_foreign(request):
            return _said(_foreign(request))
        try:
            link_mails.mail_links(member=link.member, now=timezone.now())
        except TooManyAttempts as error:
            return _said(_too_many(request, error))
        return _said(render(request, "play/link_mailed.html", {"back": _address(link)}))


@_for_the_bearer
@require_http_methods(["GET", "HEAD", "POST"])
def fresh_links(request: HttpRequest) -> HttpResponse:
    """Take a name or address and mail its members their links; the answer is the same for everybody."""
    if request.method != "POST":
        return render(request, "play/link_fresh.html", {"form": WhoForm()})
    if _is_foreign(request):
        return _foreign(request)
    form = WhoForm(request.POST)
    if not form.is_valid():
        return render(request, "play/link_fresh.html", {"form": form}, status=400)
    try:
        take_attempt_from(network_of(request), what="links", now=timezone.now())
        link_mails.request_links(who=form.cleaned_data["who"], now=timezone.now())
    except TooManyAttempts as error:
        return _too_many(request, error)
    return render(request, "play/link_mailed.html", {"who": form.cleaned_data["who"]})


def _link(token: str) -> TurnLink | None:
    found = TOKEN.match(token)
    return find_link(found[1]) if found else None


def _address(link: TurnLink) -> str:
    return reverse("turn-link", args=[token_of(link)])


def _page(
    request: HttpRequest, link: TurnLink, *, alert: str = "", status: int | None = None
) -> HttpResponse:
    seen = queries.seen_game(link.game_id, link.member)
    found = Found(Standing.HANDED_OVER) if seen is None else standing_of(link, seen)
    here = _address(link)
    context: dict[str, Any] = {
        "game": link.game,
        "title": words.game_title(link.game),
        "member": link.member,
        "purpose": link.purpose,
        "act_url": here,
        "links_url": f"{here}/links",
        "by_link": True,
        "alert": alert,
        "standing": found.standing.value,
    }
    if seen is None or found.standing is Standing.HANDED_OVER:
        return render(request, "play/link_closed.html", context, status=status or GONE)
    place = seen.places[link.seat]
    context |= {"seat": place.letter, "holder": words.player_name(place), "zone": str(link.member.zone)}
    context["told"] = history.told(replace(seen, seat=link.seat), found.events)
    if found.standing is Standing.OPEN and link.purpose != TurnLink.Purpose.OFFER:
        context |= board_context(seen, here, request.GET, found.acts)
        return render(request, "play/link_open.html", context, status=status or 200)
    # What is over for this link shows no hand: the address may have been passed on meanwhile.
    spectator = replace(seen, seat=None, view=queries.view_of(seen.game, seen.loaded.state, None))
    context |= board_context(spectator, here, {}, ())
    if found.standing is Standing.OPEN:
        return render(request, "play/link_offer.html", context, status=status or 200)
    plays = history.last_plays(replace(seen, seat=link.seat))
    context |= {
        "result": words.result_words(seen.game, seen.places, link.seat),
        "is_my_turn": seen.view is not None and seen.view.turn == link.seat,
        "plays": plays,
        "last_play": next((play for play in plays[:1] if play not in context["told"]), ""),
        "can_draw": choices_for(seen).limited_to(found.acts).can_draw,
        "can_be_lost": seen.loaded.rules.loss_of_card != "never",
        "is_card_lost": found.is_card_lost,
        "is_by_another_link": link.purpose != TurnLink.Purpose.OFFER,
    }
    status = status or STATUSES.get(found.standing, GONE)
    return render(request, "play/link_closed.html", context, status=status)


def _act(request: HttpRequest, link: TurnLink) -> HttpResponse:
    """Play what is posted, once: whoever sends it again is led to what came of it."""
    if _is_foreign(request):
        return _foreign(request)
    seen = queries.seen_game(link.game_id, link.member)
    found = Found(Standing.HANDED_OVER) if seen is None else standing_of(link, seen)
    key = posted(request, "key")[:200]
    if found.standing is not Standing.HANDED_OVER and was_carried_out(link, key):
        return SeeOther(_address(link))
    if link.purpose == TurnLink.Purpose.OFFER:
        return _answer(request, link)
    if seen is None or not found.acts:
        return _page(request, link, status=REFUSED_STATUSES.get(found.standing, GONE))
    version = posted_version(request)
    try:
        data = posted_action(request)
        if data["act"] not in found.acts:
            if found.standing is not Standing.OPEN:
                return _page(request, link, status=REFUSED_STATUSES.get(found.standing, GONE))
            return _page(request, link, alert=gettext("This link is not for that."), status=403)
        if version is not None and version != seen.version:
            # Even if it comes to that version in this moment: how the link stands then was not looked at.
            return _page(request, link, alert=moved_on(), status=412)
        turns.take_turn(
            game_id=link.game_id,
            member=link.member,
            data=data,
            expected_version=version,
            key=key,
            now=timezone.now(),
        )
    except REFUSALS as error:
        alert, status = refused(error)
        return _page(request, link, alert=alert, status=status)
    return SeeOther(_address(link))


def _answer(request: HttpRequest, link: TurnLink) -> HttpResponse:
    choice = posted(request, "choice")
    if choice not in ACTS[link.purpose]:
        return _page(request, link, alert=gettext("Choose an answer first."), status=400)
    try:
        substituting.answer_offer(
            member=link.member, offer_id=link.number, accept=choice == "accept", now=timezone.now()
        )
    except (substituting.OfferClosed, SeatUnavailable, MalformedAction, LookupError):
        return _page(request, link, status=409)
    return SeeOther(_address(link))


def _is_foreign(request: HttpRequest) -> bool:
    """Tell whether a page of another site sends the form; what is no browser says nothing, and may."""
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        return True
    origin = request.headers.get("Origin")
    own = (settings.PUBLIC_URL, f"{request.scheme}://{request.get_host()}")
    return origin is not None and origin not in own


def _foreign(request: HttpRequest) -> HttpResponse:
    return render(request, "play/link_refused.html", {"back": request.path}, status=403)


def _too_many(request: HttpRequest, error: TooManyAttempts) -> HttpResponse:
    minutes = -(-error.retry_seconds // 60)
    response = render(request, "play/link_too_many.html", {"minutes": minutes}, status=429)
    response["Retry-After"] = str(error.retry_seconds)
    return response


def _unknown(request: HttpRequest) -> HttpResponse:
    return render(request, "play/link_unknown.html", {"form": WhoForm()}, status=404)


def _said(response: HttpResponse) -> HttpResponse:
    """Name the language of the page: the member's, whatever the browser asks for."""
    response["Content-Language"] = get_language() or settings.LANGUAGE_CODE
    return response
