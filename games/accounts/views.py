"""The pages for signing in and out."""

from collections.abc import Callable
from datetime import datetime

from django import forms
from django.conf import settings
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts import services
from games.accounts.attempts import TooManyAttempts, network_of, take_attempt_from
from games.accounts.credentials import PROVED_BY_CODE
from games.accounts.forms import CodeForm, CodeRequestForm, PasswordForm
from games.accounts.models import User
from games.accounts.services import SeveralFit, SignInRefused

PROVED_AT = "address_proved_at"
BACKEND = "django.contrib.auth.backends.ModelBackend"
WRONG_PASSWORD = _("This name and this password do not go together. Try again, or have a code mailed to you.")
WRONG_CODE = _(
    "These are not the six digits of the newest mail. Look at it again, or have a new code mailed."
)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Take a password; the page also offers to mail a code."""
    form = PasswordForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        user, status = _try(form, services.sign_in_with_password, WRONG_PASSWORD)
        if user is not None:
            return start_session(request, user)
    context = {"form": form, "code_form": CodeRequestForm(), "next": _next(request)}
    return render(request, "accounts/sign_in.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Mail a code when an address is posted; take the code when that is."""
    has_code = "code" in request.POST
    asked = CodeRequestForm(None if has_code else request.POST or None)
    form = CodeForm(request.POST if has_code else None)
    sent_to, status = "", 200
    if request.method == "POST" and has_code:
        user, status = _try(form, services.sign_in_with_code, WRONG_CODE)
        sent_to = request.POST.get("sent_to", "")[:254]
        if user is not None:
            answer = start_session(request, user)
            request.session[PROVED_AT] = timezone.now().timestamp()
            return answer
    elif request.method == "POST" and asked.is_valid():
        sent_to = asked.cleaned_data["email"]
        form = CodeForm(initial={"who": sent_to})
        try:
            take_attempt_from(network_of(request), what="codes", now=timezone.now())
            services.request_codes(email=sent_to, now=timezone.now())
        except TooManyAttempts as error:
            sent_to, status = "", 429
            asked.add_error(None, str(error))
    elif request.method == "POST":
        status = 400
    context = {"form": form, "code_form": asked, "sent_to": sent_to, "next": _next(request)}
    return render(request, "accounts/sign_in_code.html", context, status=status)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect(settings.LOGIN_REDIRECT_URL)


def start_session(request: HttpRequest, user: User, *, then: str = "") -> HttpResponseRedirect:
    """Sign `user` in to the browser and go where the page wanted to go, or else to `then`."""
    login(request, user, backend=BACKEND)
    return HttpResponseRedirect(_next(request) or then or settings.LOGIN_REDIRECT_URL)


def has_proved_address(request: HttpRequest, now: datetime) -> bool:
    """Tell whether a code, mailed to an address that no organiser set, has just begun this session."""
    user = request.user
    if not isinstance(user, User) or user.address_set_at is not None:
        return False
    since = request.session.get(PROVED_AT)
    return isinstance(since, float) and 0 <= now.timestamp() - since <= PROVED_BY_CODE.total_seconds()


def _try(form: forms.Form, sign_in_with: Callable[..., User], wrong: Promise) -> tuple[User | None, int]:
    """Return the member whom the form signs in, or None and the status of the refusal, which says `wrong`."""
    if not form.is_valid():
        return None, 400
    try:
        user = sign_in_with(**form.cleaned_data, now=timezone.now())
    except SeveralFit as error:
        form.add_error("who", _who_are_you(error.members))
        return None, 403
    except SignInRefused:
        form.add_error(None, str(wrong))
        return None, 403
    except TooManyAttempts as error:
        form.add_error(None, str(error))
        return None, 429
    return user, 200


def _who_are_you(members: list[User]) -> str:
    """Ask which of several members is meant; their names are told to who knows their password only."""
    names = ", ".join(f"{member.username} ({member.get_full_name()})" for member in members)
    return gettext(
        "Several members have this address and this password. Write your sign-in name instead: %(names)s."
    ) % {"names": names}


def _next(request: HttpRequest) -> str:
    """Return the address to go to after signing in, unless it leads off the site."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    own = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if own else ""
