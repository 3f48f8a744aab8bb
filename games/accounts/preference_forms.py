"""The forms in which members say who they are and how they want their mail."""

from functools import lru_cache
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.accounts.models import SCOPES, Cadence, Language, User, one_row

# The parts of the world that people live in; the database of zones has other names for the same hours.
REGIONS: dict[str, str | Promise] = {
    "Europe": _("Europe"),
    "Africa": _("Africa"),
    "America": _("America"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic"),
    "Australia": _("Australia"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific"),
    "Arctic": _("Arctic"),
    "Antarctica": _("Antarctica"),
}
# Where the languages of the site are spoken: they come first, in these languages.
NEAR: dict[str, str | Promise] = {
    "Europe/Amsterdam": _("Amsterdam"),
    "Europe/Brussels": _("Brussels"),
    "Europe/Copenhagen": _("Copenhagen"),
    "Europe/Helsinki": _("Helsinki"),
    "Europe/London": _("London"),
    "Europe/Stockholm": _("Stockholm"),
}
CADENCES: list[tuple[str, str | Promise]] = [
    (Cadence.AT_ONCE, _("At once: a mail as soon as something waits for you.")),
    (Cadence.COALESCED, _("Together: what happens within ten minutes comes in one mail.")),
    (Cadence.DAILY, _("Once a day: one mail, at the time below, about all your games.")),
]
SCOPE_WORDS: list[tuple[str, str | Promise]] = [
    ("read", _("read: look at clubs and games as you see them")),
    ("play", _("play: take turns and change settings for you")),
    ("organise", _("organise: act as an organiser where you are one")),
]


@lru_cache(maxsize=1)
def zones_by_region() -> dict[str, list[str]]:
    """Return the names of time zones by part of the world, each in the order of the alphabet.

    Those of the table of countries: other names stand for one of them, as the old Asia/Calcutta does.
    """
    table = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    names = {row.split("\t")[2] for row in table.splitlines() if row and not row.startswith("#")}
    return {region: sorted(name for name in names if name.startswith(f"{region}/")) for region in REGIONS}


def zone_choices(own: str) -> list[tuple[str | Promise, list[tuple[str, str]]]]:
    """Return the zones of a list to choose from, grouped; `own` is among them whatever it is."""
    usual = [("UTC", "UTC")] + ([] if own in _all_zones() else [(own, own)])
    near = sorted(((name, str(label)) for name, label in NEAR.items()), key=lambda choice: choice[1])
    groups: list[tuple[str | Promise, list[tuple[str, str]]]] = [
        (REGIONS[region], [(name, _city(name)) for name in names if name not in NEAR])
        for region, names in zones_by_region().items()
    ]
    return [(_("Nearby"), near), *groups, (_("Other"), usual)]


def _city(name: str) -> str:
    return name.partition("/")[2].replace("_", " ").replace("/", ", ")


def _all_zones() -> set[str]:
    return {"UTC", *(name for names in zones_by_region().values() for name in names)}


class AboutMeForm(forms.Form):
    """How others see a member, and in which words and hours they read."""

    name = forms.CharField(
        label=_("Your name, as others see it"),
        max_length=80,
        validators=[one_row],
        error_messages={"required": _("Write the name by which the others know you.")},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    language = forms.ChoiceField(
        label=_("Language of the pages and of your mail"),
        choices=Language.choices,
        error_messages={"invalid_choice": _("Choose one of the languages in the list.")},
    )
    zone = forms.ChoiceField(
        label=_("Time zone"),
        help_text=_("All times are told as your clock shows them. Type the first letters of your city."),
        error_messages={"invalid_choice": _("Choose a city in the list that has the same time as you.")},
    )

    def __init__(self, user: User, data: Any = None) -> None:
        own = str(user.zone)
        initial = {"name": user.get_full_name(), "language": user.language, "zone": own}
        super().__init__(data, initial=initial, auto_id="me_%s")
        zone = self.fields["zone"]
        assert isinstance(zone, forms.ChoiceField)  # noqa: S101 - tells mypy
        zone.choices = zone_choices(own)

    def clean_zone(self) -> ZoneInfo:
        return ZoneInfo(str(self.cleaned_data["zone"]))


class MailForm(forms.Form):
    """When mail goes out to a member, and what stands in it."""

    cadence = forms.ChoiceField(
        label=_("When should mail come?"),
        choices=CADENCES,
        widget=forms.RadioSelect,
        help_text=_("A reminder before your time runs out always comes at once."),
        error_messages={
            "required": _("Choose one of the three."),
            "invalid_choice": _("Choose one of the three."),
        },
    )
    digest_at = forms.TimeField(
        label=_("Time of the daily mail"),
        input_formats=["%H:%M", "%H.%M", "%H:%M:%S", "%H"],
        error_messages={
            "required": _("Write a time, such as 18:00."),
            "invalid": _("Write a time from 00:00 to 23:59, such as 18:00."),
        },
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        help_text=_("Used when you chose “once a day”."),
    )
    wants_text_only = forms.BooleanField(
        label=_("Plain text only, without pictures"),
        required=False,
        help_text=_("The board is drawn with letters. Good for screen readers and slow lines."),
    )
    leaves_out_hands = forms.BooleanField(
        label=_("Leave my cards out of the mail"),
        required=False,
        help_text=_("For a mailbox that others read too. You see your cards once you open the link."),
    )

    def __init__(self, user: User, data: Any = None) -> None:
        names = ("cadence", "digest_at", "wants_text_only", "leaves_out_hands")
        super().__init__(data, initial={name: getattr(user, name) for name in names}, auto_id="mail_%s")


class NewPasswordForm(forms.Form):
    """A password to set; the present one is asked for unless `is_proved`."""

    current = forms.CharField(
        label=_("Your password now"),
        max_length=128,
        strip=False,
        error_messages={"required": _("Write the password that you have now.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    new = forms.CharField(
        label=_("New password"),
        max_length=128,
        strip=False,
        help_text=_("At least eight signs. Three or four words that do not belong together are good."),
        error_messages={"required": _("Write the new password.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *, asks_current: bool, data: Any = None) -> None:
        super().__init__(data, auto_id="password_%s")
        if not asks_current:
            del self.fields["current"]

    @property
    def current_password(self) -> str | None:
        """The present password as it was typed, None where it is not asked for."""
        return str(self.cleaned_data["current"]) if "current" in self.fields else None


class TokenForm(forms.Form):
    """A key to the API to make."""

    name = forms.CharField(
        label=_("What is it for?"),
        max_length=80,
        validators=[one_row],
        error_messages={"required": _("Write what the token is for, so that you know it again.")},
    )
    scopes = forms.MultipleChoiceField(
        label=_("What may it do?"),
        choices=SCOPE_WORDS,
        initial=["read"],
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": _("Choose at least one thing that it may do."),
            "invalid_choice": _("Choose among the things in the list."),
        },
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="token_%s")

    def clean_scopes(self) -> list[str]:
        return [scope for scope in SCOPES if scope in self.cleaned_data["scopes"]]
