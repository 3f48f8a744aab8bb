"""The refusals of webhooks, added to the API's table of codes."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.api_problems import CODES, Problem
from games.hooks.services import MOST_WEBHOOKS

CODES.update(
    {
        "too_many_webhooks": (409, _("You have as many webhooks as there can be")),
        "webhook_off": (409, _("The webhook is switched off")),
    }
)


def too_many_webhooks() -> Problem:
    message = gettext("You have %(number)s webhooks already; delete one first.")
    return Problem(409, "too_many_webhooks", message % {"number": str(MOST_WEBHOOKS)})


def webhook_off() -> Problem:
    return Problem(409, "webhook_off", gettext("Switch the webhook on first."))
