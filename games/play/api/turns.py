"""Taking turns and ruling over the API: one request, one act, one answer however often it is sent."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.api_permissions import HasScope
from games.accounts.api_problems import Problem
from games.accounts.api_schema import problems
from games.accounts.models import User
from games.clubs.queries import membership_of
from games.play import queries
from games.play.api.games import legal_answer
from games.play.api.problems import illegal, refusals, status_of
from games.play.api.serializers import (
    ReasonSerializer,
    ReasonsSerializer,
    RulingSerializer,
    TakenSerializer,
    TurnSerializer,
)
from games.play.api.versions import IDEMPOTENCY_KEY, expected_version, idempotency_key, tag_of_version
from games.play.api.views import GameView, find_game, find_seen
from games.play.presenting import position
from games.play.services.organising import rule_game
from games.play.services.requests import Taken
from games.play.services.turns import take_turn
from games.rules.refusal import IllegalAction

MOST_ADVICE = 200
"""How many legal actions a refusal lists."""

HEADERS = [
    OpenApiParameter("If-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description='Such as `"v41"`.'),
    IDEMPOTENCY_KEY,
]


def taken_answer(taken: Taken) -> Response:
    """Return what the caller sees right after the request: made of that version alone."""
    view = queries.view_after(taken.loaded, taken.seat)
    if view is None:
        raise ValueError("a request is carried out in a started game only")
    body = {"game": taken.game.pk, "version": taken.game.version, "position": position(view)}
    headers = {"ETag": tag_of_version(taken.game.version, taken.seat)}
    if taken.is_repeat:
        headers["Idempotency-Replayed"] = "true"
    return Response(body, status=status.HTTP_201_CREATED, headers=headers)


def _carry_out(
    request: Request, asked: Any, work: Callable[[Mapping[str, Any], int | None, str], Taken]
) -> Taken:
    """Read the request, let `work` carry it out, and return the game after it."""
    asked.is_valid(raise_exception=True)
    data = dict(asked.validated_data)
    version = expected_version(request, data.pop("expected_version"))
    return work(data, version, idempotency_key(request))


class Turns(GameView):
    permission_classes = [HasScope("play")]

    @extend_schema(
        request=TurnSerializer,
        parameters=HEADERS,
        responses={201: TakenSerializer, **problems(409, 412, 422, 428, 503)},
        tags=["turns"],
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Act for one's own seat, in the version of the game that one saw.

        A refusal by a rule lists in `legal` what would be legal with the card, or at all.
        """
        user = cast("User", request.user)

        def work(data: Mapping[str, Any], version: int | None, key: str) -> Taken:
            try:
                return take_turn(
                    game_id=game_id,
                    member=user,
                    data=data,
                    expected_version=version,
                    key=key,
                    now=timezone.now(),
                )
            except IllegalAction as error:
                if status_of(error.code) == status.HTTP_409_CONFLICT:
                    raise
                raise illegal(error, **advice(request, game_id, data.get("card"))) from error

        with refusals():
            return taken_answer(_carry_out(request, TurnSerializer(data=request.data), work))


def advice(request: Request, game_id: int, card: str | None) -> dict[str, Any]:
    """Return what would be legal instead: with this card if it can be played at all, else with any."""
    seen = find_seen(request, game_id)
    answer = legal_answer(seen)
    actions: list[dict[str, Any]] = answer["actions"]
    if card is not None:
        code = seen.loaded.rules.edition.parse_card(card)
        actions = [action for action in actions if action.get("card") == code] or actions
    return {"version": answer["version"], "legal": actions[:MOST_ADVICE]}


class Rulings(GameView):
    permission_classes = [HasScope("organise")]

    @extend_schema(
        request=RulingSerializer,
        parameters=HEADERS,
        responses={201: TakenSerializer, **problems(409, 412, 422, 428, 503)},
        tags=["rulings"],
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Rule as an organiser of the club: the same versions and keys as for turns."""

        def work(data: Mapping[str, Any], version: int | None, key: str) -> Taken:
            substitute = None
            plain = dict(data)
            if "member" in plain:
                substitute = User.objects.filter(uuid=plain["member"], is_active=True).first()
                plain["member"] = str(plain["member"])
            return rule_game(
                game_id=game_id,
                organiser=cast("User", request.user),
                data=plain,
                substitute=substitute,
                expected_version=version,
                key=key,
                now=timezone.now(),
            )

        with refusals():
            return taken_answer(_carry_out(request, RulingSerializer(data=request.data), work))

    @extend_schema(responses=ReasonsSerializer, tags=["rulings"])
    def get(self, request: Request, game_id: int) -> Response:
        """Return the reasons that organisers gave, to members of the club and players of the game."""
        game = find_game(request, game_id)
        user = cast("User", request.user)
        if membership_of(user, game.club) is None and queries.seat_held(queries.seats_of(game), user) is None:
            raise Problem(
                403, "not_allowed", gettext("Only members of the club read the reasons of rulings.")
            )
        return Response({"results": ReasonSerializer(queries.reasons_of(game), many=True).data})
