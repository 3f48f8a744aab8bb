"""Leave and holidays over the API: days on which clocks rest."""

from datetime import date
from typing import Any, cast

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.accounts.api_pagination import CursorPagination
from games.accounts.api_permissions import HasScope
from games.accounts.api_problems import Problem
from games.accounts.api_schema import problems
from games.accounts.models import User
from games.clubs.api import find_club, find_club_to_organise
from games.clubs.models import Holiday
from games.play.api.problems import refusals
from games.play.api.time_serializers import (
    HolidaySerializer,
    LeaveSerializer,
    LeavesSerializer,
    NewHolidaySerializer,
    NewLeaveSerializer,
)
from games.play.calendars import holidays_of, leave_left, leaves_of, today_of
from games.play.models import Leave
from games.play.services.resting import add_holiday, give_back_leave, remove_holiday, take_leave


class Leaves(APIView):
    permission_classes = [HasScope("play")]

    @extend_schema(responses=LeavesSerializer, tags=["members"])
    def get(self, request: Request) -> Response:
        """List the caller's leave of this year and later, and how many days are left."""
        member, now = cast("User", request.user), timezone.now()
        year = today_of(member, now).year
        answer = {
            "results": LeaveSerializer(leaves_of(member, now), many=True).data,
            "days_left": [{"year": y, "days": leave_left(member, y)} for y in (year, year + 1)],
        }
        return Response(answer)

    @extend_schema(
        request=NewLeaveSerializer, responses={201: LeaveSerializer, **problems(409)}, tags=["members"]
    )
    def post(self, request: Request) -> Response:
        """Take leave: no time counts for the caller on these days, the last one included."""
        asked = NewLeaveSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        with refusals():
            leave = take_leave(
                member=cast("User", request.user), now=timezone.now(), **_days(asked.validated_data)
            )
        return Response(LeaveSerializer(leave).data, status=status.HTTP_201_CREATED)


class LeaveDetail(APIView):
    permission_classes = [HasScope("play")]

    @extend_schema(responses={204: None, **problems(409)}, tags=["members"])
    def delete(self, request: Request, leave_id: int) -> Response:
        """Give back the days of a leave that lie ahead: one that runs ends today."""
        member = cast("User", request.user)
        try:
            with refusals():
                give_back_leave(member=member, leave_id=leave_id, now=timezone.now())
        except Leave.DoesNotExist as error:
            raise NotFound from error
        return Response(status=status.HTTP_204_NO_CONTENT)


class HolidayPagination(CursorPagination):
    ordering = ("starts_on", "id")


class Holidays(GenericAPIView[Holiday]):
    permission_classes = [HasScope("organise")]
    queryset = Holiday.objects.none()  # names the model for the schema
    serializer_class = HolidaySerializer
    pagination_class = HolidayPagination

    @extend_schema(responses=HolidaySerializer(many=True), tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """List the club's holidays that are not over, to members."""
        club = find_club(request, slug)
        if club.role is None:  # type: ignore[attr-defined]
            raise Problem(403, "not_allowed", gettext("Only members of the club see its holidays."))
        holidays: QuerySet[Holiday] = holidays_of(club, timezone.now())
        page = self.paginate_queryset(holidays)
        return self.get_paginated_response(HolidaySerializer(page, many=True).data)

    @extend_schema(request=NewHolidaySerializer, responses={201: HolidaySerializer}, tags=["clubs"])
    def post(self, request: Request, slug: str) -> Response:
        """Let the clocks of the club's games rest on days that lie ahead, the last one included."""
        club = find_club_to_organise(request, slug)
        asked = NewHolidaySerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        with refusals():
            holiday = add_holiday(
                organiser=cast("User", request.user),
                club=club,
                name=asked.validated_data["name"],
                now=timezone.now(),
                **_days(asked.validated_data),
            )
        return Response(HolidaySerializer(holiday).data, status=status.HTTP_201_CREATED)


class HolidayDetail(APIView):
    permission_classes = [HasScope("organise")]

    @extend_schema(responses={204: None, **problems(409)}, tags=["clubs"])
    def delete(self, request: Request, slug: str, holiday_id: int) -> Response:
        """Take away the days of a holiday that lie ahead: one that runs ends today."""
        club = find_club_to_organise(request, slug)
        organiser = cast("User", request.user)
        try:
            with refusals():
                remove_holiday(organiser=organiser, club=club, holiday_id=holiday_id, now=timezone.now())
        except Holiday.DoesNotExist as error:
            raise NotFound from error
        return Response(status=status.HTTP_204_NO_CONTENT)


def _days(fields: dict[str, Any]) -> dict[str, date]:
    return {"starts_on": fields["starts_on"], "ends_on": fields["ends_on"]}
