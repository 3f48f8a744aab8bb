"""What a token may do; a session sign-in may do everything its member may."""

from typing import Any

from django.utils.translation import gettext
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from games.accounts.api_problems import Problem
from games.accounts.models import Token


class ScopePermission(BasePermission):
    """Asks for a signed-in member whose token, if it is one, carries `scope`; reading asks for `read`."""

    scope = "play"
    anyone_reads = False
    code = "missing_scope"

    def has_permission(self, request: Request, view: Any) -> bool:
        needed = "read" if request.method in SAFE_METHODS else self.scope
        self.message = f"The token lacks the scope {needed}."
        if isinstance(request.auth, Token):
            return needed in request.auth.scope_list
        if request.user.is_authenticated:
            return True
        return self.anyone_reads and request.method in SAFE_METHODS


def require_scope(request: Request, scope: str) -> None:
    """Refuse a token without `scope`, where what is asked for decides which scope it takes."""
    if isinstance(request.auth, Token) and scope not in request.auth.scope_list:
        raise Problem(
            403, "missing_scope", gettext("The token lacks the scope %(scope)s.") % {"scope": scope}
        )


def HasScope(scope: str, *, anyone_reads: bool = False) -> type[ScopePermission]:  # noqa: N802 - makes a class
    """Return the permission for views: `permission_classes = [HasScope("play")]`.

    With `anyone_reads` nobody needs to sign in to read, but a token that is sent must still carry `read`.
    """
    return type(f"HasScope_{scope}", (ScopePermission,), {"scope": scope, "anyone_reads": anyone_reads})
