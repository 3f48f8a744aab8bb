"""Every address of the site: the rooms' pages, the API, health."""

from django.conf import settings
from django.urls import include, path
from django.views.generic import RedirectView

from sequence_site import health

urlpatterns = [
    path("healthz/live", health.live, name="health-live"),
    path("healthz/ready", health.ready, name="health-ready"),
    # Browsers ask for it where no page names another: in the inbox, beside a file.
    path("favicon.ico", RedirectView.as_view(url=f"/{settings.STATIC_URL.strip('/')}/icon.svg")),
    path("api/v1/", include("sequence_site.api_urls")),
    path("", include("games.accounts.urls")),
    path("", include("games.mail.urls")),
    path("", include("games.clubs.urls")),
    path("", include("games.play.pages.urls")),
]

if settings.HEARS_OF_BOUNCES:
    urlpatterns.append(path("anymail/", include("anymail.urls")))

if settings.HAS_INBOX:
    urlpatterns.append(path("inbox/", include("django_mail_preview.urls")))

handler400 = "games.accounts.api_problems.bad_request"
handler403 = "games.accounts.api_problems.permission_denied"
handler404 = "games.accounts.api_problems.not_found"
handler500 = "games.accounts.api_problems.server_error"
