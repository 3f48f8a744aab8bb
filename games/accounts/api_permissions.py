"""What a token may do; a session sign-in may do everything its member may."""

from typing import Any, Self

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from games.accounts.models import Token


class HasScope(BasePermission):
    """Asks for a signed-in member whose token, if it is one, carries `scope`; reading asks for `read`.

    Written as `permission_classes = [HasScope("play")]`. With `anyone_reads` nobody needs to sign in to
    read, but a token that is sent must still carry `read`.
    """

    code = "missing_scope"

    def __init__(self, scope: str, *, anyone_reads: bool = False) -> None:
        self.scope = scope
        self.anyone_reads = anyone_reads

    def __call__(self) -> Self:
        # The framework calls what it finds in `permission_classes`, expecting a class.
        return self

    def has_permission(self, request: Request, view: Any) -> bool:
        needed = "read" if request.method in SAFE_METHODS else self.scope
        if isinstance(request.auth, Token):
            return needed in request.auth.scopes.split()
        if request.user.is_authenticated:
            return True
        return self.anyone_reads and needed == "read"

    @property
    def message(self) -> str:
        return f"The token lacks a scope for this: reading needs read, the rest needs {self.scope}."
