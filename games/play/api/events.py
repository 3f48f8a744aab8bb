"""The event log of a game over the API, and who held its seats: safe to show while the game runs."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import BrowsableAPIRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from games.accounts.api_pagination import DEFAULT_LIMIT, MAX_LIMIT
from games.play import queries
from games.play.api.serializers import EventsSerializer, TenureSerializer, TenuresSerializer
from games.play.api.versions import whole_number
from games.play.api.views import GameView, find_game
from games.play.models import Game
from games.play.queries import LoggedEvent
from games.rules.encoding import SEAT_LETTERS

NDJSON = "application/x-ndjson"
BATCH = 500


class NDJSONRenderer(JSONRenderer):
    """Marks what streams one JSON object a row; refusals are problems as everywhere."""

    media_type = NDJSON
    format = "ndjson"


def event_data(event: LoggedEvent) -> dict[str, Any]:
    """Return an event of the log as plain data."""
    return asdict(event) | {"seat": None if event.seat is None else SEAT_LETTERS[event.seat]}


class Events(GameView):
    renderer_classes = [JSONRenderer, NDJSONRenderer, BrowsableAPIRenderer]

    @extend_schema(
        parameters=[
            OpenApiParameter("after", OpenApiTypes.INT, description="Only events with higher numbers."),
            OpenApiParameter(
                "limit", OpenApiTypes.INT, description="1 to 200; a stream of NDJSON has all without it."
            ),
        ],
        responses={
            (200, "application/json"): EventsSerializer,
            (200, NDJSON): OpenApiTypes.STR,
        },
        tags=["events"],
    )
    def get(self, request: Request, game_id: int) -> HttpResponseBase:
        """Return the events of a game after a number, in order."""
        game = find_game(request, game_id)
        after = whole_number(request, "after", least=0) or 0
        limit = whole_number(request, "limit", least=1, most=MAX_LIMIT)
        if getattr(request.accepted_renderer, "media_type", "") == NDJSON:
            return StreamingHttpResponse(_rows(game, after, limit), content_type=NDJSON)
        events = queries.events_after(game, after, limit or DEFAULT_LIMIT)
        return Response({"version": game.version, "results": [event_data(event) for event in events]})


def _rows(game: Game, after: int, limit: int | None) -> Iterator[bytes]:
    """Yield events as JSON, one a row, read in batches: no version seen at the start is passed over."""
    left = game.version - after if limit is None else limit
    while left > 0:
        events = queries.events_after(game, after, min(left, BATCH))
        for event in events:
            text = json.dumps(event_data(event), cls=JSONEncoder, ensure_ascii=False, separators=(",", ":"))
            yield text.encode() + b"\n"
        if not events:
            return
        after, left = events[-1].number, left - len(events)


class Tenures(GameView):
    @extend_schema(responses=TenuresSerializer, tags=["events"])
    def get(self, request: Request, game_id: int) -> Response:
        """Return who held which seat from which event to which."""
        game = find_game(request, game_id)
        return Response({"results": TenureSerializer(queries.tenures_of(game), many=True).data})
