"""Webhooks over the API: a member's own."""

from typing import Any, cast
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.accounts.api import too_many
from games.accounts.api_pagination import CursorPagination
from games.accounts.api_permissions import HasScope
from games.accounts.api_problems import Problem, invalid
from games.accounts.api_schema import problems
from games.accounts.attempts import TooManyAttempts
from games.accounts.models import User
from games.hooks import api_problems, queries, services
from games.hooks.api_serializers import (
    DeliverySerializer,
    MadeWebhookSerializer,
    NewWebhookSerializer,
    WebhookChangesSerializer,
    WebhookSerializer,
)
from games.hooks.models import Delivery, Webhook


def find_webhook(request: Request, uuid: UUID) -> Webhook:
    """Return a webhook of the caller, or answer 404."""
    webhook = queries.webhooks_of(cast("User", request.user)).filter(uuid=uuid).first()
    if webhook is None:
        raise NotFound
    return webhook


def bad_url(error: ValidationError) -> Problem:
    return invalid("url", " ".join(error.messages))


class NewestFirst(CursorPagination):
    ordering = ("-created_at", "-id")


class Webhooks(ListAPIView[Webhook]):
    permission_classes = [HasScope("play")]
    queryset = Webhook.objects.none()  # names the model for the schema
    serializer_class = WebhookSerializer
    pagination_class = NewestFirst

    def get_queryset(self) -> QuerySet[Webhook]:
        return queries.webhooks_of(cast("User", self.request.user))

    @extend_schema(tags=["webhooks"])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the caller's own webhooks."""
        return self.list(request, *args, **kwargs)

    @extend_schema(
        request=NewWebhookSerializer,
        responses={201: MadeWebhookSerializer, **problems(409)},
        tags=["webhooks"],
    )
    def post(self, request: Request) -> Response:
        """Have an address told when it is the caller's turn; the answer shows the secret, this once."""
        asked = NewWebhookSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        member = cast("User", request.user)
        try:
            webhook = services.create_webhook(
                member=member, url=asked.validated_data["url"], now=timezone.now()
            )
        except ValidationError as error:
            raise bad_url(error) from error
        except services.TooManyWebhooks as error:
            raise api_problems.too_many_webhooks() from error
        return Response(MadeWebhookSerializer(webhook).data, status=status.HTTP_201_CREATED)


class WebhookDetail(APIView):
    permission_classes = [HasScope("play")]

    @extend_schema(request=WebhookChangesSerializer, responses=WebhookSerializer, tags=["webhooks"])
    def patch(self, request: Request, uuid: UUID) -> Response:
        """Change the address of a webhook, or switch it on or off."""
        webhook = find_webhook(request, uuid)
        asked = WebhookChangesSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            webhook = services.change_webhook(webhook=webhook, now=timezone.now(), **asked.validated_data)
        except ValidationError as error:
            raise bad_url(error) from error
        return Response(WebhookSerializer(webhook).data)

    @extend_schema(responses={204: None}, tags=["webhooks"])
    def delete(self, request: Request, uuid: UUID) -> Response:
        """Delete a webhook and its deliveries."""
        services.delete_webhook(webhook=find_webhook(request, uuid))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Deliveries(ListAPIView[Delivery]):
    permission_classes = [HasScope("play")]
    queryset = Delivery.objects.none()  # names the model for the schema
    serializer_class = DeliverySerializer
    pagination_class = NewestFirst

    @extend_schema(tags=["webhooks"])
    def get(self, request: Request, uuid: UUID) -> Response:
        """List what was posted to a webhook in the last 30 days, and what waits."""
        page = self.paginate_queryset(queries.deliveries_of(find_webhook(request, uuid)))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class Resend(APIView):
    permission_classes = [HasScope("play")]

    @extend_schema(request=None, responses={202: DeliverySerializer, **problems(409)}, tags=["webhooks"])
    def post(self, request: Request, uuid: UUID, delivery: UUID) -> Response:
        """Post a delivery once more, within seconds, if that turn still lasts; once a minute."""
        webhook = find_webhook(request, uuid)
        try:
            again = services.resend(webhook=webhook, uuid=delivery, now=timezone.now())
        except services.WebhookIsOff as error:
            raise api_problems.webhook_off() from error
        except TooManyAttempts as error:
            raise too_many(error) from error
        if again is None:
            raise NotFound
        return Response(DeliverySerializer(again).data, status=status.HTTP_202_ACCEPTED)
