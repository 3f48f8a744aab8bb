"""What members see of their webhooks."""

from django.db.models import QuerySet

from games.accounts.models import User
from games.hooks.models import Delivery, Webhook


def webhooks_of(member: User) -> QuerySet[Webhook]:
    """Return the webhooks of `member`, newest first."""
    return Webhook.objects.filter(member=member).order_by("-created_at", "-id")


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """Return what was or is to be posted to `webhook`, newest first."""
    return webhook.deliveries.order_by("-created_at", "-id")
