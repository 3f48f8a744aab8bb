"""Shapes of the API of webhooks."""

from typing import Any

from rest_framework import serializers

from games.accounts.api_serializers import StrictSerializer
from games.hooks.models import Delivery, Webhook


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    failing_since = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="The first failure after the last success."
    )
    stopped_at = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="When the site switched it off, for having only failed."
    )

    class Meta:
        model = Webhook
        fields = ("uuid", "url", "is_active", "created_at", "failing_since", "stopped_at")
        read_only_fields = fields


class MadeWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(read_only=True, help_text="Shown this once.")

    class Meta(WebhookSerializer.Meta):
        fields = (*WebhookSerializer.Meta.fields, "secret")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]


class NewWebhookSerializer(StrictSerializer):
    url = serializers.CharField(max_length=500)


class WebhookChangesSerializer(StrictSerializer):
    url = serializers.CharField(max_length=500, required=False)
    is_active = serializers.BooleanField(required=False)


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """What was or is to be posted; what the receiver answered is kept as its status only."""

    type = serializers.CharField(source="kind", read_only=True)
    webhook_id = serializers.CharField(source="message_id", read_only=True)
    last_error = serializers.CharField(
        read_only=True, help_text="Why there was no answer; empty if there was one."
    )
    next_attempt_at = serializers.SerializerMethodField()

    class Meta:
        model = Delivery
        fields: Any = (
            "uuid", "webhook_id", "type", "state", "attempts", "created_at", "next_attempt_at", "last_status",
            "last_error", "delivered_at",
        )  # fmt: skip
        read_only_fields = fields

    def get_next_attempt_at(self, delivery: Delivery) -> str | None:
        if delivery.state != Delivery.State.WAITING:
            return None
        shown: str = serializers.DateTimeField().to_representation(delivery.due_at)
        return shown
