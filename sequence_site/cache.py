"""The cache on the broker's server; with the server away it knows nothing instead of failing."""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)

# After a failure the server is left alone for so long, and twice as long after each further one: requests
# must not wait for it again and again.
PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 60.0

# What each call answers while the server is away: nothing is there, everything new is taken, and counters
# stay at their first step, so that no limit is reached.
ANSWERS: dict[str, Callable[..., Any]] = {
    "add": lambda _key, _value, _timeout: True,
    "get": lambda _key, default: default,
    "set": lambda _key, _value, _timeout: None,
    "touch": lambda _key, _timeout: False,
    "delete": lambda _key: False,
    "get_many": lambda _keys: {},
    "has_key": lambda _key: False,
    "incr": lambda _key, delta: delta,
    "set_many": lambda _data, _timeout: None,
    "delete_many": lambda _keys: None,
    "clear": lambda _prefix: None,
}


class FailOpenClient:
    """Django's client of the server, that answers by ANSWERS while the server is away."""

    # Of the process: every thread has a client of its own.
    away_until: ClassVar[float] = 0.0
    pause: ClassVar[float] = 0.0

    def __init__(self, servers: list[str], **options: Any) -> None:
        self._client = RedisCacheClient(servers, retry=Retry(NoBackoff(), 0), **options)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(self._try, getattr(self._client, name), ANSWERS[name])

    def clear(self, prefix: str) -> None:
        """Delete the keys below `prefix` only: the server is the broker's too."""
        self._try(self._delete_below, ANSWERS["clear"], prefix)

    def _delete_below(self, prefix: str) -> None:
        client = self._client.get_client(None, write=True)
        for key in client.scan_iter(match=f"{prefix}:*", count=500):
            client.delete(key)

    @classmethod
    def _try(cls, call: Callable[..., Any], answer: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        now = time.monotonic()
        if now < cls.away_until:
            return answer(*args, **kwargs)
        if cls.pause:
            # One call tries whether the server is back; the others do not wait with it.
            cls.away_until = now + cls.pause
        try:
            result = call(*args, **kwargs)
        except (RedisError, OSError) as error:
            cls.pause = min(2 * cls.pause or PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
            cls.away_until = time.monotonic() + cls.pause
            logger.warning("the cache is away: %s", type(error).__name__)
            return answer(*args, **kwargs)
        cls.away_until = cls.pause = 0.0
        return result


class FailOpenCache(RedisCache):
    """Django's Redis cache with a client that never fails for want of a server."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = FailOpenClient

    def clear(self) -> None:
        client: Any = self._cache
        client.clear(self.key_prefix)
