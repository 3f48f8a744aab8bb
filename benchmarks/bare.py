"""The least that a durable write and a read over HTTP can cost here: same sign-in, same parser, one row."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.clubs.models import Club
from games.play.models import Game, Receipt


class InsertRow(APIView):
    def post(self, request: Request) -> Response:
        row = Receipt.objects.create(
            game_id=request.data["game"],
            actor=request.user.uuid,
            key=request.data["key"],
            fingerprint=b"-" * 32,
            version=1,
            created_at=timezone.now(),
        )
        return Response({"id": row.pk}, status=201)


class ReadRow(APIView):
    def get(self, request: Request) -> Response:
        game = Game.objects.get(pk=request.query_params["game"])
        return Response(
            {"id": game.pk, "version": game.version, "status": game.status, "clubs": Club.__name__}
        )
