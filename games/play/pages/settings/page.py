"""The page on which members say who they are, how mail comes, and what signs them in."""

import secrets
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.accounts import credentials, queries, services
from games.accounts.attempts import TooManyAttempts
from games.accounts.models import User
from games.accounts.preference_forms import AboutMeForm, MailForm, NewPasswordForm, TokenForm
from games.accounts.views import has_proved_address
from games.mail.queries import mail_health
from games.mail.services import mail_again
from games.play.pages.answers import Answer, Done, Shown, go_back, refused
from games.play.pages.asked import member_of, posted, signed_in
from games.play.pages.organise.frame import mail_words
from games.play.pages.settings import of_play as settings_of_play
from games.play.pages.settings.address import OwnAddressForm, ask_for_address

KEY_BYTES = 18


@never_cache
@signed_in
@sensitive_post_parameters("current", "new", "password")
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show the settings of the viewer; carry out the form that is posted."""
    user = member_of(request)
    if request.method != "POST":
        return _page(request, user, Shown(200))
    deed = DEEDS.get(posted(request, "deed"))
    if deed is None:
        return _page(request, user, Shown(400, gettext("This form is not known. Nothing was changed.")))
    answer = deed(request, user)
    if isinstance(answer, Shown):
        return _page(request, user, answer)
    return go_back(request, answer, reverse("settings"))


def _page(request: HttpRequest, user: User, shown: Shown) -> HttpResponse:
    # A form that was refused may have left its values on `user`; the page shows what is stored.
    stored = User.objects.get(pk=user.pk)
    context: dict[str, Any] = {
        "alert": shown.alert,
        "zone": str(stored.zone),
        "mail_trouble": mail_words(health := mail_health(stored)),
        "is_suppressed": bool(health.suppressed),
        "me_form": AboutMeForm(stored),
        "address_form": OwnAddressForm(asks_password=_asks_current(request, stored)),
        "mail_form": MailForm(stored),
        "password_form": NewPasswordForm(asks_current=_asks_current(request, stored)),
        "has_password": stored.has_usable_password(),
        "token_form": TokenForm(),
        "tokens": list(queries.tokens_of(stored)[:100]),
        "key": secrets.token_urlsafe(KEY_BYTES),
    }
    context |= settings_of_play.context_of_play(stored)
    return render(request, "play/settings.html", context | shown.context, status=shown.status)


def _change_me(request: HttpRequest, user: User) -> Answer:
    form = AboutMeForm(user, request.POST)
    if not form.is_valid():
        return refused("me_form", form)
    services.change_preferences(user=user, **form.cleaned_data)
    with translation.override(user.language):
        return Done(gettext("Your settings are saved."), "me")


def _mail_again(request: HttpRequest, user: User) -> Answer:
    try:
        mail_again(member=user, now=timezone.now())
    except TooManyAttempts as error:
        return Shown(429, str(error))
    return Done(gettext("Mail goes to your address again."), "mail")


def _change_mail(request: HttpRequest, user: User) -> Answer:
    form = MailForm(user, request.POST)
    if not form.is_valid():
        return refused("mail_form", form)
    services.change_preferences(user=user, **form.cleaned_data)
    return Done(gettext("Your mail will come as you said."), "mail")


def _change_address(request: HttpRequest, user: User) -> Answer:
    return ask_for_address(request, user, asks_password=_asks_current(request, user))


def _asks_current(request: HttpRequest, user: User) -> bool:
    return user.has_usable_password() and not has_proved_address(request, timezone.now())


def _change_password(request: HttpRequest, user: User) -> Answer:
    form = NewPasswordForm(asks_current=_asks_current(request, user), data=request.POST)
    if form.is_valid():
        try:
            credentials.change_password(
                user=user,
                current=form.current_password,
                new=form.cleaned_data["new"],
                now=timezone.now(),
            )
        except credentials.WrongPassword:
            _say_wrong(form)
        except TooManyAttempts as error:
            form.add_error(None, str(error))
            return refused("password_form", form, 429)
        except ValidationError as error:
            form.add_error("new", error)
        else:
            update_session_auth_hash(request, user)
            return Done(gettext("Your new password is set."), "password")
    return refused("password_form", form)


def _give_up_password(request: HttpRequest, user: User) -> Answer:
    form = NewPasswordForm(asks_current=_asks_current(request, user), data=request.POST)
    del form.fields["new"]
    if form.is_valid():
        try:
            credentials.give_up_password(user=user, current=form.current_password, now=timezone.now())
        except credentials.WrongPassword:
            _say_wrong(form)
        except TooManyAttempts as error:
            form.add_error(None, str(error))
            return refused("give_up_form", form, 429)
        else:
            update_session_auth_hash(request, user)
            return Done(gettext("You have no password any more: a mailed code signs you in."), "password")
    return refused("give_up_form", form)


def _say_wrong(form: forms.Form) -> None:
    form.add_error(
        "current",
        gettext(
            "This is not your password. If you have forgotten it, sign out, sign in with a mailed code, "
            "and set a new one here."
        ),
    )


def _make_token(request: HttpRequest, user: User) -> Answer:
    form = TokenForm(request.POST)
    if not form.is_valid():
        return refused("token_form", form)
    # The text of a token can be shown once only, so a second click must bring one as well: it takes the
    # place of the first.
    key = posted(request, "key")[:200]
    made = request.session.get("token_made", {})
    if key and made.get("key") == key:
        services.revoke_token(user=user, public_id=UUID(made["token"]))
    token, text = services.issue_token(user=user, **form.cleaned_data)
    request.session["token_made"] = {"key": key, "token": str(token.public_id)}
    return Shown(201, context={"new_token": token, "token_text": text})


def _revoke_token(request: HttpRequest, user: User) -> Answer:
    try:
        public_id = UUID(posted(request, "token"))
    except ValueError:
        return Shown(400, gettext("Choose the token that is to end."))
    services.revoke_token(user=user, public_id=public_id)
    return Done(gettext("The token does not work any more."), "tokens")


DEEDS: dict[str, Callable[[HttpRequest, User], Answer]] = {
    "me": _change_me,
    "address": _change_address,
    "mail": _change_mail,
    "mail_again": _mail_again,
    "password": _change_password,
    "password_off": _give_up_password,
    "token": _make_token,
    "revoke": _revoke_token,
    **settings_of_play.DEEDS,
}
