"""What no view should see: bodies that are too large, and NUL in an address."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.accounts.api_problems import Problem

NUL = "\x00"


class RequestLimits:
    """Refuses before anything is read: 413 by the declared length, 400 for NUL in path or query.

    A body without a length is empty to WSGI, so the declared length is the whole truth. PostgreSQL stores
    no NUL, and an address with one is nobody's honest request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._refusal(request) or self.get_response(request)

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            return Problem(HTTPStatus.BAD_REQUEST, "malformed", "Content-Length is no number.").response()
        if length > limit:
            detail = f"A body may have {limit:,} bytes at most."
            refusal = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", detail).response()
            # The body was not read, so the connection is of no further use.
            refusal["Connection"] = "close"
            return refusal
        if (
            NUL in request.path
            or NUL in request.META.get("QUERY_STRING", "")
            or "%00" in request.META.get("QUERY_STRING", "")
        ):
            return Problem(HTTPStatus.BAD_REQUEST, "malformed", "An address may not contain NUL.").response()
        return None
