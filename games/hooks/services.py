"""What members do with their webhooks."""

import math
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from games.accounts.attempts import TooManyAttempts, take_attempt
from games.accounts.models import SignInAttempt, User
from games.hooks.addresses import check_url
from games.hooks.delivering import FIRST_PAUSE, KEEPS_TRYING
from games.hooks.models import Delivery, Webhook

MOST_WEBHOOKS = 10
RESENDS_APART = timedelta(minutes=1)


class TooManyWebhooks(Exception):
    """A member has so many already."""


class WebhookIsOff(Exception):
    """Nothing is posted while a webhook is switched off."""


@transaction.atomic
def create_webhook(*, member: User, url: str, now: datetime) -> Webhook:
    """Make a webhook that is rung from now on; raises ValidationError or TooManyWebhooks."""
    check_url(url)
    User.objects.select_for_update().get(pk=member.pk)
    if Webhook.objects.filter(member=member).count() >= MOST_WEBHOOKS:
        raise TooManyWebhooks
    return Webhook.objects.create(member=member, url=url, created_at=now, active_since=now)


@transaction.atomic
def change_webhook(*, webhook: Webhook, now: datetime, **changes: Any) -> Webhook:
    """Give a webhook another `url`, or switch it on or off by `is_active`; raises ValidationError.

    Switched on again, it hears of what happens from then on. One that has failed is asked again within a
    minute.
    """
    webhook = Webhook.objects.select_for_update().get(pk=webhook.pk)
    if "url" in changes:
        webhook.url = check_url(changes["url"])
        webhook.failing_since = None
    is_active = changes.get("is_active", webhook.is_active)
    if is_active and not webhook.is_active:
        webhook.active_since = now
        webhook.failing_since = webhook.stopped_at = None
    webhook.is_active = is_active
    if webhook.rests_until is not None:
        webhook.rests_until = min(webhook.rests_until, now + FIRST_PAUSE)
    webhook.save(
        update_fields=["url", "is_active", "active_since", "failing_since", "stopped_at", "rests_until"]
    )
    return webhook


def delete_webhook(*, webhook: Webhook) -> None:
    """End a webhook, and what was to be posted to it."""
    webhook.delete()


@transaction.atomic
def resend(*, webhook: Webhook, uuid: UUID, now: datetime) -> Delivery | None:
    """Let a delivery be posted once more, under the same name; None if the webhook has no such delivery.

    A member may once a minute, and not while the webhook rests after a failure. Raises WebhookIsOff,
    TooManyAttempts.
    """
    delivery = webhook.deliveries.select_for_update().filter(uuid=uuid).first()
    if delivery is None:
        return None
    if not webhook.is_active:
        raise WebhookIsOff
    if webhook.rests_until is not None and webhook.rests_until > now:
        raise TooManyAttempts(math.ceil((webhook.rests_until - now).total_seconds()))
    # Stored with what was allowed, or not at all.
    take_attempt(
        kind=SignInAttempt.Kind.LINKS,
        key=f"resend:{webhook.member_id}",
        limit=1,
        window=RESENDS_APART,
        now=now,
    )
    if delivery.state != Delivery.State.WAITING:
        delivery.attempts = 0
        delivery.until = now + KEEPS_TRYING
    delivery.state = Delivery.State.WAITING
    delivery.due_at = now
    delivery.save(update_fields=["state", "attempts", "until", "due_at"])
    return delivery
