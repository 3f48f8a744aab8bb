"""The forms for signing in, and names made fit for signing in."""

import re
import unicodedata

from django import forms
from django.utils.translation import gettext_lazy as _

# Letters that no accent can be taken off.
SPELLED_OUT = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ð": "d", "đ": "d", "þ": "th", "ł": "l", "ı": "i"}
)
WHO = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}


def plain_name(text: str, *, most: int) -> str:
    """Return `text` as a name for addresses: "Zoë Ångström" gives "zoe-angstrom"; it may be empty."""
    spelled = unicodedata.normalize("NFKD", text.lower().translate(SPELLED_OUT))
    letters = spelled.encode("ascii", "ignore").decode().replace("'", "")
    return re.sub(r"[^a-z0-9_]+", "-", letters).strip("-_")[:most].strip("-_")


class PasswordForm(forms.Form):
    who = forms.CharField(label=_("Name or email address"), max_length=254, widget=forms.TextInput(attrs=WHO))
    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class CodeRequestForm(forms.Form):
    email = forms.EmailField(
        label=_("Email address"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class CodeForm(forms.Form):
    who = forms.CharField(label=_("Name or email address"), max_length=254, widget=forms.TextInput(attrs=WHO))
    code = forms.RegexField(
        r"^[0-9]{6}\Z",
        label=_("The six digits"),
        strip=True,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )
