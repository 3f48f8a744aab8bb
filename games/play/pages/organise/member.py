"""The page of a member for organisers of their club: the role, and an address that does not work."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts.models import User, one_row
from games.clubs import addresses, services
from games.clubs.models import Club, Membership
from games.clubs.queries import members
from games.mail.queries import mail_health
from games.play.models import Game, Seat, Status
from games.play.pages.answers import marked_in
from games.play.pages.asked import member_of, posted, signed_in
from games.play.pages.lists import IN_A_LIST, game_lines
from games.play.pages.organise.frame import ROLES, club_to_organise, mail_words
from games.play.telling import words

ALSO_ELSEWHERE = _(
    "This member is or was in another club too. Only who organises all of their clubs can correct the "
    "address."
)


class RoleForm(forms.Form):
    role = forms.ChoiceField(
        label=_("Role in the club"),
        choices=list(ROLES.items()),
        help_text=_("Organisers invite people and settle what a game leaves open."),
        error_messages={"invalid_choice": _("Choose one of the roles in the list.")},
    )

    def __init__(self, membership: Membership, data: Any = None) -> None:
        super().__init__(data, initial={"role": membership.role})


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=_("The right address"),
        max_length=254,
        validators=[one_row],
        error_messages={
            "required": _("Write the address."),
            "invalid": _("This is no whole address: it looks like name@example.org."),
        },
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom a form is about, and who sent it."""

    request: HttpRequest
    organiser: User
    club: Club
    membership: Membership


Answer = str | HttpResponse


@never_cache
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def organise_member(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Show a member to an organiser; carry out the form that is posted."""
    club = club_to_organise(request, slug)
    membership = members(club).filter(user__uuid=uuid).first()
    if membership is None:
        raise Http404
    asked = Asked(request, member_of(request), club, membership)
    if request.method != "POST":
        return _page(asked)
    deed = DEEDS.get(posted(request, "deed"))
    if deed is None:
        return _page(asked, alert=gettext("This form is not known. Nothing was changed."), status=400)
    answer = deed(asked)
    if isinstance(answer, HttpResponse):
        return answer
    messages.success(request, answer)
    return HttpResponseRedirect(_address_after(asked))


def _address_after(asked: Asked) -> str:
    """Return the page of the member, or that of the club if the member is in it no more."""
    user, slug = asked.membership.user, asked.club.slug
    if members(asked.club).filter(user=user).exists():
        return reverse("organise-member", args=[slug, user.uuid])
    return reverse("club-organise", args=[slug])


def _change_role(asked: Asked) -> Answer:
    form = RoleForm(asked.membership, asked.request.POST)
    if form.is_valid():
        try:
            services.change_role(club=asked.club, user=asked.membership.user, role=form.cleaned_data["role"])
        except services.LastOrganiser:
            form.add_error("role", gettext("A club needs an organiser. Make another member organiser first."))
        except Membership.DoesNotExist:
            raise Http404 from None
        else:
            return gettext("The role is changed.")
    return _page(asked, role_form=form, alert=_nothing_done(), status=422)


def _put_out(asked: Asked) -> Answer:
    if asked.membership.user == asked.organiser:
        return _page(asked, alert=gettext("You leave the club on its own page."), status=409)
    with suppress(Membership.DoesNotExist):  # put out already, by a second click
        services.leave_club(club=asked.club, user=asked.membership.user, now=timezone.now())
    name = asked.membership.user.get_full_name()
    return gettext("%(name)s is not in the club any more.") % {"name": name}


def _correct_address(asked: Asked) -> Answer:
    form = AddressForm({"email": posted(asked.request, "email")})
    if not form.is_valid():
        return _page(asked, address_form=form, alert=_nothing_done(), status=422)
    email = form.cleaned_data["email"]
    if email.lower() == asked.membership.user.email.lower() and email:
        return gettext("This is the address of the member.")
    try:
        addresses.correct_address(
            organiser=asked.organiser,
            club=asked.club,
            member=asked.membership.user,
            email=email,
            now=timezone.now(),
        )
    except addresses.AlsoElsewhere:
        return _page(asked, alert=str(ALSO_ELSEWHERE), status=403)
    except addresses.AddressMayNotBeChanged:
        alert = gettext("The address works, so only the member decides about it. Nothing was changed.")
        return _page(asked, alert=alert, status=403)
    except addresses.AddressNotGood:
        form.add_error(
            "email",
            gettext("Choose another address: mail to this one comes back too, or it is your own."),
        )
        return _page(asked, address_form=form, alert=_nothing_done(), status=422)
    return gettext("The address is corrected, and a mail tells the member. Let stopped clocks go on below.")


def _try_again(asked: Asked) -> Answer:
    try:
        addresses.try_again(
            organiser=asked.organiser, club=asked.club, member=asked.membership.user, now=timezone.now()
        )
    except addresses.AddressMayNotBeChanged:
        return _page(asked, alert=gettext("Mail to this address is not held up."), status=409)
    return gettext("Mail goes to this address again. Let stopped clocks go on below.")


DEEDS: dict[str, Callable[[Asked], Answer]] = {
    "role": _change_role,
    "address": _correct_address,
    "try_again": _try_again,
    "put_out": _put_out,
}


def _nothing_done() -> str:
    return gettext("Nothing was changed yet: see the marked field, put it right and send it again.")


def _page(
    asked: Asked,
    *,
    role_form: RoleForm | None = None,
    address_form: AddressForm | None = None,
    alert: str = "",
    status: int = 200,
) -> HttpResponse:
    user, now = asked.membership.user, timezone.now()
    held = Seat.objects.filter(member=user, is_active=True).values("game_id")
    running = Game.objects.filter(club=asked.club, pk__in=held, status=Status.ACTIVE)
    context = {
        "club": asked.club,
        "member": User.objects.get(pk=user.pk),
        "alert": alert,
        "marked": marked_in(*(form for form in (role_form, address_form) if form is not None)),
        "is_self": user == asked.organiser,
        "zone": words.zone_of(asked.organiser),
        "role_form": role_form or RoleForm(asked.membership),
        "may_correct": addresses.may_correct(organiser=asked.organiser, club=asked.club, member=user),
        "may_try_again": addresses.needs_correction(organiser=asked.organiser, club=asked.club, member=user),
        "also_elsewhere": ALSO_ELSEWHERE,
        "address_form": address_form or AddressForm(),
        "running": game_lines(running.order_by("-is_paused", "pk"), IN_A_LIST, now=now),
        "mail": mail_words(mail_health(user)),
        "here": reverse("organise-member", args=[asked.club.slug, user.uuid]),
    }
    return render(asked.request, "play/organise_member.html", context, status=status)
