"""What is done beside a game: notes to the table, how often mail comes, whether there is news."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.accounts.models import User
from games.play import queries
from games.play.pages.asked import posted, sentence
from games.play.pages.game.page import game_page
from games.play.services import mailing, noting
from games.play.services.locking import GameNotFound


@never_cache
@require_safe
def news(request: HttpRequest, game_id: int) -> HttpResponse:
    """Answer 204 while the game stands at the `version` of the asking page, else with the page anew."""
    version = queries.visible_games(request.user).filter(pk=game_id).values_list("version", flat=True).first()
    if version is None:
        raise Http404
    if request.GET.get("version") == str(version):
        return HttpResponse(status=204)
    response = game_page(request, game_id)
    response["HX-Replace-Url"] = reverse("game", args=[game_id])
    return response


@never_cache
@require_POST
def write_note(request: HttpRequest, game_id: int) -> HttpResponse:
    """Write a note to the table."""
    here = reverse("game", args=[game_id])
    if not isinstance(request.user, User):
        return redirect_to_login(here, reverse("sign-in"))
    text = posted(request, "text")
    try:
        noting.write_note(member=request.user, game_id=game_id, text=text, now=timezone.now())
    except GameNotFound:
        raise Http404 from None
    except noting.NotesRefused as error:
        return game_page(request, game_id, alert=sentence(str(error)), status=422, note_text=text)
    except noting.TooManyNotes as error:
        return game_page(request, game_id, alert=sentence(str(error)), status=429, note_text=text)
    return HttpResponseRedirect(f"{here}#notes")


@never_cache
@require_POST
def delete_note(request: HttpRequest, game_id: int, note_id: int) -> HttpResponse:
    """Delete a note of one's own."""
    here = reverse("game", args=[game_id])
    if not isinstance(request.user, User):
        return redirect_to_login(here, reverse("sign-in"))
    try:
        noting.delete_note(member=request.user, game_id=game_id, note_id=note_id)
    except GameNotFound:
        raise Http404 from None
    return HttpResponseRedirect(f"{here}#notes")


@never_cache
@require_POST
def set_mailing(request: HttpRequest, game_id: int) -> HttpResponse:
    """Set how often mail about this game comes."""
    here = reverse("game", args=[game_id])
    if not isinstance(request.user, User):
        return redirect_to_login(here, reverse("sign-in"))
    try:
        mailing.set_game_cadence(member=request.user, game_id=game_id, cadence=posted(request, "cadence"))
    except GameNotFound:
        raise Http404 from None
    except mailing.UnknownCadence as error:
        return game_page(request, game_id, alert=sentence(str(error)), status=400)
    messages.success(request, gettext("Your mail about this game is set."))
    return HttpResponseRedirect(here)
