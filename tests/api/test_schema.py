"""The OpenAPI schema is valid without a warning, and no answer is other than it says."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from games.accounts.models import User
from games.play.models import Game
from games.play.services.organising import rule_game
from games.play.services.proposing import propose_game
from sequence_site.wsgi import application
from tests.builders import NOW, make_club, make_token, make_user
from tests.play.builders import make_game, play_one

pytestmark = pytest.mark.django_db

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
EXAMPLES = 12
"""For each operation: enough to leave the first refusal, few enough for a slow core."""


def test_the_schema_is_valid_and_draws_no_warning(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))

    text = (tmp_path / "schema.yml").read_text(encoding="utf-8")
    assert text.startswith("openapi: 3.1")


def test_every_operation_says_in_one_clause_what_it_does():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    summaries = {
        f"{method} {path}": operation["summary"]
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
    }

    assert summaries["get /api/v1/me"] == "Return the caller's own settings"
    assert not {name: said for name, said in summaries.items() if not 5 < len(said) < 110}


class World:
    """A member who organises a club, with games of every status in it."""

    def __init__(self) -> None:
        self.user: User = make_user("olivia")
        self.club = make_club("tuesday", organiser=self.user)
        running, over = make_game(2, club=self.club), make_game(3, club=self.club)
        play_one(running)
        running.refresh_from_db()
        running.places.filter(number=running.turn_seat).update(member=self.user)
        over.refresh_from_db()
        ruling = {"act": "rule", "winner": "draw", "reason": "Agreed."}
        rule_game(game_id=over.pk, organiser=self.user, data=ruling, expected_version=over.version, now=NOW)
        proposed = propose_game(proposer=self.user, club=self.club, seats=3, now=NOW)
        self.games: list[Game] = [running, over, proposed]

    def known(self) -> dict[str, list[Any]]:
        """Return what addresses may name so that something is found."""
        return {
            "game_id": [game.pk for game in self.games],
            "slug": ["tuesday"],
            "name": ["classic"],
            "letter": ["A", "B", "C"],
            "uuid": [str(self.user.uuid)],
        }


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the test's own transaction open over requests, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def schema(db: None, one_connection: None) -> Any:
    return schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application)


def operations(schema: Any) -> Iterator[Any]:
    for result in schema.get_all_operations():
        yield result.ok()


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_answer_is_as_the_schema_says(schema: Any, mode: GenerationMode) -> None:
    world, called = World(), 0

    for operation in operations(schema):
        # Any text may stand in an address: only a body can be wrong in form.
        if mode == GenerationMode.POSITIVE or operation.body:
            judge(operation, world, mode)
            called += 1

    assert called > 12


def judge(operation: Any, world: World, mode: GenerationMode) -> None:
    """Call one operation with what schemathesis makes up, at addresses where something is found."""
    # Some operations revoke the token that they are called with.
    headers, known = {"Authorization": f"Bearer {make_token(world.user)}"}, world.known()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def call(case: Any, data: Any) -> None:
        for name, values in known.items():
            if name in (case.path_parameters or {}) and data.draw(st.integers(0, 3)):
                case.path_parameters[name] = data.draw(st.sampled_from(values))
        case.call_and_validate(headers=headers, checks=CHECKS)

    call()
