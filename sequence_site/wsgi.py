"""The site as a WSGI application, for which no header is a fault of its own."""

import os
from typing import Any

import django
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sequence_site.settings")


class Request(WSGIRequest):
    """Survives any Content-Type; RequestLimits refuses those that could not be read."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except (LookupError, ValueError, SuspiciousOperation):
            # `charset=hex` is a codec but no letters, `charset*=x''y` no charset at all, and with any charset
            # Django reads the address here, however long. Nobody answers what is raised here.
            self.content_type, self.content_params = "", {"charset": "unknown"}
            self._encoding = None


class Handler(WSGIHandler):
    request_class = Request


django.setup(set_prefix=False)
application = Handler()
