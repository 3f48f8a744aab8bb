"""How sign-in and refusals are described in the OpenAPI schema."""

import re
from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema as FrameworkAutoSchema
from rest_framework import serializers
from rest_framework.permissions import AllowAny

from games.accounts.api_permissions import ScopePermission
from games.accounts.api_problems import CONTENT_TYPE


class FieldFaultSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(
        allow_blank=True, help_text="Path such as `lines.0`; empty for the whole body."
    )
    message = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """A refusal (RFC 9457); other members may be there, such as `version`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField(help_text="Stable: programs go by this.")
    rule = serializers.CharField(required=False, help_text="The rule that refuses, such as `R8`.")
    errors = FieldFaultSerializer(many=True, required=False)  # type: ignore[assignment]


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "games.accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from `POST /api/v1/auth/tokens`, with the scopes read, play, organise.",
        }


def problems(*statuses: int) -> dict[tuple[int, str], type[ProblemSerializer]]:
    """Return a view's own refusals, for `extend_schema(responses={200: Shape, **problems(409, 412)})`."""
    return {(status, CONTENT_TYPE): ProblemSerializer for status in statuses}


class AutoSchema(FrameworkAutoSchema):
    """Adds to every operation the refusals any can give, so that views declare only what is their own."""

    def get_summary(self) -> str:
        """Return the first clause of what the operation does, for lists of operations."""
        return re.split(r"[.;:](?:\s|$)", str(self.get_description()), maxsplit=1)[0]

    def get_auth(self) -> list[dict[str, Any]]:
        auth: list[dict[str, Any]] = super().get_auth()
        if self._anyone() and {} not in auth:
            auth.append({})
        return auth

    def _anyone(self) -> bool:
        """Tell whether the operation asks for no sign-in."""
        permissions = self.view.get_permissions()
        return all(
            isinstance(permission, AllowAny)
            or (isinstance(permission, ScopePermission) and permission.anyone_reads and self.method == "GET")
            for permission in permissions
        )

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        for status in sorted(self._usual_refusals()):
            key = str(status)
            if key not in bodies:
                bodies[key] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                    ProblemSerializer, key, [CONTENT_TYPE], direction
                )
        return bodies

    def _usual_refusals(self) -> set[int]:
        statuses = {400, 406, 429}
        if self.view.get_authenticators():
            statuses |= {401, 403}
        if "{" in self.path:
            statuses.add(404)
        if self.method in {"POST", "PUT", "PATCH"}:
            statuses |= {413, 415}
        return statuses
