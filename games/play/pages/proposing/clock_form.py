"""The part of the form of a new game that is about time: a choice of paces, or numbers of one's own."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.play.calendars import clock_of
from games.play.clocks import (
    MOST_BANK_HOURS,
    MOST_INCREMENT_HOURS,
    MOST_TURN_HOURS,
    BadClock,
    Clock,
)
from games.play.models import Game
from games.play.telling.clock_words import HOURS_OF_A_DAY

NONE, OWN = "none", "own"
DAYS = {"1": 1, "3": 3, "7": 7}
PACES: list[tuple[str, str | Promise]] = [
    (NONE, _("No clock: everybody takes the time they need.")),
    ("1", _("One day for each turn.")),
    ("3", _("Three days for each turn.")),
    ("7", _("One week for each turn.")),
    (OWN, _("Other times: fill in the numbers below.")),
]
EXPIRY_CHOICES: list[tuple[str, str | Promise]] = [
    ("ask", _("An organiser decides. The clock stops, and a mail tells the organisers.")),
    ("pass", _("The turn is passed: nothing is played or drawn. After three in a row the seat leaves.")),
    ("forfeit_seat", _("The seat leaves the game; its team plays on with the others.")),
    ("forfeit_team", _("The whole team leaves the game.")),
    ("bot", _("A bot plays this one turn.")),
]
NUMBERS = ("turn_hours", "bank_hours", "increment_hours", "cap_hours")


def _hours(label: Any, help_text: Any, least: int, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        min_value=least,
        max_value=most,
        required=False,
        error_messages={"invalid": _("Write a whole number of hours; 24 are a day.")},
    )


class ClockForm(forms.Form):
    """How long a turn may take, and what happens when it takes longer (R22)."""

    pace = forms.ChoiceField(
        label=_("Time for a turn"),
        choices=PACES,
        initial=NONE,
        required=False,
        widget=forms.RadioSelect,
        help_text=_(
            "A time that would end at night ends at nine in the morning, as the player's clock shows it."
        ),
        error_messages={"invalid_choice": _("Choose one of the times in the list.")},
    )
    rests_at_weekends = forms.BooleanField(
        label=_("The clock rests on Saturdays and Sundays"),
        required=False,
        help_text=_("It also rests on the club's holidays and while a player is on leave."),
    )
    turn_hours = _hours(_("Hours for each turn"), _("24 are a day, 168 a week."), 1, MOST_TURN_HOURS)
    bank_hours = _hours(
        _("Hours in reserve"),
        _("What each player may use up in the whole game when a turn takes longer. Left empty: none."),
        0,
        MOST_BANK_HOURS,
    )
    increment_hours = _hours(
        _("Hours that each turn adds to the reserve"), _("Left empty: none."), 0, MOST_INCREMENT_HOURS
    )
    cap_hours = _hours(
        _("Most hours in reserve"),
        _("The reserve never grows beyond this. Left empty: what it begins with."),
        0,
        MOST_BANK_HOURS,
    )
    expiry = forms.ChoiceField(
        label=_("When a turn's time runs out (R22)"),
        choices=EXPIRY_CHOICES,
        initial="ask",
        required=False,
        widget=forms.RadioSelect,
        help_text=_(
            "Without a clock an organiser can end a turn that takes too long; the same happens then."
        ),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, like: Game | None = None) -> None:
        super().__init__(data, initial={} if like is None else _initial(like))
        self.clock: Clock | None = None

    @property
    def shows_numbers(self) -> bool:
        """Whether numbers of one's own are asked for, or one is at fault: then they are not folded away."""
        return self["pace"].value() == OWN or any(self[name].errors for name in NUMBERS)

    def numbers(self) -> list[forms.BoundField]:
        """Return the fields of numbers of one's own."""
        return [self[name] for name in NUMBERS]

    def clean_expiry(self) -> str:
        return str(self.cleaned_data["expiry"] or "ask")

    def clean(self) -> dict[str, Any]:
        """Make the clock, or say at its field which number cannot be."""
        cleaned = self.cleaned_data
        pace = cleaned.get("pace") or NONE
        rests = bool(cleaned.get("rests_at_weekends"))
        if pace in DAYS:
            self.clock = Clock(DAYS[pace] * HOURS_OF_A_DAY, rests_at_weekends=rests)
        elif pace == OWN and not self.errors:
            self._make_own(cleaned, rests)
        return cleaned

    def _make_own(self, cleaned: Mapping[str, Any], rests: bool) -> None:
        if cleaned["turn_hours"] is None:
            self.add_error("turn_hours", gettext("Write how many hours a turn has."))
            return
        bank = cleaned["bank_hours"] or 0
        increment = cleaned["increment_hours"] or 0
        cap = bank if cleaned["cap_hours"] is None else cleaned["cap_hours"]
        if increment and cap <= bank:
            self.add_error(
                "cap_hours", gettext("A reserve that grows needs a limit above what it begins with.")
            )
            return
        if cap < bank:
            self.add_error("cap_hours", gettext("This is less than what the reserve begins with."))
            return
        try:
            self.clock = Clock(cleaned["turn_hours"], bank, increment, cap, rests)
        except BadClock:
            self.add_error("turn_hours", gettext("These numbers do not go together: choose others."))


def _initial(game: Game) -> dict[str, Any]:
    clock = clock_of(game)
    if clock is None:
        return {"pace": NONE, "expiry": game.expiry}
    days = str(clock.turn_hours // HOURS_OF_A_DAY)
    is_plain = not (clock.bank_hours or clock.increment_hours or clock.turn_hours % HOURS_OF_A_DAY)
    if is_plain and days in DAYS:
        return {"pace": days, "rests_at_weekends": clock.rests_at_weekends, "expiry": game.expiry}
    numbers = {name: getattr(clock, name) for name in NUMBERS}
    return numbers | {
        "pace": OWN,
        "rests_at_weekends": clock.rests_at_weekends,
        "expiry": game.expiry,
    }
