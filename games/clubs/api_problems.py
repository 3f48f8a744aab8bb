"""The refusals of clubs, added to the API's table of codes."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.api_problems import CODES, Problem

CODES.update(
    {
        "slug_taken": (409, _("Another club has this slug")),
        "already_member": (409, _("They are in the club already")),
        "last_organiser": (409, _("A club keeps at least one organiser")),
        "invitation_not_valid": (404, _("This invitation is not valid")),
    }
)


def slug_taken() -> Problem:
    message = gettext("Another club has this slug.")
    return Problem(409, "slug_taken", message, errors=[{"field": "slug", "message": message}])


def already_member() -> Problem:
    return Problem(409, "already_member", gettext("You are in this club already; the invitation stays good."))


def last_organiser() -> Problem:
    return Problem(409, "last_organiser", gettext("Make somebody else an organiser first."))


def invitation_not_valid() -> Problem:
    return Problem(
        404, "invitation_not_valid", gettext("This code is unknown, used or too old; ask for another.")
    )
