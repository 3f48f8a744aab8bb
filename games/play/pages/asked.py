"""What a browser sends and how pages answer: fields of forms, sentences, who has to sign in."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest

# The site's own address for signing in; settings.LOGIN_URL is for what knows no names.
signed_in = login_required(login_url="sign-in")


def posted(request: HttpRequest, name: str) -> str:
    """Return a field of the form without NUL, which PostgreSQL does not take."""
    return request.POST.get(name, "").replace("\0", "")


def sentence(text: str) -> str:
    """Return the text of a refusal as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."
