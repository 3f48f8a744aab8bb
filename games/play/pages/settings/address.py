"""A member's own address: asked for in the settings, agreed to on the page of a link that is mailed to it."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts import credentials
from games.accounts.attempts import TooManyAttempts
from games.accounts.models import User, one_row
from games.clubs import own_address
from games.mail.rendering import speaking_to
from games.play.pages.answers import Answer, Done, refused


class OwnAddressForm(forms.Form):
    """The address to which a member's mail is to go."""

    email = forms.EmailField(
        label=_("New address"),
        max_length=254,
        validators=[one_row],
        error_messages={
            "required": _("Write the address."),
            "invalid": _("This is no whole address: it looks like name@example.org."),
        },
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    password = forms.CharField(
        label=_("Your password now"),
        max_length=128,
        strip=False,
        error_messages={"required": _("Write the password that you have now.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *, asks_password: bool, data: Any = None) -> None:
        super().__init__(data, auto_id="address_%s")
        if not asks_password:
            del self.fields["password"]


def ask_for_address(request: HttpRequest, user: User, *, asks_password: bool) -> Answer:
    """Have a link mailed to the address that is posted."""
    form = OwnAddressForm(asks_password=asks_password, data=request.POST)
    if form.is_valid():
        email = form.cleaned_data["email"]
        try:
            if asks_password:
                credentials.check_password(
                    user=user, password=form.cleaned_data["password"], now=timezone.now()
                )
            own_address.ask_for_address(member=user, email=email, now=timezone.now())
        except credentials.WrongPassword:
            form.add_error("password", gettext("This is not your password."))
        except own_address.SameAddress:
            form.add_error("email", gettext("This is your address already."))
        except own_address.AddressTakesNoMail:
            form.add_error("email", gettext("Mail to this address comes back: choose another."))
        except TooManyAttempts as error:
            form.add_error(None, str(error))
            return refused("address_form", form, 429)
        else:
            told = gettext(
                "A mail is on its way to %(email)s. Open its link within an hour and say yes there."
            )
            return Done(told % {"email": email}, "address")
    return refused("address_form", form)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether the address is to be the member's, since scanners of mail open every link; then set it."""
    now = timezone.now()
    try:
        asked = own_address.read_token(token, now=now)
        if request.method == "POST":
            own_address.set_own_address(token=token, now=now)
    except own_address.LinkNotGood:
        return render(request, "accounts/address.html", status=404)
    with speaking_to(asked.member):
        context = {"asked": asked, "is_done": request.method == "POST"}
        return render(request, "accounts/address.html", context)
