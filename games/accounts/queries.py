"""What members see of themselves."""

from django.db.models import QuerySet

from games.accounts.models import Token, User


def tokens_of(user: User) -> QuerySet[Token]:
    """Return the tokens of `user`, newest first."""
    return Token.objects.filter(user=user).order_by("-created", "digest")
