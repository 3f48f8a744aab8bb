"""Wishes for mail are counted by where they come from as well, so that no one machine jams them."""

from datetime import timedelta

import pytest
from django.test import Client, RequestFactory

from games.accounts import services
from games.accounts.attempts import network_of
from games.accounts.models import CodeRequest, SignInAttempt
from games.accounts.services import request_codes, take_code_request
from tests.builders import NOW, make_user


@pytest.mark.parametrize(
    ("remote", "passed_on", "proxies", "expected"),
    [
        ("8.8.8.8", None, 0, "8.8.8.8/32"),
        ("8.8.8.8", "1.1.1.1", 0, "8.8.8.8/32"),
        ("127.0.0.1", "9.9.9.9, 1.1.1.1", 1, "1.1.1.1/32"),
        ("127.0.0.1", "9.9.9.9, 1.1.1.1", 2, "9.9.9.9/32"),
        ("127.0.0.1", "1.1.1.1", 2, "1.1.1.1/32"),
        ("2a00:1450:4001:81b::200e", None, 0, "2a00:1450:4001:81b::/64"),
        ("2a00:1450:4001:81b:ffff::1", None, 0, "2a00:1450:4001:81b::/64"),
        ("::ffff:8.8.8.8", None, 0, "8.8.8.8/32"),
        ("127.0.0.1", None, 0, ""),
        ("10.0.0.7", None, 0, ""),
        ("127.0.0.1", "nonsense", 1, ""),
        ("", None, 0, ""),
    ],
)
def test_where_a_request_comes_from(settings, remote, passed_on, proxies, expected):
    settings.TRUSTED_PROXIES = proxies
    more = {} if passed_on is None else {"HTTP_X_FORWARDED_FOR": passed_on}

    assert network_of(RequestFactory().get("/", REMOTE_ADDR=remote, **more)) == expected


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "field", "json"),
    [("/sign-in/code", "email", False), ("/links", "who", False), ("/api/v1/auth/codes", "email", True)],
)
def test_an_address_wishes_thirty_times_an_hour_whatever_it_types(path, field, json):
    client = Client(REMOTE_ADDR="8.8.8.8")
    kind = {"content_type": "application/json"} if json else {}
    answers = [client.post(path, {field: f"a{number}@example.org"}, **kind) for number in range(31)]

    assert {answer.status_code for answer in answers[:30]} <= {200, 202}
    assert answers[30].status_code == 429
    other = Client(REMOTE_ADDR="9.9.9.9").post(path, {field: "a31@example.org"}, **kind)
    assert other.status_code in (200, 202)
    assert not SignInAttempt.objects.filter(key__contains="8.8.8.8").exists()


@pytest.mark.django_db
def test_thousands_of_requests_of_nobody_cost_a_few_queries(django_assert_max_num_queries):
    make_user("anna")
    strangers = [
        CodeRequest(address=f"nobody{number}@example.org", requested_at=NOW, due_at=NOW)
        for number in range(services.REQUESTS_AT_ONCE - 1)
    ]
    CodeRequest.objects.bulk_create(strangers)
    request_codes(email="anna@example.org", now=NOW + timedelta(seconds=1))
    request_codes(email="later@example.org", now=NOW + timedelta(seconds=1))

    with django_assert_max_num_queries(14):
        wanted = take_code_request(now=NOW + timedelta(seconds=1))

    assert wanted is not None
    assert [user.username for user, _ in wanted.codes] == ["anna"]
    assert sorted(CodeRequest.objects.values_list("address", flat=True)) == [
        "anna@example.org",
        "later@example.org",
    ]
