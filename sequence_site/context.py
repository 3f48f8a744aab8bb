from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Give every template the site's name, its address, and whether it shows its own mail."""
    return {
        "SITE_NAME": settings.SITE_NAME,
        "PUBLIC_URL": settings.PUBLIC_URL,
        "HAS_INBOX": settings.HAS_INBOX,
    }
