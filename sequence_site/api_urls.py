"""The API's addresses, below /api/v1/: each room lists its own in `api_urls.py`."""

from importlib.util import find_spec

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularRedocView, SpectacularSwaggerView

ROOMS = ("games.accounts", "games.clubs", "games.play", "games.bots", "analytics")

# The pages of the schema cannot answer OPTIONS: they would look for a template to render it with.
PAGE = {"url_name": "api-schema", "http_method_names": ["get", "head"]}

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerView.as_view(**PAGE), name="api-docs"),
    path("redoc/", SpectacularRedocView.as_view(**PAGE), name="api-redoc"),
    *(path("", include(f"{room}.api_urls")) for room in ROOMS if find_spec(f"{room}.api_urls")),
]
