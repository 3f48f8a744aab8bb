"""What a browser sends and how pages answer: fields of forms, sentences, who has to sign in."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest

from games.accounts.models import User

# The site's own address for signing in; settings.LOGIN_URL is for what knows no names.
signed_in = login_required(login_url="sign-in")


def posted(request: HttpRequest, name: str) -> str:
    """Return a field of the form without NUL, which PostgreSQL does not take."""
    return request.POST.get(name, "").replace("\0", "")


def sentence(text: str) -> str:
    """Return the text of a refusal as a sentence."""
    end = "" if text.endswith((".", "?", "!")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def member_of(request: HttpRequest) -> User:
    """Return who asks, in a view that is `signed_in`."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user
