import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from redis import Redis

from sequence_site.cache import FailOpenCache, FailOpenClient


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Iterator[BaseCache]:
    """A cache whose server is not there."""
    monkeypatch.setattr(FailOpenClient, "away_until", 0.0)
    monkeypatch.setattr(FailOpenClient, "pause", 0.0)
    yield FailOpenCache("unix:///nowhere/valkey.sock", {"OPTIONS": {"socket_connect_timeout": 1}})
    FailOpenClient.away_until = FailOpenClient.pause = 0.0


def test_the_cache_keeps_and_counts() -> None:
    cache = caches["default"]

    cache.set("fruit", {"pear": 1})
    cache.add("guesses", 0)

    assert cache.get("fruit") == {"pear": 1}
    assert cache.incr("guesses") == 1
    assert cache.get_many(["fruit", "none"]) == {"fruit": {"pear": 1}}


def test_clearing_the_cache_leaves_the_messages_on_the_same_server(settings: object) -> None:
    cache = caches["default"]
    server = Redis.from_url(settings.CACHE_URL)
    server.rpush("tests-queue", "message")
    cache.set("fruit", "pear")

    cache.clear()

    assert cache.get("fruit") is None
    assert server.lpop("tests-queue") == b"message"


def test_an_absent_cache_knows_nothing_and_reaches_no_limit(away: BaseCache) -> None:
    assert away.get("fruit", "none") == "none"
    assert away.get_many(["fruit"]) == {}
    assert away.add("fruit", "pear", 10) is True
    assert away.incr("guesses") == 1
    assert away.has_key("fruit") is False
    away.set("fruit", "pear")
    away.set_many({"fruit": "pear"})
    away.delete_many(["fruit"])
    assert away.delete("fruit") is False
    assert away.touch("fruit", 10) is False
    away.clear()


def test_an_absent_cache_is_asked_once_and_then_left_alone(
    away: BaseCache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    started = time.monotonic()
    for number in range(200):
        away.get(f"key {number}".replace(" ", "-"))

    assert time.monotonic() - started < 1.5
    assert caplog.text.count("the cache is away") == 1


def test_a_cache_that_stays_away_is_asked_less_and_less_and_then_again(away: BaseCache) -> None:
    pauses = []
    for _ in range(6):
        FailOpenClient.away_until = 0.0  # the pause is over
        away.get("fruit")
        pauses.append(FailOpenClient.pause)

    assert pauses == [5, 10, 20, 40, 60, 60]

    FailOpenClient.away_until = 0.0
    caches["default"].get("fruit")
    assert FailOpenClient.pause == 0
    assert FailOpenClient.away_until == 0


def test_of_many_requests_one_waits_for_a_silent_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(FailOpenClient, "away_until", 0.0)
    monkeypatch.setattr(FailOpenClient, "pause", 5.0)
    place = str(tmp_path / "silent.sock")
    with socket.socket(socket.AF_UNIX) as silent, ThreadPoolExecutor(8) as pool:
        silent.bind(place)
        silent.listen(16)
        silent.setblocking(False)
        cache = FailOpenCache(f"unix://{place}", {"OPTIONS": {"socket_timeout": 0.25}})

        assert list(pool.map(cache.get, ["fruit"] * 8)) == [None] * 8

        callers = 0
        with suppress(BlockingIOError):
            while True:
                silent.accept()[0].close()
                callers += 1
    assert callers == 1
