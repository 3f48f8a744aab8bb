"""From a proposal to the first turn over the API: joining, giving back, inviting, seating bots."""

from typing import cast

from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.api_permissions import HasScope
from games.accounts.api_problems import Problem
from games.accounts.api_schema import problems
from games.accounts.models import User
from games.play import queries
from games.play.api.problems import refusals
from games.play.api.serializers import (
    BotSerializer,
    GameSerializer,
    InvitationToSeatSerializer,
    JoinSerializer,
)
from games.play.api.views import GameView, find_game, find_user, game_answer, seat_index
from games.play.services.proposing import invite_to_seat, leave_seat, seat_bot, take_seat
from games.rules.encoding import SEAT_LETTERS


def seat_of_address(letter: str, seats: int) -> int:
    """Return the number of the seat that an address names, or answer 404."""
    number = SEAT_LETTERS.find(letter.upper()) if len(letter) == 1 else -1
    if not 0 <= number < seats:
        raise NotFound
    return number


class Seats(GameView):
    permission_classes = [HasScope("play")]

    @extend_schema(request=JoinSerializer, responses={201: GameSerializer, **problems(409)}, tags=["seats"])
    def post(self, request: Request, game_id: int) -> Response:
        """Agree to the game's rules and take a seat; the last seat starts the game."""
        game = find_game(request, game_id)
        asked = JoinSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        letter, nonce = asked.validated_data["seat"], asked.validated_data["nonce"]
        with refusals():
            take_seat(
                member=cast("User", request.user),
                game_id=game_id,
                seat=None if letter is None else seat_index(letter, game.seats),
                nonce=nonce,
                now=timezone.now(),
            )
        return game_answer(request, game_id, status.HTTP_201_CREATED)


class SeatDetail(GameView):
    permission_classes = [HasScope("play")]

    @extend_schema(responses={204: None, **problems(409)}, tags=["seats"])
    def delete(self, request: Request, game_id: int, letter: str) -> Response:
        """Give one's own seat back before the game starts."""
        game = find_game(request, game_id)
        number = seat_of_address(letter, game.seats)
        user = cast("User", request.user)
        if queries.seat_held(queries.seats_of(game), user) != number:
            raise Problem(403, "not_allowed", gettext("Only who holds the seat may give it back."))
        with refusals():
            leave_seat(member=user, game_id=game_id, now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeatInvitation(GameView):
    permission_classes = [HasScope("play")]

    @extend_schema(
        request=InvitationToSeatSerializer, responses={200: GameSerializer, **problems(409)}, tags=["seats"]
    )
    def put(self, request: Request, game_id: int, letter: str) -> Response:
        """Keep a free seat for a member, or for nobody again: who proposed the game may, and organisers."""
        number = seat_of_address(letter, find_game(request, game_id).seats)
        asked = InvitationToSeatSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        member = asked.validated_data["member"]
        with refusals():
            invite_to_seat(
                inviter=cast("User", request.user),
                game_id=game_id,
                seat=number,
                invited=None if member is None else find_user(member, "member"),
                now=timezone.now(),
            )
        return game_answer(request, game_id)


class Bots(GameView):
    permission_classes = [HasScope("play")]

    @extend_schema(request=BotSerializer, responses={201: GameSerializer, **problems(409)}, tags=["seats"])
    def post(self, request: Request, game_id: int) -> Response:
        """Give a free seat to a bot: who proposed the game may, and organisers."""
        game = find_game(request, game_id)
        asked = BotSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        number = seat_index(asked.validated_data["seat"], game.seats)
        with refusals():
            seat_bot(host=cast("User", request.user), game_id=game_id, seat=number, now=timezone.now())
        return game_answer(request, game_id, status.HTTP_201_CREATED)
