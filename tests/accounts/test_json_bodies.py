"""Bodies that must not come in, each refused with 400 and its path."""

import json

import pytest
from rest_framework.test import APIClient

from games.accounts.api_parsers import read_object
from games.accounts.api_problems import Problem


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"a": NaN}', "a"),
        (b'{"a": [1, Infinity]}', "a.1"),
        (b'{"a": {"b": -Infinity}}', "a.b"),
        (b'{"a": 1e999}', "a"),
        (b'{"a": 9223372036854775808}', "a"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a"),
        (b'{"a": "x\\u0000y"}', "a"),
        (b'{"a": "\\ud800"}', "a"),
        (b'{"a": "\\udc00\\ud800"}', "a"),
        (b'{"a": {"\\u0000": 1}}', "a"),
        (b'{"a": {"\\ud800": 1}}', "a"),
        (b'{"a": 1, "a": 2}', "a"),
        (b'{"a": {"b": 1, "b": 2}}', "a.b"),
        (b"[]", ""),
        (b'"a"', ""),
        (b"null", ""),
        (b"NaN", ""),
        (b"", ""),
        (b'{"a": 1', ""),
        (b"{'a': 1}", ""),
        (b'{"a": 1} x', ""),
        (b'{"a": "\xff"}', ""),
        ('{"a": 1}'.encode("utf-16"), ""),
        (b'\xef\xbb\xbf{"a": 1}', ""),
        (b'{"a": "x\ny"}', ""),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_path(body, field):
    with pytest.raises(Problem) as refused:
        read_object(body)

    assert (refused.value.status, refused.value.code) == (400, "malformed")
    assert [error["field"] for error in refused.value.errors or ()] == [field]


@pytest.mark.parametrize("depth", [40, 5_000, 200_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_a_deeply_nested_body_is_refused(depth, opening, closing):
    inner = b"1" if opening != b"[" else b""

    with pytest.raises(Problem) as refused:
        read_object(b'{"a":' + opening * depth + inner + closing * depth + b"}")

    assert refused.value.status == 400
    assert "nested" in refused.value.detail


def test_ordinary_values_come_in_unchanged():
    value = {
        "text": "Grüße 🃏 \U0001f0a1",
        "most": 2**63 - 1,
        "least": -(2**63 - 1),
        "half": 0.5,
        "list": [[], {}, None],
    }

    assert read_object(json.dumps(value).encode()) == value
    assert read_object(json.dumps(value, ensure_ascii=False).encode()) == value


def test_a_body_of_a_hundred_faults_lists_twenty():
    body = json.dumps({f"a{number}": "\0" for number in range(100)}).encode()

    with pytest.raises(Problem) as refused:
        read_object(body)

    assert len(refused.value.errors or ()) == 20


@pytest.mark.django_db
class TestOverHTTP:
    address = "/api/v1/auth/codes"

    def post(self, body: bytes, content_type: str = "application/json"):
        return APIClient().generic("POST", self.address, body, content_type=content_type)

    def test_a_body_that_is_not_json_is_malformed(self):
        answer = self.post(b"{")

        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
        assert answer.headers["Content-Type"] == "application/problem+json"

    def test_ten_megabytes_are_too_large(self):
        answer = self.post(b'{"email": "' + b"x" * 10_000_000 + b'"}')

        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")

    def test_the_limit_holds_without_the_declared_length(self, settings):
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
        settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "RequestLimits" not in name]

        assert self.post(b'{"email": "' + b"x" * 90 + b'"}').status_code == 413
        assert self.post(b'{"email": "' + b"x" * 80 + b'"}').status_code == 400

    @pytest.mark.parametrize(
        "content_type", ["application/x-www-form-urlencoded", "text/plain", "a/b; =", ""]
    )
    def test_other_media_types_are_unsupported(self, content_type):
        answer = self.post(b"email=anna@example.org", content_type)

        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
