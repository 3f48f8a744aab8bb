"""The refusals of clubs, added to the API's table of codes."""

from games.accounts.api_problems import CODES, Problem

CODES.update(
    {
        "slug_taken": (409, "Another club has this slug"),
        "already_member": (409, "They are in the club already"),
        "last_organiser": (409, "A club keeps at least one organiser"),
        "mail_failed": (503, "The mail could not be sent; try again"),
        "invitation_not_valid": (404, "This invitation is not valid"),
    }
)


def slug_taken() -> Problem:
    message = "Another club has this slug."
    return Problem(409, "slug_taken", message, errors=[{"field": "slug", "message": message}])


def already_member() -> Problem:
    return Problem(409, "already_member", "You are in this club already; the invitation stays good.")


def last_organiser() -> Problem:
    return Problem(409, "last_organiser", "Make somebody else an organiser first.")


def invitation_not_valid() -> Problem:
    return Problem(404, "invitation_not_valid", "This code is unknown, used or too old; ask for another.")


def mail_failed() -> Problem:
    detail = "The mail server does not take the mail, so nothing was stored; try again."
    return Problem(503, "mail_failed", detail, headers={"Retry-After": "60"})
