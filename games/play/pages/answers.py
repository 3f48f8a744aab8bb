"""What the forms of the settings lead to."""

from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
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
    return Shown(status, alert, {name: form, "marked": marked_in(form)})


def marked_in(*forms_shown: forms.BaseForm) -> str:
    """Return the id of the first field at fault, of a form at fault as a whole its first."""
    for form in forms_shown:
        found = [bound for bound in form if bound.errors] or (list(form) if form.errors else [])
        if found:
            # A group of radio buttons has no id of its own, but its first button has.
            return found[0].id_for_label or f"{found[0].auto_id}_0"
    return ""


def go_back(request: HttpRequest, done: Done, address: str) -> HttpResponseRedirect:
    """Go to the part of the page at `address` that tells what was done."""
    messages.success(request, done.told, extra_tags=f"at-{done.part}")
    return HttpResponseRedirect(f"{address}#{done.part}")
