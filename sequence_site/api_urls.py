"""The API's addresses, below /api/v1/: each room lists its own."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularRedocView, SpectacularSwaggerView

# The pages of the schema cannot answer OPTIONS: they would look for a template to render it with.
PAGE = {"url_name": "api-schema", "http_method_names": ["get", "head"]}

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerView.as_view(**PAGE), name="api-docs"),
    path("redoc/", SpectacularRedocView.as_view(**PAGE), name="api-redoc"),
    path("", include("games.accounts.api_urls")),
    path("", include("games.clubs.api_urls")),
    path("", include("games.play.api.urls")),
    path("", include("analytics.api_urls")),
]
