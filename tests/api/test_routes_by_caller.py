"""Every route of the API by every kind of caller: one table, and no route without a row in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from rest_framework.test import APIClient

from games.accounts.models import Token, User
from games.clubs.models import Role
from games.clubs.services import invite
from games.hooks.models import Delivery
from games.hooks.services import create_webhook
from games.play.models import Game, Leave
from games.play.services.organising import rule_game
from games.play.services.proposing import propose_game, take_seat
from tests.api.builders import client_of
from tests.builders import NOW, make_club, make_member, make_token, make_user
from tests.play.builders import legal, make_game

pytestmark = pytest.mark.django_db

FAR = [(timezone.now() + timedelta(days=days)).date().isoformat() for days in (40, 45, 60)]
"""Days that lie ahead whenever the tests run."""

CALLERS = (
    "nobody", "outsider", "member", "on_turn", "other_seat", "team_mate", "organiser", "other_organiser",
    "site_admin", "no_scope",
)  # fmt: skip
"""`other_seat` is of the other team; `no_scope` is who may do it, with a token that lacks the scope."""


class World:
    """A closed club with a running game of four, a proposed one and a finished one; and others elsewhere."""

    def __init__(self) -> None:
        self.organiser = make_user("olivia")
        self.club = make_club("tuesday", organiser=self.organiser)
        self.member = make_member(self.club, make_user("mia")).user
        self.outsider = make_user("oscar", password="correct horse battery")
        self.other_organiser = make_user("otto")
        make_club("owls", organiser=self.other_organiser)
        self.site_admin = make_user("ada", is_superuser=True, is_staff=True)
        self.game = make_game(4, club=self.club)
        self.game.refresh_from_db()
        players = [place.member for place in self.game.places.order_by("number")]
        assert self.game.turn_seat is not None
        self.on_turn, self.other_seat, self.team_mate = (
            players[(self.game.turn_seat + step) % 4] for step in (0, 1, 2)
        )
        self.action = legal(self.game, self.on_turn)[0]
        self.proposed = propose_game(proposer=self.on_turn, club=self.club, seats=4, now=NOW)
        take_seat(member=self.other_seat, game_id=self.proposed.pk, seat=1, now=NOW)
        self.finished = self._finished()
        asked = {"email": "dora@example.org", "role": Role.MEMBER}
        self.code = invite(club=self.club, by=self.organiser, now=NOW, **asked).code
        self.leave = Leave.objects.create(
            member=self.on_turn, starts_on=FAR[2], ends_on=FAR[2], created_at=NOW
        )
        self.holiday = self.club.holidays.create(name="Easter", starts_on=FAR[0], ends_on=FAR[1])
        make_token(self.on_turn, name="old")
        self.token = Token.objects.get(name="old")
        self.hook = create_webhook(member=self.on_turn, url="https://example.org/ring", now=NOW)
        self.delivery = self._delivery()

    def _delivery(self) -> Delivery:
        return Delivery.objects.create(
            webhook=self.hook, key="turn", kind="turn.started", happened_at=NOW, created_at=NOW, due_at=NOW,
            until=NOW,
        )  # fmt: skip

    def _finished(self) -> Game:
        game = make_game(2, club=self.club)
        game.refresh_from_db()
        ruling = {"act": "rule", "winner": "blue", "reason": "Agreed."}
        rule_game(
            game_id=game.pk, organiser=self.organiser, data=ruling, expected_version=game.version, now=NOW
        )
        return game

    def user(self, caller: str, scope: str) -> User | None:
        if caller == "nobody":
            return None
        if caller == "no_scope":
            return self.organiser if scope == "organise" else self.on_turn
        user: User = getattr(self, caller)
        return user

    def client(self, caller: str, scope: str) -> APIClient:
        scopes = {"read", "play", "organise"} - ({scope} if caller == "no_scope" else set())
        return client_of(self.user(caller, scope), " ".join(sorted(scopes)))

    def fill(self, text: Any) -> Any:
        """Put the world's own names into a row's address or body."""
        if isinstance(text, dict):
            return {name: self.fill(value) for name, value in text.items()}
        if not isinstance(text, str):
            return text
        if text == "VERSION":
            return self.game.version
        return text.format(
            game=self.game.pk, proposed=self.proposed.pk, finished=self.finished.pk, mia=self.member.uuid,
            leave=self.leave.pk, holiday=self.holiday.pk, letter="ABCD"[self.game.turn_seat or 0],
            token=self.token.public_id, code=self.code,
            hook=self.hook.uuid, delivery=self.delivery.uuid,
        )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """What a request answers each of CALLERS; `scope` is the one that it takes."""

    method: str
    pattern: str
    expected: str
    address: str = ""
    body: Any = None
    scope: str = "read"

    def statuses(self) -> dict[str, int]:
        statuses = [int(word) for word in self.expected.split()]
        return dict(zip(CALLERS, statuses, strict=True))

    def __str__(self) -> str:
        return f"{self.method} {self.address or self.pattern}"


GAME = "games/<int:game_id>"
CLUB = "clubs/<slug:slug>"
HOOKS = "me/webhooks"
RECORD = '[SQN "1"] [Seats "A=anna:blue B=bo:green"]'
ANYONE = "200 200 200 200 200 200 200 200 200 200"
ALL_READ = "200 200 200 200 200 200 200 200 200 403"
WHO_SEES = "404 404 200 200 200 200 200 404 404 403"

TABLE = (
    Row("get", "schema/", ANYONE),
    Row("get", "docs/", ANYONE),
    Row("get", "redoc/", ANYONE),
    # Accounts                               nob out mem trn oth mat org oog adm scp
    Row("post", "auth/codes",               "202 202 202 202 202 202 202 202 202 202",
        body={"email": "mia@example.org"}),
    Row("get", "auth/tokens",               "401 200 200 200 200 200 200 200 200 403"),
    Row("post", "auth/tokens",              "201 201 201 201 201 201 201 201 201 201",
        body={"username": "oscar", "password": "correct horse battery"}),
    Row("delete", "auth/tokens/<uuid:public_id>", "401 404 404 204 404 404 404 404 404 204",
        "auth/tokens/{token}"),
    Row("post", "auth/sign-out",            "401 204 204 204 204 204 204 204 204 204"),
    Row("get", "me",                        "401 200 200 200 200 200 200 200 200 403"),
    Row("patch", "me",                      "401 200 200 200 200 200 200 200 200 403",
        body={"language": "nl"}, scope="play"),
    Row("get", HOOKS,                       "401 200 200 200 200 200 200 200 200 403"),
    Row("post", HOOKS,                      "401 201 201 201 201 201 201 201 201 403",
        body={"url": "https://example.org/ring"}, scope="play"),
    Row("patch", f"{HOOKS}/<uuid:uuid>",    "401 404 404 200 404 404 404 404 404 403",
        f"{HOOKS}/{{hook}}", {"is_active": False}, "play"),
    Row("delete", f"{HOOKS}/<uuid:uuid>",   "401 404 404 204 404 404 404 404 404 403",
        f"{HOOKS}/{{hook}}", scope="play"),
    Row("get", f"{HOOKS}/<uuid:uuid>/deliveries", "401 404 404 200 404 404 404 404 404 403",
        f"{HOOKS}/{{hook}}/deliveries"),
    Row("post", f"{HOOKS}/<uuid:uuid>/deliveries/<uuid:delivery>/resend",
        "401 404 404 202 404 404 404 404 404 403",
        f"{HOOKS}/{{hook}}/deliveries/{{delivery}}/resend", scope="play"),
    Row("get", "me/leaves",                 "401 200 200 200 200 200 200 200 200 403"),
    Row("post", "me/leaves",                "401 201 201 201 201 201 201 201 201 403",
        body={"starts_on": FAR[0], "ends_on": FAR[1]}, scope="play"),
    Row("delete", "me/leaves/<int:leave_id>", "401 404 404 204 404 404 404 404 404 403",
        "me/leaves/{leave}", scope="play"),
    # Clubs
    Row("get", "clubs", ALL_READ),
    Row("post", "clubs",                    "401 201 201 201 201 201 201 201 201 403",
        body={"slug": "new", "name": "New"}, scope="organise"),
    Row("get", CLUB, WHO_SEES, "clubs/tuesday"),
    Row("patch", CLUB,                      "401 404 403 403 403 403 200 404 404 403",
        "clubs/tuesday", {"name": "Wednesday"}, "organise"),
    Row("get", f"{CLUB}/members",           "401 404 200 200 200 200 200 404 404 403",
        "clubs/tuesday/members"),
    Row("patch", f"{CLUB}/members/<uuid:uuid>", "401 404 403 403 403 403 200 404 404 403",
        "clubs/tuesday/members/{mia}", {"role": "organiser"}, "organise"),
    Row("delete", f"{CLUB}/members/<uuid:uuid>", "401 404 204 403 403 403 204 404 404 403",
        "clubs/tuesday/members/{mia}", scope="organise"),
    Row("get", f"{CLUB}/invitations",       "401 404 403 403 403 403 200 404 404 403",
        "clubs/tuesday/invitations"),
    Row("post", f"{CLUB}/invitations",      "401 404 403 403 403 403 201 404 404 403",
        "clubs/tuesday/invitations", {"email": "eva@example.org"}, "organise"),
    Row("get", f"{CLUB}/holidays",          "401 404 200 200 200 200 200 404 404 403",
        "clubs/tuesday/holidays"),
    Row("post", f"{CLUB}/holidays",         "401 404 403 403 403 403 201 404 404 403",
        "clubs/tuesday/holidays", {"name": "Yule", "starts_on": FAR[0], "ends_on": FAR[1]}, "organise"),
    Row("delete", f"{CLUB}/holidays/<int:holiday_id>", "401 404 403 403 403 403 204 404 404 403",
        "clubs/tuesday/holidays/{holiday}", scope="organise"),
    Row("post", "invitations/accept",       "401 200 409 409 409 409 409 200 200 403",
        body={"code": "{code}"}, scope="play"),
    # Editions
    Row("get", "editions", ALL_READ),
    Row("get", "editions/<slug:name>", ALL_READ, "editions/classic"),
    # Games                                  nob out mem trn oth mat org oog adm scp
    Row("get", "games", ALL_READ),
    Row("post", "games",                    "401 404 201 201 201 201 201 404 404 403",
        body={"club": "tuesday", "seats": 2}, scope="play"),
    Row("get", GAME, WHO_SEES, "games/{game}"),
    Row("delete", GAME,                     "401 404 403 204 403 403 204 404 404 403",
        "games/{proposed}", scope="play"),
    Row("delete", GAME,                     "401 404 409 409 409 409 409 404 404 403",
        "games/{game}", scope="play"),
    Row("get", f"{GAME}/legal", WHO_SEES, "games/{game}/legal"),
    Row("post", f"{GAME}/seats",            "401 404 201 409 409 201 201 404 404 403",
        "games/{proposed}/seats", {}, "play"),
    Row("delete", f"{GAME}/seats/<slug:letter>", "401 404 403 204 403 403 403 404 404 403",
        "games/{proposed}/seats/A", scope="play"),
    Row("put", f"{GAME}/seats/<slug:letter>/invitation", "401 404 403 200 403 403 200 404 404 403",
        "games/{proposed}/seats/C/invitation", {"member": "{mia}"}, "play"),
    Row("post", f"{GAME}/bots",             "401 404 403 201 403 403 201 404 404 403",
        "games/{proposed}/bots", {"seat": "C"}, "play"),
    Row("post", f"{GAME}/turns",            "401 404 403 201 409 409 403 404 404 403",
        "games/{game}/turns", "TURN", "play"),
    Row("post", f"{GAME}/turns",            "401 404 409 409 409 409 409 404 404 403",
        "games/{finished}/turns", "TURN", "play"),
    Row("get", f"{GAME}/rulings",           "401 404 200 200 200 200 200 404 404 403",
        "games/{game}/rulings"),
    Row("post", f"{GAME}/rulings",          "401 404 403 403 403 403 201 404 404 403",
        "games/{game}/rulings", {"act": "expire", "expected_version": "VERSION"}, "organise"),
    Row("get", f"{GAME}/events", WHO_SEES, "games/{game}/events"),
    Row("get", f"{GAME}/tenures", WHO_SEES, "games/{game}/tenures"),
    Row("get", f"{GAME}/record", WHO_SEES, "games/{game}/record"),
    Row("get", f"{GAME}/record",            "404 404 403 200 403 403 403 404 404 403",
        "games/{game}/record?view=seat:{letter}"),
    Row("get", f"{GAME}/record",            "404 404 409 409 409 409 409 404 404 403",
        "games/{game}/record?view=full"),
    Row("get", f"{GAME}/record", WHO_SEES, "games/{finished}/record?view=full"),
    Row("get", f"{GAME}/deal",              "404 404 409 409 409 409 409 404 404 403", "games/{game}/deal"),
    Row("get", f"{GAME}/deal", WHO_SEES, "games/{finished}/deal"),
    Row("post", "records",                  "401 404 201 201 201 201 201 404 404 403",
        body={"club": "tuesday", "record": RECORD}, scope="play"),
    Row("post", "records/check",            "401 200 200 200 200 200 200 200 200 403",
        body={"record": RECORD}),
    # Statistics
    Row("get", "stats/games/<int:game_id>", "404 404 409 409 409 409 409 404 404 403", "stats/games/{game}"),
)  # fmt: skip


def patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each, prefix + str(each.pattern))
        else:
            yield prefix + str(each.pattern), each


def routes() -> set[tuple[str, str]]:
    """Return every (method, pattern) that the API takes."""
    methods = ("get", "post", "put", "patch", "delete")
    return {
        (method, path.removeprefix("api/v1/"))
        for path, pattern in patterns(get_resolver())
        if path.startswith("api/v1/")
        for method in methods
        if hasattr(pattern.callback.cls, method)
    }


def test_every_route_is_in_the_table():
    assert {(row.method, row.pattern) for row in TABLE} == routes()


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_each_caller_gets_the_answer_of_the_table(world: World, row: Row) -> None:
    body = {**world.action, "expected_version": world.game.version} if row.body == "TURN" else row.body
    answers = {}

    for caller in CALLERS:
        before = transaction.savepoint()
        client = world.client(caller, row.scope)
        address = f"/api/v1/{world.fill(row.address or row.pattern)}"
        answer = getattr(client, row.method)(address, None if body is None else world.fill(body))
        answers[caller] = answer.status_code
        transaction.savepoint_rollback(before)

    assert answers == row.statuses()


OF_GAMES = [row.address for row in TABLE if row.method == "get" and "games/{" in row.address]


@pytest.mark.parametrize("address", OF_GAMES)
def test_what_one_may_not_see_looks_like_what_is_not_there(world: World, address: str) -> None:
    client = world.client("outsider", "none")

    hidden = client.get(f"/api/v1/{world.fill(address)}")
    absent = client.get(f"/api/v1/{re.sub('[{](game|finished)[}]', '987654', address).format(letter='A')}")

    assert (hidden.status_code, hidden.content) == (absent.status_code, absent.content)


OPEN = {
    "games/{game}": 200, "games/{game}/legal": 200, "games/{game}/events": 200, "games/{game}/tenures": 200,
    "games/{game}/record": 200, "games/{finished}/deal": 200, "games/{game}/rulings": 401,
    "games/{game}/record?view=seat:A": 403,
}  # fmt: skip


@pytest.mark.parametrize("address", OPEN)
def test_anybody_reads_the_games_of_an_open_club(world: World, address: str) -> None:
    world.club.is_open = True
    world.club.save()

    answer = client_of(None).get(f"/api/v1/{world.fill(address)}")

    assert answer.status_code == OPEN[address]
    if address == "games/{game}":
        assert {hand["cards"] for hand in answer.json()["position"]["hands"].values()} == {None}


@pytest.mark.parametrize("row", TABLE, ids=str)
@pytest.mark.parametrize("method", ["options", "head"])
def test_no_address_fails_when_it_is_only_asked_about(world: World, row: Row, method: str) -> None:
    client = world.client("on_turn", "none")
    client.raise_request_exception = False

    assert getattr(client, method)(f"/api/v1/{world.fill(row.address or row.pattern)}").status_code < 500
