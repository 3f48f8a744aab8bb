"""Every refusal of the API is a problem document with a stable code."""

import json

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.exceptions import ValidationError as ModelError
from django.db import models
from django.http import Http404
from django.test import Client, RequestFactory
from rest_framework import exceptions, serializers
from rest_framework.renderers import BrowsableAPIRenderer, JSONRenderer
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from games.accounts import api_problems
from games.accounts.api_problems import CODES, Problem


def answer_to(error: Exception, accept: str = "application/json"):
    class Failing(APIView):
        authentication_classes = ()
        permission_classes = ()
        throttle_classes = ()
        renderer_classes = [JSONRenderer, BrowsableAPIRenderer]

        def get(self, request):
            raise error

    answer = Failing.as_view()(APIRequestFactory().get("/api/v1/x", HTTP_ACCEPT=accept))
    return answer, json.loads(answer.content)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (exceptions.ParseError(), 400, "malformed"),
        (SuspiciousOperation("x"), 400, "malformed"),
        (exceptions.ValidationError({"a": ["b"]}), 400, "invalid"),
        (ModelError({"a": ["b"]}), 400, "invalid"),
        (exceptions.NotAuthenticated(), 401, "not_signed_in"),
        (exceptions.AuthenticationFailed(), 401, "bad_credentials"),
        (exceptions.PermissionDenied(), 403, "not_allowed"),
        (exceptions.PermissionDenied(code="missing_scope"), 403, "missing_scope"),
        (PermissionDenied(), 403, "not_allowed"),
        (exceptions.NotFound(), 404, "not_found"),
        (Http404(), 404, "not_found"),
        (models.ObjectDoesNotExist(), None, None),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
        (exceptions.NotAcceptable(), 406, "not_acceptable"),
        (api_problems.RequestDataTooBig(), 413, "too_large"),
        (exceptions.UnsupportedMediaType("a/b"), 415, "unsupported_media_type"),
        (exceptions.Throttled(wait=0.2), 429, "throttled"),
        (ZeroDivisionError(), None, None),
    ],
)
def test_each_exception_has_its_problem_and_faults_have_none(error, status, code):
    if status is None:
        assert api_problems.problem_of(error) is None
        return

    answer, body = answer_to(error)

    assert (answer.status_code, body["status"], body["code"]) == (status, status, code)
    assert CODES[code] == (status, body["title"])
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_problem_is_json_whatever_the_reader_asked_for():
    answer, body = answer_to(exceptions.NotFound(), accept="text/html")

    assert answer.headers["Content-Type"] == "application/problem+json"
    assert body["code"] == "not_found"


def test_a_problem_carries_its_rule_errors_headers_and_members():
    problem = Problem(
        412,
        "not_found",
        "The game has moved on.",
        rule="R8",
        errors=[{"field": "version", "message": "too old"}],
        headers={"ETag": '"v42"'},
        version=42,
    )

    answer, body = answer_to(problem)

    assert answer.headers["ETag"] == '"v42"'
    assert body == {
        "type": "about:blank",
        "title": "There is no such thing here",
        "status": 412,
        "detail": "The game has moved on.",
        "code": "not_found",
        "rule": "R8",
        "errors": [{"field": "version", "message": "too old"}],
        "version": 42,
    }


def test_a_throttled_answer_says_when_to_come_back():
    answer, body = answer_to(exceptions.Throttled(wait=41.2))

    assert answer.headers["Retry-After"] == "42"
    assert body["detail"] == "Try again in 42 seconds."


def test_errors_of_nested_fields_have_paths():
    class Chip(serializers.Serializer):
        space = serializers.CharField()

    class Play(serializers.Serializer):
        card = serializers.CharField()
        chips = Chip(many=True)
        lines = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))

        def validate(self, attrs):
            raise serializers.ValidationError("Never right.")

    play = Play(data={"chips": [{"space": "c7"}, {}], "lines": [[1], [2, "x"]]})
    assert not play.is_valid()

    _, body = answer_to(exceptions.ValidationError(play.errors))

    assert {error["field"] for error in body["errors"]} == {"card", "chips.1.space", "lines.1.1"}


def test_an_error_of_the_whole_body_has_an_empty_path():
    _, body = answer_to(exceptions.ValidationError("Never right."))

    assert body["errors"] == [{"field": "", "message": "Never right."}]
    assert body["detail"] == "Never right."


@pytest.mark.parametrize(
    ("method", "address", "status", "code"),
    [
        ("GET", "/api/v1/nothing", 404, "not_found"),
        ("GET", "/api/nothing", 404, "not_found"),
        ("PUT", "/api/v1/auth/codes", 405, "method_not_allowed"),
        ("GET", "/api/v1/auth/codes", 405, "method_not_allowed"),
    ],
)
@pytest.mark.django_db
def test_addresses_and_methods_that_are_not_there_give_problems(method, address, status, code):
    answer = Client().generic(method, address)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_what_cannot_be_represented_is_not_acceptable():
    answer = Client().post(
        "/api/v1/auth/codes", "{}", content_type="application/json", headers={"accept": "image/png"}
    )

    assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")


def test_a_fault_below_the_api_is_a_problem_that_tells_nothing():
    answer = api_problems.server_error(RequestFactory().get("/api/v1/me"))

    assert (answer.status_code, json.loads(answer.content)["code"]) == (500, "server_error")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_view_that_fails_below_the_api_answers_with_a_problem(monkeypatch, db):
    def fail(*args, **kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr("games.accounts.services.request_codes", fail)
    client = Client(raise_request_exception=False)

    answer = client.post("/api/v1/auth/codes", {"email": "anna@example.org"}, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
