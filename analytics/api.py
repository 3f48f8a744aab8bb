"""Statistics over REST."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analytics.models import GameFacts
from analytics.queries import facts_of
from games.accounts.api_permissions import HasScope
from games.accounts.api_problems import CODES, Problem
from games.accounts.api_schema import problems
from games.play.models import Status
from games.play.queries import visible_games

CODES.update(
    {
        "facts_not_over": (409, "The game is not over"),
        "facts_pending": (404, "The statistics of this game are still being derived"),
    }
)


class GameFactsShape(serializers.ModelSerializer[GameFacts]):
    game = serializers.IntegerField(source="game_id", read_only=True)
    winner = serializers.SerializerMethodField(help_text="A team's colour, `draw`, or null.")
    lines = serializers.DictField(child=serializers.IntegerField(), help_text="Completed lines by team.")

    class Meta:
        model = GameFacts
        fields = [
            "game", "version", "derived_at", "turns", "placements", "removals", "swaps", "passes",
            "two_eyed_jacks", "one_eyed_jacks", "reshuffles", "lines", "first_line_turn", "winner", "end",
        ]  # fmt: skip

    def get_winner(self, facts: GameFacts) -> str | None:
        return facts.winner or None


class GameFactsView(APIView):
    permission_classes = [HasScope("read", anyone_reads=True)]

    @extend_schema(responses={200: GameFactsShape, **problems(404, 409)}, tags=["statistics"])
    def get(self, request: Request, game_id: int, **kwargs: Any) -> Response:
        """The figures of a finished game, at the version that they were derived from."""
        game = visible_games(request.user).filter(pk=game_id).first()
        if game is None:
            raise Problem(404, "not_found", "Nothing is here, or nothing that you may see.")
        if game.status not in (Status.FINISHED, Status.UNFINISHED):
            raise Problem(409, "facts_not_over", "Figures are shown once a game has ended with a result.")
        facts = facts_of(game)
        if facts is None:
            raise Problem(
                404, "facts_pending", "The figures come within a minute.", headers={"Retry-After": "30"}
            )
        return Response(GameFactsShape(facts).data)
