"""The pages that found a club and let people into it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts.attempts import TooManyAttempts
from games.accounts.forms import plain_name
from games.accounts.models import Language, User
from games.accounts.services import UsernameTaken
from games.accounts.views import start_session
from games.clubs import queries, services
from games.clubs.forms import InvitationForm, NewClubForm, NewMemberForm
from games.clubs.models import Club, Invitation, Membership, Role


@never_cache
@login_required(login_url="sign-in")
@require_http_methods(["GET", "HEAD", "POST"])
def new_club(request: HttpRequest) -> HttpResponse:
    """Found a club; whoever does is its first organiser."""
    form = NewClubForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        user = request.user
        if isinstance(user, User) and form.is_valid():
            try:
                club = services.create_club(organiser=user, now=timezone.now(), **form.cleaned_data)
            except services.SlugTaken as error:
                form.refuse_slug(str(error))
            else:
                messages.success(request, gettext("%(club)s is founded.") % {"club": club.name})
                return redirect("club", club.slug)
        status = 422
    return render(request, "clubs/new_club.html", {"form": form}, status=status)


@never_cache
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Mail an invitation into a club, for its organisers."""
    user, here = request.user, reverse("club", args=[slug])
    if not isinstance(user, User):
        return redirect_to_login(here, reverse("sign-in"))
    club = get_object_or_404(queries.visible_clubs(user), slug=slug)
    if club.role != Role.ORGANISER:  # type: ignore[attr-defined]
        raise PermissionDenied
    form = InvitationForm(request.POST)
    from_organising = request.POST.get("from") == "organise"
    status = 422
    if form.is_valid():
        email = form.cleaned_data["email"]
        try:
            services.invite(club=club, by=user, now=timezone.now(), **form.cleaned_data)
        except TooManyAttempts as error:
            form.add_error(None, str(error))
            status = 429
        else:
            told = gettext("An invitation is on its way to %(email)s.") % {"email": email}
            if from_organising:
                messages.success(request, told, extra_tags="at-invite")
                return HttpResponseRedirect(f"{reverse('club-organise', args=[slug])}#invite")
            messages.success(request, told)
            return HttpResponseRedirect(here)
    context = {"club": club, "invite_form": form, "from_organising": from_organising}
    return render(request, "clubs/invite.html", context, status=status)


@never_cache
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the member who asks leave a club; the last organiser stays."""
    user, here = request.user, reverse("club", args=[slug])
    if not isinstance(user, User):
        return redirect_to_login(here, reverse("sign-in"))
    club = get_object_or_404(queries.visible_clubs(user), slug=slug)
    try:
        services.leave_club(club=club, user=user, now=timezone.now())
    except services.LastOrganiser:
        alert = gettext("A club needs an organiser. Make another member organiser first.")
        messages.error(request, alert)
        return HttpResponseRedirect(here)
    except Membership.DoesNotExist:
        pass  # left already, by a second click
    messages.success(request, gettext("You have left %(club)s.") % {"club": club.name})
    return redirect("start")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Show an invitation; accept it when posted, since scanners of mail open every link."""
    found = queries.invitation_by(code)
    user = request.user
    if found is not None and isinstance(user, User) and queries.membership_of(user, found.club) is not None:
        return render(request, "clubs/already_member.html", {"club": found.club})
    if found is None or queries.valid_invitation(code, timezone.now()) is None:
        return _not_valid(request, found)
    if isinstance(user, User):
        if request.method == "POST":
            return _accept(request, found, code, user)
        return render(request, "clubs/invitation.html", {"invitation": found, "member": user})
    by = found.invited_by
    form = NewMemberForm(
        request.POST if request.method == "POST" else None, zone="UTC" if by is None else str(by.zone)
    )
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        if form.is_suggested:
            chosen["username"] = _free_name(chosen["username"])
        try:
            membership = services.accept_as_new_member(
                code=code, language=_language(), now=timezone.now(), **chosen
            )
        except UsernameTaken as error:
            _suggest_another(form, str(error))
        except services.InvitationNotValid:
            return _not_valid(request, queries.invitation_by(code))
        else:
            return _welcome_new(request, found.club, membership.user)
    # Never a 4xx here: Django writes the address of those into its log, and this one is a secret.
    return render(request, "clubs/invitation.html", {"invitation": found, "form": form, "member": None})


def _accept(request: HttpRequest, found: Invitation, code: str, user: User) -> HttpResponse:
    try:
        services.accept_invitation(code=code, user=user, now=timezone.now())
    except services.AlreadyMember:
        return redirect("club", found.club.slug)
    except services.InvitationNotValid:
        return _not_valid(request, queries.invitation_by(code))
    messages.success(request, gettext("Welcome to %(club)s.") % {"club": found.club.name})
    return redirect("club", found.club.slug)


def _welcome_new(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    welcome = gettext(
        "Welcome to %(club)s, %(name)s. Next time, sign in with a code that is mailed to %(email)s."
    )
    messages.success(
        request, welcome % {"club": club.name, "name": user.get_full_name(), "email": user.email}
    )
    return start_session(request, user, then=reverse("club", args=[club.slug]))


def _not_valid(request: HttpRequest, found: Invitation | None) -> HttpResponse:
    """Say what became of an invitation; whoever has its code may know."""
    context: dict[str, Any] = {
        "invitation": found,
        "is_used": found is not None and found.accepted_at is not None,
    }
    return render(request, "clubs/invitation_not_valid.html", context, status=404)


def _suggest_another(form: NewMemberForm, taken: str) -> None:
    free = _free_name(taken)
    form.add_error(
        "username",
        gettext("Somebody else has the name “%(taken)s”. How about “%(free)s”?")
        % {"taken": taken, "free": free}
        if free != taken
        else gettext("Somebody else has this name."),
    )
    form.suggest(free)


def _free_name(wished: str) -> str:
    """Return the wished sign-in name, or one like it that nobody has; itself again if all are taken."""
    names = [wished, *(f"{plain_name(wished, most=37)}-{number}" for number in range(2, 100))]
    taken = set(User.objects.filter(username__in=names).values_list("username", flat=True))
    return next((name for name in names if name not in taken), wished)


def _language() -> str:
    language = get_language() or ""
    return language if language in Language.values else Language.ENGLISH
