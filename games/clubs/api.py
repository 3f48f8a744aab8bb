"""Clubs, their members and invitations over the API."""

from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from games.accounts.api import too_many
from games.accounts.api_pagination import CursorPagination
from games.accounts.api_permissions import HasScope, require_scope
from games.accounts.api_problems import Problem
from games.accounts.api_schema import problems
from games.accounts.attempts import TooManyAttempts
from games.accounts.models import User
from games.clubs import api_problems, queries, services
from games.clubs.api_serializers import (
    AcceptedSerializer,
    AcceptSerializer,
    ClubChangesSerializer,
    ClubMemberSerializer,
    ClubSerializer,
    InvitationSerializer,
    MembershipForOrganisersSerializer,
    MembershipSerializer,
    NewClubSerializer,
    NewInvitationSerializer,
    RoleSerializer,
)
from games.clubs.models import Club, Invitation, Membership, Role


def find_club(request: Request, slug: str) -> Club:
    """Return the club with the caller's `role` in it, or answer 404 for one that they may not see."""
    club = queries.visible_clubs(request.user).filter(slug=slug).first()
    if club is None:
        raise NotFound
    return club


def find_club_to_organise(request: Request, slug: str) -> Club:
    """Return the club if the caller is its organiser; others who see it get 403."""
    club = find_club(request, slug)
    if club.role != Role.ORGANISER:  # type: ignore[attr-defined]
        raise Problem(403, "not_allowed", gettext("Only organisers of the club may do this."))
    return club


def find_member(club: Club, uuid: UUID) -> User:
    membership = queries.members(club).filter(user__uuid=uuid).first()
    if membership is None:
        raise NotFound
    return membership.user


class ClubPagination(CursorPagination):
    ordering = ("name", "id")


class OldestFirst(CursorPagination):
    ordering = ("id",)


class Clubs(ListAPIView[Club]):
    permission_classes = [HasScope("organise", anyone_reads=True)]
    serializer_class = ClubSerializer
    pagination_class = ClubPagination

    def get_queryset(self) -> QuerySet[Club]:
        return queries.visible_clubs(self.request.user)

    @extend_schema(tags=["clubs"])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the open clubs and the caller's own."""
        return self.list(request, *args, **kwargs)

    @extend_schema(
        request=NewClubSerializer, responses={201: ClubSerializer, **problems(409)}, tags=["clubs"]
    )
    def post(self, request: Request) -> Response:
        """Found a club; the caller becomes its organiser."""
        asked = NewClubSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        user = cast("User", request.user)
        try:
            club = services.create_club(organiser=user, now=timezone.now(), **asked.validated_data)
        except services.SlugTaken as error:
            raise api_problems.slug_taken() from error
        club = find_club(request, club.slug)
        return Response(ClubSerializer(club).data, status=status.HTTP_201_CREATED)


class ClubDetail(APIView):
    permission_classes = [HasScope("organise", anyone_reads=True)]

    @extend_schema(responses=ClubSerializer, tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """Return one club."""
        return Response(ClubSerializer(find_club(request, slug)).data)

    @extend_schema(request=ClubChangesSerializer, responses=ClubSerializer, tags=["clubs"])
    def patch(self, request: Request, slug: str) -> Response:
        """Change the name of a club, or open or close it."""
        club = find_club_to_organise(request, slug)
        asked = ClubChangesSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        return Response(ClubSerializer(services.change_club(club=club, **asked.validated_data)).data)


class Members(GenericAPIView[Membership]):
    permission_classes = [HasScope("organise")]
    queryset = Membership.objects.none()  # names the model for the schema
    pagination_class = OldestFirst

    @extend_schema(
        responses=ClubMemberSerializer(many=True),
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the members, to members; organisers see the addresses as well."""
        club = find_club(request, slug)
        role = club.role  # type: ignore[attr-defined]
        if role is None:
            raise Problem(403, "not_allowed", gettext("Only members of the club see who is in it."))
        shape: type[BaseSerializer[Any]] = MembershipSerializer
        if role == Role.ORGANISER:
            shape = MembershipForOrganisersSerializer
        page = self.paginate_queryset(queries.members(club))
        return self.get_paginated_response(shape(page, many=True).data)


class MemberDetail(APIView):
    permission_classes = [HasScope("play")]

    @extend_schema(
        request=RoleSerializer,
        responses={200: MembershipForOrganisersSerializer, **problems(409)},
        tags=["clubs"],
    )
    def patch(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Change a member's role."""
        require_scope(request, "organise")
        club = find_club_to_organise(request, slug)
        asked = RoleSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        user = find_member(club, uuid)
        try:
            membership = services.change_role(club=club, user=user, role=asked.validated_data["role"])
        except services.LastOrganiser as error:
            raise api_problems.last_organiser() from error
        except Membership.DoesNotExist as error:
            raise NotFound from error
        return Response(MembershipForOrganisersSerializer(membership).data)

    @extend_schema(responses={204: None, **problems(409)}, tags=["clubs"])
    def delete(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Leave the club, or put a member out of it."""
        if uuid == cast("User", request.user).uuid:
            club = find_club(request, slug)
        else:
            require_scope(request, "organise")
            club = find_club_to_organise(request, slug)
        try:
            services.leave_club(club=club, user=find_member(club, uuid), now=timezone.now())
        except services.LastOrganiser as error:
            raise api_problems.last_organiser() from error
        except Membership.DoesNotExist as error:
            raise NotFound from error
        return Response(status=status.HTTP_204_NO_CONTENT)


class Invitations(GenericAPIView[Invitation]):
    permission_classes = [HasScope("organise")]
    queryset = Invitation.objects.none()  # names the model for the schema
    serializer_class = InvitationSerializer
    pagination_class = OldestFirst
    throttle_scope = "invitations"

    @extend_schema(responses=InvitationSerializer(many=True), tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """List the invitations that nobody has accepted."""
        club = find_club_to_organise(request, slug)
        page = self.paginate_queryset(queries.open_invitations(club))
        return self.get_paginated_response(InvitationSerializer(page, many=True).data)

    @extend_schema(
        request=NewInvitationSerializer,
        responses={201: InvitationSerializer},
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Mail an invitation."""
        club = find_club_to_organise(request, slug)
        asked = NewInvitationSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            invitation = services.invite(
                club=club, by=cast("User", request.user), now=timezone.now(), **asked.validated_data
            )
        except TooManyAttempts as error:
            raise too_many(error) from error
        return Response(InvitationSerializer(invitation).data, status=status.HTTP_201_CREATED)


class AcceptInvitation(APIView):
    permission_classes = [HasScope("play")]
    throttle_scope = "sign-in"

    @extend_schema(
        request=AcceptSerializer, responses={200: AcceptedSerializer, **problems(404, 409)}, tags=["clubs"]
    )
    def post(self, request: Request) -> Response:
        """Join the club that a mailed code invites to."""
        asked = AcceptSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            membership = services.accept_invitation(
                code=asked.validated_data["code"], user=cast("User", request.user), now=timezone.now()
            )
        except services.InvitationNotValid as error:
            raise api_problems.invitation_not_valid() from error
        except services.AlreadyMember as error:
            raise api_problems.already_member() from error
        return Response(AcceptedSerializer(membership).data)
