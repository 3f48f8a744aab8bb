"""The calendar of a member's deadlines (iCalendar, RFC 5545), at an address that only they know."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from games.accounts.models import User
from games.play.models import Seat, Status
from games.play.telling.words import game_title, game_url

SHOWN_BEFORE = timedelta(minutes=30)
"""How long an entry is; it ends at the deadline."""
REFRESH = timedelta(hours=1)


def feed_url(member: User) -> str:
    """Return the address of the member's calendar, or nothing if they have opened none."""
    if not member.feed_nonce:
        return ""
    token = _signer(member).sign(member.uuid.hex)
    return settings.PUBLIC_URL + reverse("calendar", args=[token])


@require_safe
@cache_control(private=True, no_cache=True)
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Answer with the deadlines of the member whose address this is; any other address is not there."""
    member = _member_of(token)
    if member is None:
        raise Http404
    with translation.override(member.language):
        body = _calendar_of(member).to_ical()
    answer = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    answer["X-Robots-Tag"] = "noindex"
    return answer


def _signer(member: User) -> Signer:
    # With the nonce in the salt, it stands in no address and changes all of them.
    return Signer(salt=f"calendar/1 {member.feed_nonce}", sep=".")


def _member_of(token: str) -> User | None:
    try:
        uuid = UUID(hex=token.partition(".")[0])
    except ValueError:
        return None
    member = User.objects.filter(uuid=uuid, is_active=True).exclude(feed_nonce="").first()
    if member is None:
        return None
    try:
        _signer(member).unsign(token)
    except BadSignature:
        return None
    return member


def _calendar_of(member: User) -> Calendar:
    name = gettext("My turns: %(site)s") % {"site": settings.SITE_NAME}
    calendar = Calendar()
    calendar.add("prodid", "-//Sequence by correspondence//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for place in _due(member):
        if place.game.deadline is not None:
            calendar.add_component(_entry(place, place.game.deadline))
    return calendar


def _due(member: User) -> list[Seat]:
    """Return the seats of `member` that are on turn against the clock, soonest first."""
    waiting = Seat.objects.filter(
        member=member,
        is_active=True,
        number=F("game__turn_seat"),
        game__status=Status.ACTIVE,
        game__deadline__isnull=False,
    )
    return list(waiting.select_related("game__club").order_by("game__deadline", "game_id"))


def _entry(place: Seat, deadline: datetime) -> Event:
    game, turn = place.game, place.game.turns + 1
    host = settings.PUBLIC_URL.partition("://")[2].partition(":")[0]
    url = settings.PUBLIC_URL + game_url(game)
    words = {"game": game_title(game), "turn": str(turn), "club": game.club.name}
    entry = Event()
    entry.add("uid", f"turn-{game.uuid}-{place.letter}-{turn}@{host}")
    entry.add("dtstamp", game.clock_since or game.turn_since or deadline)
    entry.add("dtstart", deadline - SHOWN_BEFORE)
    entry.add("dtend", deadline)
    entry.add("summary", gettext("Your turn ends: %(game)s") % words)
    entry.add("description", gettext("Turn %(turn)s of %(game)s, %(club)s.") % words + f"\n{url}")
    entry.add("url", url)
    entry.add("transp", "TRANSPARENT")
    return entry
