"""The API's addresses, below /api/v1/: each room lists its own in `api_urls.py`."""

from importlib.util import find_spec

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularRedocView, SpectacularSwaggerView

ROOMS = ("games.accounts", "games.clubs", "games.play", "games.bots", "analytics")

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerView.as_view(url_name="api-schema"), name="api-docs"),
    path("redoc/", SpectacularRedocView.as_view(url_name="api-schema"), name="api-redoc"),
    *(path("", include(f"{room}.api_urls")) for room in ROOMS if find_spec(f"{room}.api_urls")),
]
