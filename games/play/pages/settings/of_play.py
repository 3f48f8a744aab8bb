"""The settings that are about games: leave, the calendar, how often mail comes about which game."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts import services
from games.accounts.models import Cadence, User
from games.play.calendars import leave_left, leaves_of, today_of
from games.play.models import Game, GameCadence, Leave, Seat, Status
from games.play.pages.answers import Answer, Done, Shown, refused
from games.play.pages.asked import posted, sentence
from games.play.pages.calendar import feed_url
from games.play.services import feed, resting
from games.play.services.mailing import set_game_cadence
from games.play.telling.words import game_title

SHORT_CADENCES = [
    ("", _("as usual")),
    (Cadence.AT_ONCE.value, _("at once")),
    (Cadence.COALESCED.value, _("together, every ten minutes at most")),
    (Cadence.DAILY.value, _("once a day")),
]
DATES = ["%Y-%m-%d", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%Y"]
MOST_GAMES = 100


class DaysForm(forms.Form):
    """The first and the last of days in a row."""

    starts_on = forms.DateField(
        label=_("First day"),
        input_formats=DATES,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={
            "required": _("Choose the first day."),
            "invalid": _("Write a day such as 2026-12-24."),
        },
    )
    ends_on = forms.DateField(
        label=_("Last day"),
        input_formats=DATES,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={
            "required": _("Choose the last day; it may be the same."),
            "invalid": _("Write a day such as 2026-12-24."),
        },
    )


class CadenceForm(forms.Form):
    """How often mail comes about one game."""

    game = forms.ChoiceField(
        label=_("Game"), error_messages={"invalid_choice": _("Choose one of your running games.")}
    )
    cadence = forms.ChoiceField(
        label=_("Mail about it comes"),
        choices=SHORT_CADENCES,
        required=False,
        error_messages={"invalid_choice": _("Choose one of the answers in the list.")},
    )

    def __init__(self, user: User, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="cadence_%s")
        held = Seat.objects.filter(member=user, is_active=True).values("game_id")
        games = Game.objects.filter(pk__in=held, status__in=(Status.ACTIVE, Status.PROPOSED)).order_by("-pk")
        self.games = {str(game.pk): game for game in games[:MOST_GAMES]}
        field = self.fields["game"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - tells mypy
        field.choices = [(number, game_title(game)) for number, game in self.games.items()]


def context_of_play(user: User) -> dict[str, Any]:
    """Return what the page of the settings shows of leave, calendar and games."""
    now = timezone.now()
    own = GameCadence.objects.filter(member=user, game__status__in=(Status.ACTIVE, Status.PROPOSED))
    words = dict(SHORT_CADENCES)
    return {
        "leave_form": DaysForm(auto_id="leave_%s"),
        "leaves": list(leaves_of(user, now)),
        "leave_left": str(leave_left(user, today_of(user, now).year)),
        "leave_year": str(today_of(user, now).year),
        "today": today_of(user, now),
        "feed_url": feed_url(user),
        "webcal_url": "webcal" + feed_url(user)[feed_url(user).index(":") :] if feed_url(user) else "",
        "cadence_form": CadenceForm(user),
        "cadences": [
            {"game": game_title(row.game), "pk": str(row.game_id), "words": words[row.cadence]}
            for row in own.select_related("game").order_by("game_id")
        ],
    }


def _take_leave(request: HttpRequest, user: User) -> Answer:
    form = DaysForm(request.POST, auto_id="leave_%s")
    if form.is_valid():
        try:
            resting.take_leave(member=user, now=timezone.now(), **form.cleaned_data)
        except resting.BadDates as error:
            form.add_error(error.field, error.message)
        except (resting.LeaveOverlaps, resting.LeaveSpent) as error:
            form.add_error(None, sentence(str(error)))
        else:
            return Done(gettext("Your clocks rest on these days."), "leave")
    return refused("leave_form", form)


def _give_back_leave(request: HttpRequest, user: User) -> Answer:
    number = posted(request, "leave")
    if not re.fullmatch(r"[0-9]{1,18}", number):
        return Shown(400, gettext("Choose the leave that you want to give back."))
    try:
        resting.give_back_leave(member=user, leave_id=int(number), now=timezone.now())
    except resting.RestOver as error:
        return Shown(409, sentence(str(error)))
    except Leave.DoesNotExist:
        # Given back already, by a second click or in another window.
        return Done(gettext("You have no such leave any more."), "leave")
    return Done(gettext("The days that lie ahead are given back."), "leave")


def _change_automatic(request: HttpRequest, user: User) -> Answer:
    wished = bool(posted(request, "automatically"))
    services.change_preferences(user=user, takes_leave_automatically=wished)
    if wished:
        return Done(gettext("When your time would run out, leave is taken for you."), "leave")
    return Done(gettext("Leave is taken only when you say so."), "leave")


def _renew_feed(request: HttpRequest, user: User) -> Answer:
    feed.renew_feed(member=user)
    return Done(gettext("Your calendar has a new address."), "calendar")


def _close_feed(request: HttpRequest, user: User) -> Answer:
    feed.close_feed(member=user)
    return Done(gettext("Your calendar has no address any more."), "calendar")


def _change_cadence(request: HttpRequest, user: User) -> Answer:
    form = CadenceForm(user, request.POST)
    if not form.is_valid():
        return refused("cadence_form", form)
    game = form.games[form.cleaned_data["game"]]
    set_game_cadence(member=user, game_id=game.pk, cadence=form.cleaned_data["cadence"])
    return Done(gettext("Mail about this game will come as you said."), "games")


DEEDS: dict[str, Callable[[HttpRequest, User], Answer]] = {
    "leave": _take_leave,
    "leave_back": _give_back_leave,
    "leave_automatic": _change_automatic,
    "feed": _renew_feed,
    "feed_off": _close_feed,
    "cadence": _change_cadence,
}
