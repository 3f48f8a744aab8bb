"""What happens at the table before a game starts: seats are taken, kept, given back and filled."""

import re
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.accounts.models import User
from games.play.models import Status
from games.play.pages.asked import posted, sentence
from games.play.pages.game.page import game_page
from games.play.services import proposing
from games.play.services.locking import GameNotFound


@never_cache
@require_POST
def change_table(request: HttpRequest, game_id: int) -> HttpResponse:
    """Join, give a seat back, invite, fill with a bot or withdraw, before a game starts."""
    here = reverse("game", args=[game_id])
    if not isinstance(request.user, User):
        return redirect_to_login(here, reverse("sign-in"))
    deed = DEEDS.get(posted(request, "deed"))
    seat = posted(request, "seat")
    number = int(seat) if re.fullmatch(r"[0-9]{1,2}", seat) else None
    if deed is None:
        return game_page(request, game_id, alert=gettext("This is nothing that can be done."), status=400)
    try:
        told = deed(request, request.user, game_id, number)
    except GameNotFound:
        raise Http404 from None
    except proposing.NotAllowed as error:
        return game_page(request, game_id, alert=sentence(str(error)), status=403)
    except proposing.SeatUnavailable as error:
        return game_page(request, game_id, alert=sentence(str(error)), status=409)
    messages.success(request, told)
    return HttpResponseRedirect(here)


def _join(request: HttpRequest, user: User, game_id: int, seat: int | None) -> str:
    joined = proposing.take_seat(member=user, game_id=game_id, seat=seat, now=timezone.now())
    return gettext("The game has begun.") if joined.status == Status.ACTIVE else gettext("You have a seat.")


def _give_back(request: HttpRequest, user: User, game_id: int, seat: int | None) -> str:
    proposing.leave_seat(member=user, game_id=game_id, now=timezone.now())
    return gettext("Your seat is free again.")


def _invite(request: HttpRequest, user: User, game_id: int, seat: int | None) -> str:
    username = posted(request, "username")
    invited = User.objects.filter(username=username).first() if username else None
    if username and invited is None:
        raise proposing.SeatUnavailable(gettext("only members of the club can be invited to its games"))
    proposing.invite_to_seat(
        inviter=user, game_id=game_id, seat=_named(seat), invited=invited, now=timezone.now()
    )
    if invited is None:
        return gettext("The seat is free for every member.")
    return gettext("The seat is kept for %(name)s.") % {"name": invited.get_full_name()}


def _fill(request: HttpRequest, user: User, game_id: int, seat: int | None) -> str:
    filled = proposing.seat_bot(host=user, game_id=game_id, seat=_named(seat), now=timezone.now())
    return (
        gettext("The game has begun.") if filled.status == Status.ACTIVE else gettext("A bot has the seat.")
    )


def _withdraw(request: HttpRequest, user: User, game_id: int, seat: int | None) -> str:
    proposing.withdraw_proposal(member=user, game_id=game_id, now=timezone.now())
    return gettext("The proposal is withdrawn.")


DEEDS: dict[str, Callable[[HttpRequest, User, int, int | None], str]] = {
    "join": _join,
    "give_back": _give_back,
    "invite": _invite,
    "fill": _fill,
    "withdraw": _withdraw,
}


def _named(seat: int | None) -> int:
    if seat is None:
        raise proposing.SeatUnavailable(gettext("choose a seat"))
    return seat
