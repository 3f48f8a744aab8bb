from django.conf import settings
from django.http import HttpRequest

LOOPBACK = {"127.0.0.1", "::1"}


def is_allowed(request: HttpRequest) -> bool:
    """Tell whether this visitor may read the inbox: somebody on this machine, of a site that is local.

    The inbox holds sign-in links of everybody.
    """
    return bool(settings.HAS_INBOX) and request.META.get("REMOTE_ADDR") in LOOPBACK
