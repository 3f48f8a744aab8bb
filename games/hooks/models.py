"""Addresses that members want rung, and what was or is to be posted to them."""

import base64
import uuid

from django.conf import settings
from django.db import models

from games.accounts import capabilities


class Webhook(models.Model):
    """An address that is told when it is its member's turn.

    `active_since` is when it was switched on: what happened before is not posted. `failing_since` is the
    first failure after the last success; `stopped_at` is when it was switched off for having only failed.
    `asked_at` is when something was last posted to it, and nothing is before `rests_until`.
    """

    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    url = models.CharField(max_length=500)
    # The secret follows from these (capabilities), so that a copy of the database signs nothing.
    nonce = models.CharField(max_length=32, default=capabilities.new_nonce)
    key_id = models.CharField(max_length=20, default=capabilities.current_key_id)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField()
    active_since = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    rests_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_active=False) | models.Q(stopped_at__isnull=True),
                name="webhook_stopped_is_off",
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.uuid}"

    @property
    def secret(self) -> str:
        """What its deliveries are signed with, as Standard Webhooks writes it; raises KeyForgotten."""
        token = capabilities.token_for("webhook/1", self.key_id, self.nonce, self.uuid)
        return "whsec_" + base64.b64encode(base64.urlsafe_b64decode(token + "=")).decode()


class Delivery(models.Model):
    """One piece of news for one address: what it is about as ids only; it is put in words when it is posted.

    `key` is that of the mail with the same news. `due_at` is when it may be taken up; whoever does moves it
    on first, past the time that posting takes. It is given up at `until`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "to be posted"
        DELIVERED = "delivered", "taken by the receiver"
        DROPPED = "dropped", "not true any more when it was to be posted"
        FAILED = "failed", "given up"

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    key = models.CharField(max_length=120)
    kind = models.CharField(max_length=20)
    refs = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    happened_at = models.DateTimeField()
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    until = models.DateTimeField()
    # Of the last attempt: what the receiver answered, or a word of ours for why it did not.
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=20, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["webhook", "key"], name="delivery_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "delivered", "dropped", "failed"]),
                name="delivery_state_known",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="delivery_waiting"),
            models.Index(fields=["created_at"], name="delivery_created"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def message_id(self) -> str:
        """The name of the message, the same in every attempt."""
        return f"msg_{self.uuid.hex}"
