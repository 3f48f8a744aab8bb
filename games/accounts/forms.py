"""The forms for signing in, and names made fit for signing in."""

import re
import unicodedata

from django import forms
from django.utils.translation import gettext_lazy as _

from games.accounts.models import one_row

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


def _who_field() -> forms.CharField:
    return forms.CharField(
        label=_("Name or email address"),
        max_length=254,
        error_messages={"required": _("Write your sign-in name or your email address.")},
        widget=forms.TextInput(attrs=WHO),
    )


class SpacedDigits(forms.RegexField):
    """Digits that may be typed with spaces between them, as people read them out."""

    def to_python(self, value: object) -> str:
        return str(super().to_python("".join(str(value or "").split())))


class PasswordForm(forms.Form):
    """A name or address, and a password."""

    who = _who_field()
    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        error_messages={"required": _("Write your password, or have a code mailed to you instead.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class CodeRequestForm(forms.Form):
    email = forms.EmailField(
        label=_("Email address"),
        max_length=254,
        validators=[one_row],
        error_messages={
            "required": _("Write the address to which your mail goes."),
            "invalid": _("This is no whole address: it looks like name@example.org."),
        },
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class CodeForm(forms.Form):
    who = _who_field()
    code = SpacedDigits(
        r"^[0-9]{6}\Z",
        label=_("The six digits"),
        strip=True,
        error_messages={
            "required": _("Write the six digits of the mail."),
            "invalid": _("A code has six digits: look at the mail again."),
        },
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )
