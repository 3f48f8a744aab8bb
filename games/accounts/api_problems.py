"""Every refusal of the API as a problem document (RFC 9457) with a stable `code`."""

import logging
import math
import sys
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    ValidationError,
)
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import UnreadablePostError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
AUTHENTICATE = 'Bearer realm="api"'

# code -> (status, title). Rooms above merge theirs with `CODES.update(...)` in their `api_problems.py`;
# docs/api.md lists them all.
CODES: dict[str, tuple[int, str | Promise]] = {
    "malformed": (400, _("The request cannot be read")),
    "invalid": (400, _("Some fields are not acceptable")),
    "not_signed_in": (401, _("Sign in first")),
    "bad_credentials": (401, _("These credentials are not accepted")),
    "not_allowed": (403, _("You may not do this")),
    "missing_scope": (403, _("The token lacks the scope for this")),
    "not_found": (404, _("There is no such thing here")),
    "method_not_allowed": (405, _("This address does not take that method")),
    "not_acceptable": (406, _("No such representation")),
    "length_required": (411, _("Say how long the body is")),
    "too_large": (413, _("The request is too large")),
    "unsupported_media_type": (415, _("Send application/json")),
    "throttled": (429, _("Too many requests")),
    "server_error": (500, _("The server failed")),
    "try_again": (503, _("The answer is not known; send the same request again")),
}

# What tells more than that the request is malformed; the others look like 400.
PAGES = {500: "500.html", 503: "503.html"}


class Problem(Exception):
    """A refusal with its `code`; `members` are added to the document as they are."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        rule: str | None = None,
        errors: list[dict[str, str]] | None = None,
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.rule = rule
        self.errors = errors
        self.headers = dict(headers or {})
        self.members = members

    def document(self) -> dict[str, Any]:
        title = str(CODES[self.code][1]) if self.code in CODES else HTTPStatus(self.status).phrase
        document: dict[str, Any] = {
            "type": "about:blank",
            "title": title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        if self.rule is not None:
            document["rule"] = self.rule
        if self.errors is not None:
            document["errors"] = self.errors
        return document | self.members

    def response(self) -> JsonResponse:
        return JsonResponse(
            self.document(), status=self.status, content_type=CONTENT_TYPE, headers=self.headers
        )


def invalid(field: str, message: str) -> Problem:
    """Return the refusal of one field."""
    return Problem(
        400,
        "invalid",
        f"{field}: {message}" if field else message,
        errors=[{"field": field, "message": message}],
    )


def handle(exc: Exception, _context: dict[str, Any]) -> HttpResponse | None:
    """Answer any exception of a view with a problem; None (a fault of ours) re-raises it."""
    problem = problem_of(exc)
    if problem is None:
        return None
    # The framework's views import the parsers, which import this module.
    from rest_framework.views import set_rollback

    set_rollback()
    return problem.response()


def problem_of(exc: Exception) -> Problem | None:
    """Return the problem that `exc` means, or None where it means a fault of the server."""
    if isinstance(exc, Problem):
        return exc
    if isinstance(exc, exceptions.APIException):
        return _of_framework(exc)
    if isinstance(exc, Http404):
        return Problem(404, "not_found", gettext("Nothing is here, or nothing that you may see."))
    if isinstance(exc, PermissionDenied):
        return Problem(403, "not_allowed", str(exc) or gettext("You may not do this."))
    if isinstance(exc, ValidationError):
        messages = exc.message_dict if hasattr(exc, "error_dict") else {"": exc.messages}
        return _of_validation(messages)
    if isinstance(exc, RequestDataTooBig):
        return Problem(413, "too_large", gettext("The body is larger than this address takes."))
    if isinstance(exc, BadRequest | SuspiciousOperation | TooManyFieldsSent | UnreadablePostError):
        return Problem(400, "malformed", gettext("The request cannot be read."))
    if isinstance(exc, OperationalError | InterfaceError):
        return _database_away(exc)
    return None


def _database_away(exc: Exception) -> Problem:
    """Return the refusal for want of the database, of a lock or of time: none of it lasts."""
    logger.error("The database did not do what it was asked", exc_info=exc)
    detail = gettext("The database did not answer in time; send the same request again.")
    return Problem(503, "try_again", detail, headers={"Retry-After": "1"})


def _of_framework(exc: exceptions.APIException) -> Problem | None:
    detail = str(exc.detail) if isinstance(exc.detail, str) else ""
    match exc:
        case exceptions.ValidationError():
            return _of_validation(exc.detail)
        case exceptions.ParseError():
            return Problem(400, "malformed", detail, errors=[{"field": "", "message": detail}])
        case exceptions.NotAuthenticated():
            return Problem(401, "not_signed_in", detail, headers={"WWW-Authenticate": AUTHENTICATE})
        case exceptions.AuthenticationFailed():
            return Problem(401, "bad_credentials", detail, headers={"WWW-Authenticate": AUTHENTICATE})
        case exceptions.PermissionDenied():
            code = exc.get_codes()
            known = code if isinstance(code, str) and code in CODES else "not_allowed"
            return Problem(403, known, detail)
        case exceptions.NotFound():
            return Problem(404, "not_found", gettext("Nothing is here, or nothing that you may see."))
        case exceptions.MethodNotAllowed():
            return Problem(405, "method_not_allowed", detail)
        case exceptions.NotAcceptable():
            return Problem(406, "not_acceptable", detail)
        case exceptions.UnsupportedMediaType():
            return Problem(415, "unsupported_media_type", detail)
        case exceptions.Throttled():
            seconds = max(1, math.ceil(getattr(exc, "wait", None) or 1))
            wait = ngettext("Try again in %(seconds)s second.", "Try again in %(seconds)s seconds.", seconds)
            detail = wait % {"seconds": str(seconds)}
            return Problem(429, "throttled", detail, headers={"Retry-After": str(seconds)})
    return None


def _of_validation(detail: Any) -> Problem:
    errors = [{"field": field, "message": message} for field, message in _flatten(detail, ())]
    first = errors[0]
    summary = f"{first['field']}: {first['message']}" if first["field"] else first["message"]
    return Problem(400, "invalid", summary, errors=errors)


def _flatten(detail: Any, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (field path such as `lines.0.spaces`, message) from the nested errors of a serialiser."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            own = () if key in {"non_field_errors", "__all__", ""} else (str(key),)
            yield from _flatten(inner, path + own)
    elif isinstance(detail, list | tuple):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, Mapping | list | tuple)
            yield from _flatten(inner, (*path, str(index)) if nested else path)
    else:
        yield ".".join(path), str(detail)


# Django's own views of errors look for the CSRF token, which reads the body again: where that was the error,
# it would be raised a second time, now with nobody to answer it.


def answer(request: HttpRequest, problem: Problem) -> HttpResponse:
    """Answer with the problem below /api/, with a page that asks nothing of anybody elsewhere."""
    if _is_api(request):
        return problem.response()
    page = render_to_string(PAGES.get(problem.status, "400.html"))
    return HttpResponse(page, status=problem.status, headers=problem.headers)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer an address that does not exist: a problem below /api/, a page elsewhere."""
    if _is_api(request):
        return Problem(404, "not_found", gettext("Nothing is here, or nothing that you may see.")).response()
    return render(request, "404.html", status=404)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer what this member may not do."""
    if _is_api(request):
        return Problem(403, "not_allowed", gettext("You may not do this.")).response()
    return render(request, "403.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a fault without telling more than whether to try again."""
    error = sys.exception()
    if isinstance(error, OperationalError | InterfaceError):
        return answer(request, _database_away(error))
    return answer(request, Problem(500, "server_error", gettext("The server failed; the fault is logged.")))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django itself refused."""
    problem = problem_of(exception) or Problem(400, "malformed", gettext("The request cannot be read."))
    return answer(request, problem)


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")
