"""What the forms of the settings lead to."""

from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext


@dataclass(frozen=True, slots=True)
class Done:
    """What a form has done: the words for it, and the part of the page to go back to."""

    told: str
    part: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What a form leads to without a redirect: the page again, with `context` in place of what is usual."""

    status: int
    alert: str = ""
    context: dict[str, Any] = field(default_factory=dict)


Answer = Done | Shown


def refused(name: str, form: forms.Form, status: int = 422) -> Shown:
    """Return the page with what was typed into `form`, and what is wrong with it."""
    alert = gettext("Nothing was changed yet: see the marked field, put it right and send it again.")
    return Shown(status, alert, {name: form})
