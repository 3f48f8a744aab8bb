"""Sign-in, tokens and the member's own settings over the API."""

from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID

from django.contrib.auth import logout
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.accounts import queries, services
from games.accounts.api_pagination import CursorPagination
from games.accounts.api_permissions import HasScope
from games.accounts.api_problems import AUTHENTICATE, Problem
from games.accounts.api_schema import problems
from games.accounts.api_serializers import (
    CodesSerializer,
    IssuedTokenSerializer,
    MemberSerializer,
    MeSerializer,
    PreferencesSerializer,
    SignInSerializer,
    TokenSerializer,
)
from games.accounts.attempts import TooManyAttempts, network_of, take_attempt_from
from games.accounts.models import Token, User
from games.accounts.services import SignInRefused


def too_many(error: TooManyAttempts) -> Problem:
    headers = {"Retry-After": str(error.retry_seconds)}
    return Problem(429, "throttled", str(error), headers=headers)


class Codes(APIView):
    authentication_classes = ()
    permission_classes = [AllowAny]
    throttle_scope = "sign-in"

    @extend_schema(request=CodesSerializer, responses={202: None}, tags=["auth"])
    def post(self, request: Request) -> Response:
        """Mail a sign-in code to each member with this address; the answer is the same without one."""
        asked = CodesSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            take_attempt_from(network_of(request), what="codes", now=timezone.now())
            services.request_codes(email=asked.validated_data["email"], now=timezone.now())
        except TooManyAttempts as error:
            raise too_many(error) from error
        return Response(status=status.HTTP_202_ACCEPTED)


class TokenPagination(CursorPagination):
    ordering = ("-created", "digest")


class Tokens(ListAPIView[Token]):
    queryset = Token.objects.none()  # names the model for the schema
    serializer_class = TokenSerializer
    pagination_class = TokenPagination

    def get_authenticators(self) -> list[BaseAuthentication]:
        # Signing in needs no sign-in, and an old token sent along does not matter.
        return [] if self._is_sign_in() else super().get_authenticators()

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny()] if self._is_sign_in() else [HasScope("read")()]

    def get_throttles(self) -> list[BaseThrottle]:
        self.throttle_scope = "sign-in" if self._is_sign_in() else "default"
        return super().get_throttles()

    def _is_sign_in(self) -> bool:
        # While the schema is drawn there is no request at first.
        return getattr(self.request, "method", "") == "POST"

    def get_queryset(self) -> QuerySet[Token]:
        return queries.tokens_of(cast("User", self.request.user))

    @extend_schema(tags=["auth"])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the caller's own tokens."""
        return self.list(request, *args, **kwargs)

    @extend_schema(
        request=SignInSerializer, responses={201: IssuedTokenSerializer, **problems(401)}, tags=["auth"]
    )
    def post(self, request: Request) -> Response:
        """Sign in: give a username or an address, and a password or a mailed code, for a token."""
        asked = SignInSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        fields = asked.validated_data
        user = _sign_in(fields)
        token, text = services.issue_token(user=user, name=fields["name"], scopes=fields["scopes"])
        body = TokenSerializer(token).data | {"token": text, "member": MemberSerializer(user).data}
        return Response(body, status=status.HTTP_201_CREATED)


def _sign_in(fields: Mapping[str, str]) -> User:
    who = fields.get("username") or fields["email"]
    now = timezone.now()
    try:
        if "code" in fields:
            return services.sign_in_with_code(who=who, code=fields["code"], now=now)
        return services.sign_in_with_password(who=who, password=fields["password"], now=now)
    except SignInRefused as error:
        detail = "This name with this password or code does not sign anybody in."
        raise Problem(401, "bad_credentials", detail, headers={"WWW-Authenticate": AUTHENTICATE}) from error
    except TooManyAttempts as error:
        raise too_many(error) from error


class TokenDetail(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(responses={204: None}, tags=["auth"])
    def delete(self, request: Request, public_id: UUID) -> Response:
        """Revoke one of the caller's own tokens."""
        if not services.revoke_token(user=cast("User", request.user), public_id=public_id):
            raise NotFound
        return Response(status=status.HTTP_204_NO_CONTENT)


class SignOut(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(request=None, responses={204: None}, tags=["auth"])
    def post(self, request: Request) -> Response:
        """Revoke the token of this very request, or end the browser's session."""
        if isinstance(request.auth, Token):
            services.revoke_token(user=cast("User", request.user), public_id=request.auth.public_id)
        else:
            logout(request)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Me(APIView):
    permission_classes = [HasScope("play")]

    @extend_schema(responses=MeSerializer, tags=["members"])
    def get(self, request: Request) -> Response:
        """Return the caller's own settings."""
        return Response(MeSerializer(cast("User", request.user)).data)

    @extend_schema(request=PreferencesSerializer, responses=MeSerializer, tags=["members"])
    def patch(self, request: Request) -> Response:
        """Change the caller's own name, language, zone or cadence."""
        asked = PreferencesSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        user = services.change_preferences(user=cast("User", request.user), **asked.validated_data)
        return Response(MeSerializer(user).data)
