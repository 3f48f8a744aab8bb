"""How sign-in and refusals are described in the OpenAPI schema."""

from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema as FrameworkAutoSchema
from rest_framework import serializers
from rest_framework.permissions import AllowAny

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


class AutoSchema(FrameworkAutoSchema):
    """Adds to every operation the refusals it can give, so that views declare only what is their own.

    A view names further ones with `problem_statuses = (409, 412)`.
    """

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        for status in sorted(self._problem_statuses()):
            key = str(status)
            if key not in bodies:
                bodies[key] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                    ProblemSerializer, key, [CONTENT_TYPE], direction
                )
        return bodies

    def _problem_statuses(self) -> set[int]:
        statuses = {400, 406, 429, *getattr(self.view, "problem_statuses", ())}
        if self.view.get_authenticators():
            statuses.add(401)
            if not any(isinstance(permission, AllowAny) for permission in self.view.get_permissions()):
                statuses.add(403)
        if "{" in self.path:
            statuses.add(404)
        if self.method in {"POST", "PUT", "PATCH"}:
            statuses |= {413, 415}
        return statuses
