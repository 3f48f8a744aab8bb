"""Every address of the site: the rooms' pages, the API, health."""

from importlib.util import find_spec

from django.conf import settings
from django.urls import include, path

from sequence_site import health

ROOMS = ("games.accounts", "games.clubs", "games.play", "games.bots", "analytics")

urlpatterns = [
    path("healthz/live", health.live, name="health-live"),
    path("healthz/ready", health.ready, name="health-ready"),
    path("api/v1/", include("sequence_site.api_urls")),
    *(path("", include(f"{room}.urls")) for room in ROOMS if find_spec(f"{room}.urls")),
]

if settings.HAS_INBOX:
    urlpatterns.append(path("inbox/", include("django_mail_preview.urls")))

handler400 = "games.accounts.api_problems.bad_request"
handler404 = "games.accounts.api_problems.not_found"
handler500 = "games.accounts.api_problems.server_error"
