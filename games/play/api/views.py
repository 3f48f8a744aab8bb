"""What all views of games share: who sees which game, and how answers may be kept."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from games.accounts.api_permissions import HasScope
from games.accounts.api_problems import invalid
from games.accounts.models import User
from games.play import queries
from games.play.api.problems import refusals
from games.play.api.versions import VARY, tag_of
from games.play.models import Game
from games.play.presenting import game_summary, position
from games.play.queries import Seen
from games.rules.encoding import SEAT_LETTERS


class GameView(APIView):
    """Answers about games: private to the caller, and to be asked for again before they are shown again."""

    permission_classes = [HasScope("play", anyone_reads=True)]

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        if request.method in SAFE_METHODS:
            response["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, VARY)
        return response


def find_game(request: Request, game_id: int) -> Game:
    """Return the game's row, or answer 404 for one that the caller may not see."""
    game = queries.visible_games(request.user).select_related("club").filter(pk=game_id).first()
    if game is None:
        raise NotFound
    return game


def find_seen(request: Request, game_id: int, *, at: int | None = None) -> Seen:
    """Return the game as the caller sees it, or answer 404."""
    with refusals():
        seen = queries.seen_game(game_id, request.user, at=at)
    if seen is None:
        raise NotFound
    return seen


def find_user(uuid: Any, field: str) -> User:
    """Return the member with this uuid, or answer 400 for the field that names nobody."""
    user = User.objects.filter(uuid=uuid, is_active=True).first()
    if user is None:
        raise invalid(field, gettext("There is no such member."))
    return user


def seat_index(letter: str, seats: int, field: str = "seat") -> int:
    """Return the number of the seat with this letter, or answer 400 for the field."""
    number = SEAT_LETTERS.index(letter.upper())
    if number >= seats:
        raise invalid(field, gettext("Give a letter from A to %(last)s.") % {"last": SEAT_LETTERS[seats - 1]})
    return number


def game_answer(request: Request, game_id: int, status_code: int = status.HTTP_200_OK) -> Response:
    """Return the game as it stands now, for the caller."""
    seen = find_seen(request, game_id)
    shown = game_summary(seen.game, seen.places)
    return Response(detail(seen, shown), status=status_code, headers={"ETag": tag_of(seen, shown)})


def detail(seen: Seen, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game with its position and what the caller is in it."""
    return {
        **shown,
        "at": seen.version,
        "position": None if seen.view is None else position(seen.view),
        "you": {
            "seat": None if seen.seat is None else SEAT_LETTERS[seen.seat],
            "may_act": queries.may_act(seen),
        },
    }


def made_answer(request: Request, game: Game, now: datetime) -> Response:
    """Return a game that was just made, or that an earlier request with the same key has made."""
    answer = game_answer(request, game.pk, status.HTTP_201_CREATED)
    answer["Location"] = reverse("api-game", args=[game.pk])
    if game.created_at != now:
        answer["Idempotency-Replayed"] = "true"
    return answer
