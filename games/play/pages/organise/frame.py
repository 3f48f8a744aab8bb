"""What the pages of organisers share: who may be there, and which of their games come first."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, F, OuterRef, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from games.clubs.models import Club, Role
from games.clubs.queries import visible_clubs
from games.mail.queries import MailHealth
from games.mail.suppressing import COMPLAINT
from games.play.models import Game, Seat, Status

ROLES = dict(Role.choices)


def club_to_organise(request: HttpRequest, slug: str) -> Club:
    """Return the club if the viewer organises it; others who see it get 403, the rest 404."""
    found: Any = get_object_or_404(visible_clubs(request.user), slug=slug)
    if found.role != Role.ORGANISER:
        raise PermissionDenied
    return found  # type: ignore[no-any-return]


def running_late_first(club: Club) -> QuerySet[Game]:
    """Return the running games of a club: those that stand still or end soonest first, bots' own last."""
    has_members = Exists(Seat.objects.filter(game=OuterRef("pk"), member__isnull=False))
    running = Game.objects.filter(club=club, status=Status.ACTIVE)
    soonest = F("deadline").asc(nulls_last=True)
    return running.order_by(has_members.desc(), "-is_paused", soonest, "turn_since", "pk")


def mail_words(health: MailHealth) -> str:
    """Return what is the matter with somebody's mail; empty when it is well."""
    if health.suppressed == COMPLAINT:
        return gettext("the mailbox calls our mail spam, so none is sent")
    if health.suppressed:
        return gettext("mail comes back, so none is sent")
    return gettext("the last mail could not be sent") if health.failed else ""
