"""The page behind an invitation's link."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts.models import Language, User
from games.accounts.services import UsernameTaken
from games.accounts.views import start_session
from games.clubs import queries, services
from games.clubs.forms import NewMemberForm


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Show an invitation; accept it when posted, since scanners of mail open every link."""
    now = timezone.now()
    found = queries.valid_invitation(code, now)
    if found is None:
        return render(request, "clubs/invitation_not_valid.html", status=404)
    form = NewMemberForm(request.POST if request.method == "POST" else None)
    context = {"invitation": found, "form": form, "member": None}
    user = request.user
    if isinstance(user, User):
        context["member"] = user
        if request.method == "POST":
            return _accept(request, code, user)
        return render(request, "clubs/invitation.html", context)
    if request.method == "POST" and form.is_valid():
        try:
            membership = services.accept_as_new_member(
                code=code, language=_language(), now=now, **form.cleaned_data
            )
        except UsernameTaken:
            form.add_error("username", "Somebody else has this name.")
        except services.InvitationNotValid:
            return render(request, "clubs/invitation_not_valid.html", status=404)
        else:
            return start_session(request, membership.user)
    # Never a 4xx here: Django writes the address of those into its log, and this one is a secret.
    return render(request, "clubs/invitation.html", context)


def _accept(request: HttpRequest, code: str, user: User) -> HttpResponse:
    try:
        services.accept_invitation(code=code, user=user, now=timezone.now())
    except services.AlreadyMember:
        return redirect("/")
    except services.InvitationNotValid:
        return render(request, "clubs/invitation_not_valid.html", status=404)
    return redirect("/")


def _language() -> str:
    language = get_language() or ""
    return language if language in Language.values else Language.ENGLISH
