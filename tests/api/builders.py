"""Callers of the API for tests: clients of members, and games as the API shows them."""

from typing import Any

from rest_framework.test import APIClient

from games.accounts.models import User
from games.play.models import Game
from tests.builders import make_token
from tests.play.builders import player_on_turn

API = "/api/v1"
GAMES = f"{API}/games"


def client_of(user: User | None, scopes: str = "read play organise", **headers: str) -> APIClient:
    """Return a client that sends a token of `user`, or none for a passer-by."""
    client = APIClient()
    if user is not None:
        headers["HTTP_AUTHORIZATION"] = f"Bearer {make_token(user, scopes)}"
    client.credentials(**headers)
    return client


def address(game: Game, *rest: str) -> str:
    return "/".join((GAMES, str(game.pk), *rest))


def on_turn(game: Game) -> APIClient:
    return client_of(player_on_turn(game))


def legal_now(client: APIClient, game: Game) -> dict[str, Any]:
    answer = client.get(address(game, "legal"))
    assert answer.status_code == 200, answer.content
    return answer.json()


def first_action(client: APIClient, game: Game) -> dict[str, Any]:
    return without_claims(legal_now(client, game)["actions"][0])


def without_claims(action: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in action.items() if name != "claims"}


def send_turn(
    client: APIClient, game: Game, data: dict[str, Any], version: int | None = None, key: str = ""
) -> Any:
    """Send a turn about `version`, the present one by default."""
    game.refresh_from_db()
    headers = {"If-Match": f'"v{game.version if version is None else version}"'}
    if key:
        headers["Idempotency-Key"] = key
    return client.post(address(game, "turns"), data, headers=headers)


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]
