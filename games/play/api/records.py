"""Records of games over the API: out in three views, in judged whole; and the deal behind them."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, cast

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.api_permissions import HasScope
from games.accounts.api_problems import Problem, invalid
from games.accounts.api_schema import problems
from games.accounts.models import User
from games.clubs.api import find_club
from games.play import queries
from games.play.api.problems import bad_record, not_over, not_started, refusals
from games.play.api.serializers import (
    CheckedRecordSerializer,
    DealSerializer,
    GameSerializer,
    NewRecordSerializer,
    RecordSerializer,
)
from games.play.api.versions import IDEMPOTENCY_KEY, once_of
from games.play.api.views import GameView, find_seen, made_answer
from games.play.services.importing import import_record
from games.rules.deal import SecretDeal
from games.rules.encoding import SEAT_LETTERS
from games.rules.record import FULL, PUBLIC, Record, RecordError, is_view
from games.rules.replay import replay
from games.rules.sqn_json import from_json, read, to_json
from games.rules.sqn_text import to_text

SQN = "application/x-sqn"
SQN_JSON = "application/sqn+json"


class SQNJSONRenderer(JSONRenderer):
    """Names the record's JSON twin in content negotiation."""

    media_type = SQN_JSON
    format = "sqn-json"


class SQNRenderer(BaseRenderer):
    """Names the record's text in content negotiation."""

    media_type = SQN
    format = "sqn"
    charset = "utf-8"

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """Write what is no record (the answer to OPTIONS) as JSON: it has no form in SQN."""
        return json.dumps(data, default=str).encode()


def _json(record: Record) -> str:
    return json.dumps(to_json(record), ensure_ascii=False)


FORMS: dict[str, tuple[str, Callable[[Record], str]]] = {"sqn": (SQN, to_text), "json": (SQN_JSON, _json)}
"""What `?as=` takes: media type and writer."""


class RecordDetail(GameView):
    renderer_classes = [SQNJSONRenderer, JSONRenderer, SQNRenderer]

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "view",
                OpenApiTypes.STR,
                description="`full`, `public` or `seat:A`; full by default once the game is over.",
            ),
            OpenApiParameter("as", OpenApiTypes.STR, enum=list(FORMS), description="In place of Accept."),
        ],
        responses={
            (200, SQN_JSON): OpenApiTypes.OBJECT,
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, SQN): OpenApiTypes.STR,
            **problems(409),
        },
        tags=["records"],
    )
    def get(self, request: Request, game_id: int) -> HttpResponseBase:
        """Return the game as a record, in SQN text or its JSON twin.

        While the game runs there is the public view for all, and for each player that of the own seat.
        """
        media_type, write = _form(request)
        seen = find_seen(request, game_id)
        if seen.view is None:
            raise not_started()
        record = queries.record_for(seen, _view(request, seen))
        return HttpResponse(write(record), content_type=f"{media_type}; charset=utf-8")


def _form(request: Request) -> tuple[str, Callable[[Record], str]]:
    asked = request.query_params.get("as")
    if asked is not None:
        if asked not in FORMS:
            raise invalid("as", gettext("Give one of %(names)s.") % {"names": ", ".join(FORMS)})
        return FORMS[asked]
    media_type = getattr(request.accepted_renderer, "media_type", SQN_JSON)
    return FORMS["sqn"] if media_type == SQN else (str(media_type), _json)


def _view(request: Request, seen: queries.Seen) -> str:
    """Return the view that is asked for, if the caller may have it now."""
    allowed = queries.views_of_record(seen)
    view = request.query_params.get("view", FULL if FULL in allowed else PUBLIC)
    if not is_view(view, seen.game.seats):
        raise invalid(
            "view",
            gettext("Give full, public, or seat: and a letter up to %(last)s.")
            % {"last": SEAT_LETTERS[seen.game.seats - 1]},
        )
    if view in allowed:
        return view
    if view == FULL:
        raise not_over(gettext("The full record is there when the game is over."))
    raise Problem(403, "not_allowed", gettext("While the game runs only who holds the seat sees its view."))


def _read_record(record: str | dict[str, Any]) -> Record:
    return read(record) if isinstance(record, str) else from_json(record)


class Records(GameView):
    permission_classes = [HasScope("play")]

    @extend_schema(
        request=NewRecordSerializer,
        parameters=[IDEMPOTENCY_KEY],
        responses={201: GameSerializer, **problems(404, 422)},
        tags=["records"],
    )
    def post(self, request: Request) -> Response:
        """Bring a record of a game played elsewhere into a club; nothing is stored of a damaged one."""
        asked = NewRecordSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        fields = asked.validated_data
        club = find_club(request, fields["club"])
        now = timezone.now()
        try:
            with refusals():
                game = import_record(
                    member=cast("User", request.user),
                    club=club,
                    record=_read_record(fields["record"]),
                    name=fields["name"],
                    once=once_of(request),
                    now=now,
                )
        except RecordError as error:
            raise bad_record(error) from error
        return made_answer(request, game, now)


class RecordCheck(GameView):
    permission_classes = [HasScope("read")]

    @extend_schema(
        request=RecordSerializer, responses={200: CheckedRecordSerializer, **problems(422)}, tags=["records"]
    )
    def post(self, request: Request) -> Response:
        """Play a record through the rules without storing anything."""
        asked = RecordSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            record = _read_record(asked.validated_data["record"])
            played = replay(record)
        except RecordError as error:
            raise bad_record(error) from error
        is_sealed = isinstance(record.deal, SecretDeal) and bool(record.seal)
        return Response(
            {
                "edition": played.rules.edition.name,
                "seat_count": played.rules.seats,
                "team_count": played.rules.teams,
                "house_rules": played.rules.changed,
                "view": record.view,
                "turns": played.state.turns,
                "result": None if played.result is None else played.result._asdict(),
                # A seal or a deal that does not hold damages the record and was refused above.
                "seal_holds": True if is_sealed else None,
                "deal_holds": None if record.deal is None else True,
            }
        )


class DealDetail(GameView):
    @extend_schema(responses={200: DealSerializer, **problems(409)}, tags=["records"])
    def get(self, request: Request, game_id: int) -> Response:
        """Return the deal of a game that is over, and whether it is the one that was sealed."""
        seen = find_seen(request, game_id)
        if seen.view is None:
            raise not_started()
        if seen.game.status not in queries.OVER:
            raise not_over(gettext("The secret of the deal is published when the game is over."))
        deal = queries.published_deal(seen)
        return Response(asdict(deal) | {"start": SEAT_LETTERS[deal.start]})
