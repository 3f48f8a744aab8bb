"""What no view should see: bodies that are too large or of unknown length or letters, and NUL."""

import codecs
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.accounts.api_problems import Problem, answer

NUL = "\x00"
WITH_BODY = ("POST", "PUT", "PATCH", "DELETE")
MOST_DRAINED = 32 * 1024 * 1024


class RequestLimits:
    """Refuses before anything is read: too long (413), of unknown length (411), or no text of ours (400).

    A body without a length is empty to Django, so the declared length is the whole truth. PostgreSQL stores
    no NUL, and an address with one is nobody's honest request; a cookie with one is no cookie of ours, and
    passed over like any that is out of date. What the API answers a member is marked as private.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = _refusal_of_body(request) or _refusal_of_text(request)
        if refusal is not None:
            _drain(request)
            return answer(request, refusal)
        # Django's reader of cookies turns an escape such as "\000" into the letter.
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if NUL not in value}
        return _kept_private(request, self.get_response(request))


def _kept_private(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let nobody store what the API answers a member, unless its view says otherwise."""
    is_answer_of_api = request.path.startswith("/api/") and not response.has_header("Cache-Control")
    user = getattr(request, "user", None) if is_answer_of_api else None
    if user is not None and user.is_authenticated:
        response["Cache-Control"] = "private, no-store"
    return response


def _drain(request: HttpRequest) -> None:
    """Read and forget a refused body, up to a bound: many clients listen only once all is sent."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    left = min(int(length), MOST_DRAINED) if length.isdecimal() else 0
    while left > 0:
        piece = request.META["wsgi.input"].read(min(left, 65536))
        if not piece:
            return
        left -= len(piece)


def _refusal_of_body(request: HttpRequest) -> Problem | None:
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if request.method in WITH_BODY and request.META.get("HTTP_TRANSFER_ENCODING"):
        detail = "Send the body in one piece, with Content-Length; chunks are not read."
        return Problem(HTTPStatus.LENGTH_REQUIRED, "length_required", detail)
    try:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return Problem(HTTPStatus.BAD_REQUEST, "malformed", "Content-Length is no number.")
    if length > limit:
        detail = f"A body may have {limit:,} bytes at most."
        return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", detail)
    return None


def _refusal_of_text(request: HttpRequest) -> Problem | None:
    query = request.META.get("QUERY_STRING", "")
    if NUL in request.path or NUL in query or "%00" in query:
        return Problem(HTTPStatus.BAD_REQUEST, "malformed", "An address may not contain NUL.")
    # Whatever is named here Django would decode the address with as well.
    if not _is_utf8((request.content_params or {}).get("charset", "utf-8")):
        return Problem(HTTPStatus.BAD_REQUEST, "malformed", "Everything is to be sent in UTF-8.")
    return None


def _is_utf8(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name in {"utf-8", "ascii"}
    except (LookupError, ValueError):
        return False
