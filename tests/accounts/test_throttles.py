"""Throttles: counted by token, told in headers, open when the cache is away."""

from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import override_settings
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.test import APIClient, APIRequestFactory, force_authenticate
from rest_framework.views import APIView

from games.accounts.api_throttles import ScopedThrottle
from games.accounts.models import Token
from tests.builders import make_token, make_user

pytestmark = pytest.mark.django_db

AT_A_WINDOW_S_START = 1_796_000_040


class Limited(APIView):
    permission_classes = ()
    throttle_classes = [ScopedThrottle]
    throttle_scope = "tests"

    def get(self, request):
        return Response({})


@pytest.fixture(autouse=True)
def three_a_minute(settings, monkeypatch):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"tests": "3/min"}}
    with time_machine.travel(AT_A_WINDOW_S_START, tick=False):
        cache.clear()
        yield
        cache.clear()


def get(token: Token | None = None, address: str = "192.0.2.1") -> Any:
    request = APIRequestFactory().get("/", REMOTE_ADDR=address)
    if token is not None:
        force_authenticate(request, token.user, token)
    return Limited.as_view()(request)


def test_the_fourth_request_of_a_minute_is_refused_and_told_when_to_come_back():
    statuses = [get().status_code for _ in range(4)]

    assert statuses == [200, 200, 200, 429]
    refused = get()
    assert refused.headers["Retry-After"] == "60"
    assert refused.headers["RateLimit"] == '"tests";r=0;t=60'
    with time_machine.travel(AT_A_WINDOW_S_START + 60, tick=False):
        assert get().status_code == 200


def test_an_answer_tells_what_is_left():
    get()

    answer = get()

    assert answer.headers["RateLimit-Policy"] == '"tests";q=3;w=60'
    assert answer.headers["RateLimit"] == '"tests";r=1;t=60'


def test_addresses_and_tokens_are_counted_apart():
    for name in ("phone", "laptop"):
        make_token(make_user(), name=name)
    phone, laptop = Token.objects.order_by("name")
    for _ in range(3):
        get(address="192.0.2.1")
        get(phone)

    assert get(address="192.0.2.1").status_code == 429
    assert get(phone).status_code == 429
    assert get(address="192.0.2.2").status_code == 200
    assert get(laptop).status_code == 200


def test_without_a_cache_everything_is_answered(monkeypatch):
    def fail(*args, **kwargs):
        raise ConnectionError

    monkeypatch.setattr("django.core.cache.backends.locmem.LocMemCache.add", fail)

    assert [get().status_code for _ in range(5)] == [200] * 5


def test_a_scope_without_a_rate_is_not_limited():
    with override_settings(REST_FRAMEWORK={"DEFAULT_THROTTLE_RATES": {}}):
        assert [get().status_code for _ in range(5)] == [200] * 5


def test_the_api_answers_with_its_cache_server_away(settings):
    settings.CACHES = {
        "default": {
            "BACKEND": "sequence_site.cache.FailOpenCache",
            "LOCATION": "unix:///nowhere/valkey.sock",
        }
    }

    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(make_user())}")

    assert client.get("/api/v1/me").status_code == 200
    assert get().status_code == 200


@pytest.mark.parametrize(
    ("proxies", "headers", "status"),
    [
        (0, ["192.0.2.7", "192.0.2.8", "192.0.2.9", "192.0.2.10"], 429),
        (1, ["192.0.2.7, 10.0.0.1", "192.0.2.8, 10.0.0.1", "192.0.2.9, 10.0.0.1", "10.0.0.1"], 429),
        (1, ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2"], 200),
        (2, ["x, 10.0.0.1, 10.0.1.1", "y, 10.0.0.1, 10.0.1.2", "10.0.0.1, 10.0.1.1", "10.0.0.1, a"], 429),
    ],
)
def test_only_what_trusted_proxies_say_of_the_address_is_believed(settings, proxies, headers, status):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}

    answers = [
        Limited.as_view()(APIRequestFactory().get("/", headers={"x-forwarded-for": header})).status_code
        for header in headers
    ]

    assert answers == [200, 200, 200, status]


def test_by_default_no_proxy_is_trusted():
    assert api_settings.NUM_PROXIES == 0
