"""The API's addresses, below /api/v1/: each room lists its own."""

from csp.decorators import csp_update
from django.urls import include, path
from drf_spectacular.views import (
    SpectacularAPIView,
    SpectacularRedocView,
    SpectacularSwaggerSplitView,
)

# The pages of the schema cannot answer OPTIONS: they would look for a template to render it with.
PAGE = {"url_name": "api-schema", "http_method_names": ["get", "head"]}
# Both packages style their elements from scripts; Redoc looks things up in a worker of its own.
loosened = csp_update({"style-src": ["'unsafe-inline'"], "img-src": ["data:"], "worker-src": ["blob:"]})

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", loosened(SpectacularSwaggerSplitView.as_view(**PAGE)), name="api-docs"),
    path("redoc/", loosened(SpectacularRedocView.as_view(**PAGE)), name="api-redoc"),
    path("", include("games.accounts.api_urls")),
    path("", include("games.clubs.api_urls")),
    path("", include("games.play.api.urls")),
    path("", include("games.hooks.api_urls")),
    path("", include("analytics.api_urls")),
]
