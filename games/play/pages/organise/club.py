"""The page of a club for its organisers: what is late, whose mail comes back, what the club does."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts.models import one_row
from games.clubs import services
from games.clubs.forms import OPENNESS, InvitationForm
from games.clubs.models import Club, Holiday, Membership
from games.clubs.queries import members, open_invitations
from games.mail.queries import suppressed_members
from games.play.calendars import holidays_of
from games.play.models import Game, Status
from games.play.pages.answers import Answer, Done, Shown, go_back, refused
from games.play.pages.asked import member_of, posted, sentence, signed_in
from games.play.pages.lists import IN_A_LIST, RECENT, game_lines
from games.play.pages.organise.frame import ROLES, club_to_organise, running_late_first
from games.play.pages.settings.of_play import DaysForm
from games.play.services import resting
from games.play.telling import words

ORDINARY = Shown(200)


class ClubForm(forms.Form):
    """What organisers settle about their club."""

    name = forms.CharField(
        label=_("Name of the club"),
        max_length=80,
        validators=[one_row],
        error_messages={"required": _("The club needs a name.")},
    )
    is_open = forms.ChoiceField(label=_("Who may watch its games"), choices=OPENNESS, required=False)
    has_notes = forms.BooleanField(
        label=_("Players may write short notes to the whole table"),
        required=False,
        help_text=_("Switch it off where the club wants silence."),
    )

    def __init__(self, club: Club, data: Any = None) -> None:
        initial = {
            "name": club.name,
            "is_open": "open" if club.is_open else "",
            "has_notes": club.has_notes,
        }
        super().__init__(data, initial=initial, auto_id="club_%s")

    def clean_is_open(self) -> bool:
        return bool(self.cleaned_data["is_open"] == "open")


class HolidayForm(DaysForm):
    """Days on which all clocks of a club rest, and why."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        validators=[one_row],
        error_messages={"required": _("Write what the days are, such as Christmas.")},
    )
    field_order = ("name", "starts_on", "ends_on")


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member as an organiser sees them."""

    url: str
    name: str
    username: str
    email: str
    role: str
    mail: str


@never_cache
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def organise(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what an organiser looks after; store the settings of the club that are posted."""
    club = club_to_organise(request, slug)
    if request.method != "POST":
        return _page(request, club)
    deed = DEEDS.get(posted(request, "deed"))
    if deed is None:
        alert = gettext("This form is not known. Nothing was changed.")
        return _page(request, club, Shown(400, alert))
    answer = deed(request, club)
    if isinstance(answer, Shown):
        return _page(request, club, answer)
    return go_back(request, answer, reverse("club-organise", args=[club.slug]))


def _change_club(request: HttpRequest, club: Club) -> Answer:
    form = ClubForm(club, request.POST)
    if not form.is_valid():
        return refused("club_form", form)
    services.change_club(club=club, **form.cleaned_data)
    return Done(gettext("The settings of the club are saved."), "settings")


def _add_holiday(request: HttpRequest, club: Club) -> Answer:
    form = HolidayForm(request.POST, auto_id="holiday_%s")
    if form.is_valid():
        same = Holiday.objects.filter(club=club, **form.cleaned_data)
        try:
            if not same.exists():  # a second click adds nothing
                resting.add_holiday(
                    organiser=member_of(request), club=club, now=timezone.now(), **form.cleaned_data
                )
        except resting.BadDates as error:
            form.add_error(error.field, error.message)
        else:
            return Done(gettext("The clocks rest on these days."), "holidays")
    return refused("holiday_form", form)


def _remove_holiday(request: HttpRequest, club: Club) -> Answer:
    number = posted(request, "holiday")
    if not re.fullmatch(r"[0-9]{1,18}", number):
        return Shown(400, gettext("Choose the holidays that you want to take away."))
    try:
        resting.remove_holiday(
            organiser=member_of(request), club=club, holiday_id=int(number), now=timezone.now()
        )
    except resting.RestOver as error:
        return Shown(409, sentence(str(error)))
    except Holiday.DoesNotExist:
        return Done(gettext("These holidays are gone already."), "holidays")
    return Done(gettext("The days that lie ahead are taken away."), "holidays")


DEEDS: dict[str, Callable[[HttpRequest, Club], Answer]] = {
    "club": _change_club,
    "holiday": _add_holiday,
    "holiday_off": _remove_holiday,
}


def _page(request: HttpRequest, club: Club, shown: Shown = ORDINARY) -> HttpResponse:
    now = timezone.now()
    ended = Game.objects.filter(club=club, status=Status.FINISHED).order_by("-finished_at")
    present = list(members(club))
    held_up = set(suppressed_members([m.user_id for m in present]).values_list("pk", flat=True))
    context: dict[str, Any] = {
        "club": Club.objects.get(pk=club.pk),
        "alert": shown.alert,
        "zone": words.zone_of(request.user),
        "running": game_lines(running_late_first(club), IN_A_LIST, now=now),
        "finished": game_lines(ended, RECENT, now=now),
        "members": [_member_line(club, membership, held_up) for membership in present],
        "club_form": ClubForm(club),
        "holidays": holidays_of(club, now),
        "holiday_form": HolidayForm(auto_id="holiday_%s"),
        "invite_form": InvitationForm(),
        "invitations": open_invitations(club).filter(expires_at__gt=now).order_by("-pk"),
    }
    return render(request, "play/organise.html", context | shown.context, status=shown.status)


def _member_line(club: Club, membership: Membership, held_up: set[int]) -> MemberLine:
    user = membership.user
    return MemberLine(
        url=reverse("organise-member", args=[club.slug, user.uuid]),
        name=user.get_full_name(),
        username=user.username,
        email=user.email,
        role=str(ROLES[membership.role]),
        mail=gettext("mail comes back") if user.pk in held_up else "",
    )
