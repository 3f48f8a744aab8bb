"""In which language, and at which hours, somebody reads: the middleware that finds out, and the choice."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from games.accounts.models import User

API = "/api/"
FOR_MACHINES = "/healthz/"  # they must not need a database to say how things are
VARY = ("Accept-Language", "Cookie")


class LanguageOfMembers:
    """Lets members who are signed in read in their language and at their hours, wherever they read.

    LocaleMiddleware comes before it and serves everybody else: by cookie, else by what the browser asks for.
    In the API times stay in UTC, and `TokenAuthentication` sees to the bearers of tokens.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if path.startswith(FOR_MACHINES):
            return self.get_response(request)
        try:
            by_token = path.startswith(API) and "Authorization" in request.headers
            if not by_token and isinstance(request.user, User):
                read_as(request, request.user)
                if not path.startswith(API):
                    timezone.activate(request.user.zone)
            response = self.get_response(request)
        finally:
            timezone.deactivate()
        patch_vary_headers(response, VARY)
        return response


def read_as(request: HttpRequest, user: User) -> None:
    """Go on in the language of `user` until the request is answered."""
    translation.activate(user.language)
    request.LANGUAGE_CODE = translation.get_language() or user.language


@contextmanager
def read_by(user: User) -> Iterator[None]:
    """Speak the language of `user` at their hours for a while: to somebody who holds a link of theirs."""
    with translation.override(user.language), timezone.override(user.zone):
        yield


def asks_for_a_language(request: HttpRequest) -> bool:
    """Tell whether the request names a language that the site speaks (`*` names none)."""
    for code, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        try:
            translation.get_supported_language_variant(code)
        except LookupError:
            continue
        return True
    return False


@csrf_exempt
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the language that somebody who is not signed in chose, in a cookie; nothing hangs on it.

    So the form wants no token, and pages that hold it set no cookie by being looked at.
    """
    return set_language(request)
