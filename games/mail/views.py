from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import formats
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.accounts.models import Cadence
from games.mail import services
from games.mail.frame import SETTINGS_PATH
from games.mail.rendering import speaking_to
from games.mail.unsubscribing import name_of_game, read_unsubscription, restore_mails


@never_cache
@csrf_exempt  # a mail program posts, without cookies: the address is all the authority there is
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether mails shall come once a day only, and let them when that is posted."""
    asked = read_unsubscription(token)
    if asked is None:
        raise Http404
    member, before = asked.member, asked.member.cadence
    is_undone = request.method == "POST" and "undo" in request.POST
    if is_undone:
        restore_mails(member=member, game_id=asked.game_id, cadence=request.POST["undo"])
    elif request.method == "POST":
        services.unsubscribe(member=member, game_id=asked.game_id)
    with speaking_to(member):
        context = {
            "is_done": request.method == "POST" and not is_undone,
            "is_undone": is_undone,
            "before": "usual" if asked.game_id is not None else before,
            "title": "" if asked.game_id is None else name_of_game(asked.game_id),
            "is_daily": asked.game_id is None and member.cadence == Cadence.DAILY,
            "game_id": asked.game_id,
            "hour": formats.time_format(member.digest_at, "H:i"),
            "zone": str(member.zone),
            "settings_path": SETTINGS_PATH,
        }
        return render(request, "mail/unsubscribe.html", context)
