from django.urls import path

from games.hooks import api

urlpatterns = [
    path("me/webhooks", api.Webhooks.as_view(), name="api-webhooks"),
    path("me/webhooks/<uuid:uuid>", api.WebhookDetail.as_view(), name="api-webhook"),
    path("me/webhooks/<uuid:uuid>/deliveries", api.Deliveries.as_view(), name="api-deliveries"),
    path(
        "me/webhooks/<uuid:uuid>/deliveries/<uuid:delivery>/resend", api.Resend.as_view(), name="api-resend"
    ),
]
