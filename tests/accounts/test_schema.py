"""The OpenAPI schema tells every answer, refusals included."""

from typing import Any

import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from games.accounts.api_problems import CONTENT_TYPE

REFUSALS = {"$ref": "#/components/schemas/Problem"}


@pytest.fixture(scope="module")
def schema() -> Any:
    with GENERATOR_STATS.silence():
        return SchemaGenerator().get_schema(request=None, public=True)


def operations(schema: Any) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, item in schema["paths"].items()
        for method, operation in item.items()
        if not path.startswith("/api/v1/schema")
    ]


def test_the_schema_is_valid(schema):
    validate_schema(schema)


def test_every_refusal_is_a_problem(schema):
    for method, path, operation in operations(schema):
        refusals = {int(code): body for code, body in operation["responses"].items() if int(code) >= 400}
        assert {400, 406, 429} <= set(refusals), (method, path)
        for code, body in refusals.items():
            assert body["content"] == {CONTENT_TYPE: {"schema": REFUSALS}}, (method, path, code)


def test_operations_that_ask_for_a_sign_in_tell_401_and_403(schema):
    for method, path, operation in operations(schema):
        if {} not in operation["security"]:
            assert {"401", "403"} <= set(operation["responses"]), (method, path)


def test_what_anyone_may_do_is_marked_so(schema):
    open_to_all = {
        (method, path) for method, path, operation in operations(schema) if {} in operation["security"]
    }

    assert open_to_all >= {
        ("post", "/api/v1/auth/codes"),
        ("post", "/api/v1/auth/tokens"),
        ("get", "/api/v1/clubs"),
        ("get", "/api/v1/clubs/{slug}"),
    }
    assert not open_to_all & {
        ("post", "/api/v1/clubs"),
        ("get", "/api/v1/me"),
        ("get", "/api/v1/auth/tokens"),
    }
