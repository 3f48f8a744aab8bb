"""Games over the API: lists, proposals, the state at any version in the caller's own view."""

from typing import Any, cast

import django_filters  # type: ignore[import-untyped]
from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.api_pagination import CursorPagination
from games.accounts.api_problems import invalid
from games.accounts.api_schema import problems
from games.accounts.models import User
from games.clubs.api import find_club
from games.play import queries
from games.play.api.problems import refusals
from games.play.api.serializers import (
    GameSerializer,
    GameSummarySerializer,
    LegalSerializer,
    NewGameSerializer,
)
from games.play.api.versions import IDEMPOTENCY_KEY, is_unchanged, once_of, tag_of, whole_number
from games.play.api.views import (
    GameView,
    detail,
    find_seen,
    find_user,
    made_answer,
)
from games.play.models import Game, Seat, Source, Status
from games.play.presenting import game_summary, legal_list
from games.play.services.proposing import propose_game, withdraw_proposal
from games.rules.encoding import SEAT_LETTERS
from games.rules.legal import unclaimed_lines
from games.rules.ruleset import BadOption

FIELDS = tuple(GameSummarySerializer().fields)
TABLE_FIELDS = ("seats", "teams", "edition")


class GameFilter(django_filters.FilterSet):  # type: ignore[misc]
    club = django_filters.CharFilter(field_name="club__slug")
    status = django_filters.ChoiceFilter(choices=Status.choices)
    source = django_filters.ChoiceFilter(choices=Source.choices)
    seats = django_filters.NumberFilter(field_name="seats", min_value=0, max_value=1000)
    since = django_filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="gte")
    until = django_filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="lt")
    member = django_filters.UUIDFilter(method="of_member", help_text="Games in which this member sits.")
    mine = django_filters.BooleanFilter(method="of_caller", help_text="Games in which the caller sits.")
    waiting = django_filters.BooleanFilter(method="that_wait", help_text="Games in which the caller may act.")

    class Meta:
        model = Game
        fields: tuple[str, ...] = ()

    def of_member(self, games: QuerySet[Game], name: str, value: Any) -> QuerySet[Game]:
        return games.filter(pk__in=Seat.objects.filter(member__uuid=value).values("game_id"))

    def of_caller(self, games: QuerySet[Game], name: str, value: bool) -> QuerySet[Game]:
        if not value:
            return games
        user = self.request.user
        if not isinstance(user, User):
            return games.none()
        return games.filter(pk__in=Seat.objects.filter(member=user).values("game_id"))

    def that_wait(self, games: QuerySet[Game], name: str, value: bool) -> QuerySet[Game]:
        if not value:
            return games
        user = self.request.user
        return (
            games.filter(pk__in=queries.waiting_for(user).values("pk"))
            if isinstance(user, User)
            else games.none()
        )


class Games(GameView, GenericAPIView[Game]):
    queryset = Game.objects.none()  # names the model for the schema
    serializer_class = GameSummarySerializer
    pagination_class = CursorPagination
    filterset_class = GameFilter

    def get_queryset(self) -> QuerySet[Game]:
        places = Prefetch("places", Seat.objects.select_related("member", "invited").order_by("number"))
        return queries.visible_games(self.request.user).select_related("club").prefetch_related(places)

    @extend_schema(
        operation_id="games_list",
        parameters=[
            OpenApiParameter(
                "fields", OpenApiTypes.STR, description="Only these, parted by commas: `id,status`."
            )
        ],
        responses=GameSummarySerializer(many=True),
        tags=["games"],
    )
    def get(self, request: Request) -> Response:
        """List the games that the caller may see, newest first."""
        fields = _picked_fields(request)
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        rows = [game_summary(game, list(game.places.all())) for game in page]
        return self.get_paginated_response([{name: row[name] for name in fields} for row in rows])

    @extend_schema(
        request=NewGameSerializer,
        parameters=[IDEMPOTENCY_KEY],
        responses={201: GameSerializer, **problems(404, 409, 422)},
        tags=["games"],
    )
    def post(self, request: Request) -> Response:
        """Propose a game to the members of a club, for whom its rules are those given here."""
        asked = NewGameSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        fields = asked.validated_data
        club = find_club(request, fields["club"])
        now = timezone.now()
        with refusals():
            _refuse_table_fields(fields["options"])
            game = propose_game(
                proposer=cast("User", request.user),
                club=club,
                **{
                    name: fields[name]
                    for name in ("seats", "teams", "edition", "options", "name", "expiry", "clock", "nonce")
                },
                **_seating(fields),
                once=once_of(request),
                now=now,
            )
        return made_answer(request, game, now)


def _picked_fields(request: Request) -> tuple[str, ...]:
    names = request.query_params.get("fields")
    if names is None:
        return FIELDS
    wanted = tuple(dict.fromkeys(names.split(",")))
    if not set(wanted) <= set(FIELDS):
        raise invalid("fields", gettext("Give some of %(names)s.") % {"names": ", ".join(FIELDS)})
    return wanted


def _refuse_table_fields(options: dict[str, Any]) -> None:
    """Refuse an option that is a field of its own: it would contradict it."""
    for name in TABLE_FIELDS:
        if name in options:
            raise BadOption("bad_option", "R4", name, f"give {name} beside the options, not among them")


def _seating(fields: dict[str, Any]) -> dict[str, Any]:
    """Return who sits where from the start; no seat can be given twice."""
    taken: set[int] = set()

    def seat_of(letter: str, field: str) -> int:
        number = SEAT_LETTERS.index(letter.upper())
        if number in taken:
            raise invalid(field, gettext("This seat is given twice."))
        taken.add(number)
        return number

    own = None if fields["seat"] is None else seat_of(fields["seat"], "seat")
    invited = {
        seat_of(each["seat"], f"invited.{n}.seat"): find_user(each["member"], f"invited.{n}.member")
        for n, each in enumerate(fields["invited"])
    }
    bots = [seat_of(letter, f"bots.{n}") for n, letter in enumerate(fields["bots"])]
    return {"own_seat": own, "invited": invited, "bots": bots}


class GameDetail(GameView):
    @extend_schema(
        parameters=[
            OpenApiParameter("at", OpenApiTypes.INT, description="The position after this event."),
            OpenApiParameter("If-None-Match", OpenApiTypes.STR, OpenApiParameter.HEADER),
        ],
        responses={200: GameSerializer, 304: None},
        tags=["games"],
    )
    def get(self, request: Request, game_id: int) -> Response:
        """Return a game as the caller sees it, now or at an earlier version."""
        seen = find_seen(request, game_id, at=whole_number(request, "at", least=0))
        shown = game_summary(seen.game, seen.places)
        headers = {"ETag": tag_of(seen, shown)}
        if is_unchanged(request, headers["ETag"]):
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        return Response(detail(seen, shown), headers=headers)

    @extend_schema(responses={204: None, **problems(409)}, tags=["games"])
    def delete(self, request: Request, game_id: int) -> Response:
        """Call a proposed game off: who proposed it may, and organisers of the club."""
        with refusals():
            withdraw_proposal(member=cast("User", request.user), game_id=game_id, now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class Legal(GameView):
    @extend_schema(responses=LegalSerializer, tags=["turns"])
    def get(self, request: Request, game_id: int) -> Response:
        """List what the caller's own seat may do now; each action may be sent as a turn as it stands.

        Leaving and draw offers are always open to a seat and are not listed.
        """
        return Response(legal_answer(find_seen(request, game_id)))


def legal_answer(seen: queries.Seen) -> dict[str, Any]:
    """Return the legal actions of the viewer's seat as plain data."""
    state = seen.loaded.state
    answer: dict[str, Any] = {
        "version": seen.version,
        "seat": None if seen.seat is None else SEAT_LETTERS[seen.seat],
        "actions": [],
        "unclaimed": [],
    }
    if state is not None and seen.seat is not None:
        answer["actions"] = legal_list(state, queries.legal_for(seen))
        if state.ruleset.claim == "announce" and state.turn == seen.seat:
            masks = unclaimed_lines(state, seen.seat)
            answer["unclaimed"] = [list(state.board.ends(mask)) for mask in masks]
    return answer
