"""Records of games and their deals over the API."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.api_schema import problems
from games.play import queries
from games.play.api_problems import not_over, not_started
from games.play.api_serializers import DealSerializer
from games.play.api_views import GameView, find_seen
from games.rules.encoding import SEAT_LETTERS


class DealDetail(GameView):
    @extend_schema(responses={200: DealSerializer, **problems(409)}, tags=["records"])
    def get(self, request: Request, game_id: int) -> Response:
        """Return the deal of a game that is over, and whether it is the one that was sealed."""
        seen = find_seen(request, game_id)
        if seen.view is None:
            raise not_started()
        if seen.game.status not in queries.OVER:
            raise not_over("The secret of the deal is published when the game is over.")
        deal = queries.published_deal(seen)
        return Response(asdict(deal) | {"start": SEAT_LETTERS[deal.start]})
