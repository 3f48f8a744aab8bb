"""Games with a turn link in them, for the tests of links; and what a bearer sends."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.db import connection
from django.test import Client

from games.accounts.models import User
from games.clubs.models import Role
from games.play import queries
from games.play.links import link_for
from games.play.models import Game, TurnLink
from games.play.services.organising import rule_game
from games.play.services.substituting import offer_seat
from games.play.services.turns import take_turn
from tests.builders import NOW, make_member, make_user
from tests.play.builders import legal, make_game, play_one, player_on_turn

PURPOSES = ("turn", "draw", "pay", "answer", "offer")


@dataclass
class Case:
    """A link for `member` as a mail carries it, and a choice that it is for."""

    game: Game
    member: User
    purpose: str
    path: str
    choice: str

    @property
    def token(self) -> str:
        return self.path.rsplit("/", 1)[1]

    def form(self, **fields: str) -> dict[str, str]:
        """Return the fields of the page's form, with a key of their own."""
        self.game.refresh_from_db()
        return {"choice": self.choice, "version": str(self.game.version), "key": "k" * 24, **fields}


def path_of(link: str) -> str:
    return urlsplit(link).path


def make_link(game: Game, member: User, purpose: str = "turn", number: int | None = None) -> str:
    """Return the path of the link for the seat of `member` as things stand now."""
    game.refresh_from_db()
    place = game.places.get(member=member, is_active=True)
    if number is None:
        number = game.turns + 1 if purpose == "turn" else game.version
    return path_of(link_for(game, place.number, member, purpose, number, now=NOW))


def make_case(purpose: str = "turn", **options: Any) -> Case:
    """Make a running game and an open link of this purpose."""
    if purpose == "draw":
        options = {"draw_mode": "manual", "loss_of_card": "never", **options}
    game = make_game(options.pop("seats", 2), **options)
    member = player_on_turn(game)
    if purpose == "offer":
        return _offer(game)
    if purpose == "turn":
        choice = choice_of(legal(game, member)[0])
    elif purpose == "draw":
        play_one(game)
        choice = "draw"
    elif purpose == "pay":
        call_table_talk(game, member)
        choice = choice_of(next(data for data in legal(game, member) if data["act"] == "pay"))
    else:
        offer_draw(game, member)
        member = next(place.member for place in game.places.all() if place.member != member)
        choice = "decline_draw"
    return Case(game, member, purpose, make_link(game, member, purpose), choice)


def _offer(game: Game) -> Case:
    robin = make_member(game.club, make_user()).user
    asked = offer_seat(organiser=organiser_of(game), game_id=game.pk, seat=0, member=robin, now=NOW)
    link = link_for(game, 0, robin, TurnLink.Purpose.OFFER, asked.pk, now=NOW)
    return Case(game, robin, "offer", path_of(link), "accept")


def organiser_of(game: Game) -> User:
    return game.club.memberships.get(role=Role.ORGANISER).user


def call_table_talk(game: Game, member: User) -> None:
    seen = queries.seen_game(game.pk, member)
    assert seen is not None
    assert seen.seat is not None
    team = seen.loaded.rules.team_names[seen.seat % game.teams]
    rule(game, {"act": "table_talk", "team": team})


def rule(game: Game, data: dict[str, Any], substitute: User | None = None) -> None:
    game.refresh_from_db()
    rule_game(
        game_id=game.pk,
        organiser=organiser_of(game),
        data=data,
        substitute=substitute,
        expected_version=game.version,
        now=NOW,
    )


def act(game: Game, member: User, **data: Any) -> None:
    game.refresh_from_db()
    take_turn(game_id=game.pk, member=member, data=data, expected_version=game.version, now=NOW)


def offer_draw(game: Game, member: User) -> None:
    act(game, member, act="offer_draw")


def choice_of(data: dict[str, Any]) -> str:
    """Return a request as the form of a page has it."""
    words = [data["act"], data.get("card", ""), data.get("space", "")]
    words.append(",".join("-".join(ends) for ends in data.get("lines") or ()))
    return " ".join(word for word in words if word)


def everything() -> dict[str, Any]:
    """Return the rows of every table, digested, with the transactions that wrote them."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(
                f"SELECT count(*), md5(string_agg(t::text || t.xmin::text, '|' ORDER BY t::text)) "
                f'FROM "{table}" AS t'
            )
            found[table] = cursor.fetchone()
    return found


def hand_of(game: Game, member: User) -> tuple[str, ...]:
    seen = queries.seen_game(game.pk, member)
    assert seen is not None
    assert seen.view is not None
    assert seen.seat is not None
    hand = seen.view.hands[seen.seat]
    assert hand is not None
    return hand


def heading(page: Any) -> str:
    """Return the last heading of the page's own text, without its markup."""
    found = re.findall(r"<h2(?: id=\"[a-z-]+\")?>(.*?)</h2>|<h1>(.*?)</h1>", page.text, re.DOTALL)
    return " / ".join(first or second for first, second in found)


def bearer(**options: Any) -> Client:
    """Return somebody who has the link and nothing else, at a browser that sends what browsers send."""
    return Client(enforce_csrf_checks=True, **options)
