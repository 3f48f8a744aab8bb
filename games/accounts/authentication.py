"""Who sends a request to the API: the bearer of a token, found with one query."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from knox.crypto import hash_token
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.accounts.languages import asks_for_a_language, read_as
from games.accounts.models import Token, User

LAST_USED_EVERY = timedelta(hours=1)
PREFIXES = (b"bearer", b"token")


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """Accepts `Authorization: Bearer <token>` and `Authorization: Token <token>`.

    knox's own reads every token with the same beginning and all others of the member; the digest is the
    primary key, so that one query finds the token and its member.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() not in PREFIXES:
            return None
        if len(words) != 2:
            raise AuthenticationFailed(gettext("The header is to read: Authorization: Bearer <token>."))
        found = self.authenticate_credentials(words[1])
        if not asks_for_a_language(request):
            read_as(request._request, found[0])
        return found

    def authenticate_credentials(self, token: bytes) -> tuple[User, Token]:
        now = timezone.now()
        found = (
            Token.objects.select_related("user")
            .filter(digest=hash_token(token.decode("latin-1")), user__is_active=True)
            .filter(Q(expiry__isnull=True) | Q(expiry__gt=now))
            .first()
        )
        if found is None:
            raise AuthenticationFailed(gettext("This token is unknown, expired or revoked."))
        if found.last_used_at is None or found.last_used_at <= now - LAST_USED_EVERY:
            Token.objects.filter(pk=found.pk).update(last_used_at=now)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'
