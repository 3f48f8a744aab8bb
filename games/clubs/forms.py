"""The forms of clubs: founding one, inviting into it, joining it as somebody new."""

import re
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.forms import plain_name
from games.accounts.models import USERNAME_PATTERN, one_row
from games.accounts.preference_forms import zone_choices
from games.clubs.models import Club, Role

SLUG_PATTERN = r"^[a-z0-9][a-z0-9-]*\Z"
OPENNESS = [
    ("", _("members only")),
    ("open", _("everybody")),
]


class NewMemberForm(forms.Form):
    """Who somebody new is; a sign-in name that cannot be had comes back as one that can.

    One that is left empty is made from the name, and `is_suggested` then.
    """

    is_suggested = False

    name = forms.CharField(
        label=_("Your name, as others see it"),
        max_length=80,
        validators=[one_row],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    username = forms.CharField(
        label=_("Sign-in name"),
        required=False,
        strip=True,
        help_text=_(
            "Letters a to z, digits, - and _: it also names you in the records of games. "
            "Leave it empty to have one made from your name."
        ),
        widget=forms.TextInput(
            attrs={
                "autocomplete": "username",
                "autocapitalize": "none",
                "spellcheck": "false",
                "maxlength": "40",
            }
        ),
    )

    zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        help_text=_("The city whose clock you live by, so that times are told as you read them."),
        error_messages={"invalid_choice": _("Choose a city in the list that has the same time as you.")},
    )

    def __init__(self, data: Any = None, *, zone: str = "UTC") -> None:
        super().__init__(data, initial={"zone": zone})
        field = self.fields["zone"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - tells mypy
        field.choices = zone_choices(zone)

    def clean_zone(self) -> ZoneInfo:
        """Whoever says nothing lives by the clock of who invites."""
        return ZoneInfo(str(self.cleaned_data["zone"] or self.initial["zone"]))

    def clean_username(self) -> str:
        """Take capitals as small letters; make a name where none is typed, and suggest one for a bad one."""
        typed = str(self.cleaned_data["username"]).lower()
        if re.match(USERNAME_PATTERN, typed) and len(typed) <= 40:
            return typed
        suggestion = plain_name(typed or str(self.cleaned_data.get("name", "")), most=40)
        if not suggestion:
            raise forms.ValidationError(gettext("Choose a sign-in name of letters a to z and digits."))
        if not typed:
            self.is_suggested = True
            return suggestion
        self.suggest(suggestion)
        raise forms.ValidationError(
            gettext(
                "A sign-in name has no spaces, accents or other signs, and at most 40 letters. "
                "How about “%(name)s”?"
            )
            % {"name": suggestion}
        )

    def suggest(self, username: str) -> None:
        """Put `username` into the field that is shown again."""
        self.data = {name: self.data[name] for name in self.data} | {"username": username}


class InvitationForm(forms.Form):
    email = forms.EmailField(
        label=_("Address"),
        max_length=254,
        validators=[one_row],
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(label=_("Role in the club"), choices=Role.choices, initial=Role.MEMBER)


class NewClubForm(forms.Form):
    """A club to found; an address left empty is made from the name."""

    name = forms.CharField(label=_("Name of the club"), max_length=80, validators=[one_row])
    slug = forms.RegexField(
        SLUG_PATTERN,
        label=_("Address of its page"),
        max_length=50,
        required=False,
        help_text=_("Small letters, digits and -. Left empty: made from the name."),
        error_messages={"invalid": _("Only the small letters a to z, digits and - can stand here.")},
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    is_open = forms.ChoiceField(label=_("Who may watch its games"), choices=OPENNESS, required=False)

    def clean_is_open(self) -> bool:
        return bool(self.cleaned_data["is_open"] == "open")

    def clean(self) -> dict[str, Any]:
        """Make the address that was left empty, and refuse one that is taken."""
        cleaned = self.cleaned_data
        if "slug" not in cleaned or "name" not in cleaned:
            return cleaned
        slug = cleaned["slug"] or plain_name(cleaned["name"], most=50).replace("_", "-")
        cleaned["slug"] = slug
        if not slug:
            self.add_error("slug", gettext("The name gives no address: choose one."))
        elif Club.objects.filter(slug=slug).exists():
            self.refuse_slug(slug)
        return cleaned

    def refuse_slug(self, slug: str) -> None:
        """Say at the field that another club has the address."""
        self.add_error(
            "slug", gettext("Another club has the address “%(slug)s”: choose another.") % {"slug": slug}
        )
