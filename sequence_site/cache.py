"""The cache on the broker's server; with the server away it knows nothing instead of failing."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)

# After a failure the server is left alone for so long: a request must not wait for it again and again.
PAUSE_SECONDS = 5.0


class _FailOpenClient(RedisCacheClient):
    """Answers as an empty cache while the server is away; counters then never reach a limit."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, retry=Retry(NoBackoff(), 0), **options)
        self._away_until = 0.0

    def add(self, key: str, value: Any, timeout: int | None) -> bool:
        return bool(self._try(lambda: super(_FailOpenClient, self).add(key, value, timeout), True))

    def get(self, key: str, default: Any) -> Any:
        return self._try(lambda: super(_FailOpenClient, self).get(key, default), default)

    def set(self, key: str, value: Any, timeout: int | None) -> None:
        self._try(lambda: super(_FailOpenClient, self).set(key, value, timeout), None)

    def touch(self, key: str, timeout: int | None) -> bool:
        return bool(self._try(lambda: super(_FailOpenClient, self).touch(key, timeout), False))

    def delete(self, key: str) -> bool:
        return bool(self._try(lambda: super(_FailOpenClient, self).delete(key), False))

    def get_many(self, keys: Any) -> Any:
        return self._try(lambda: super(_FailOpenClient, self).get_many(keys), {})

    def has_key(self, key: str) -> bool:
        return bool(self._try(lambda: super(_FailOpenClient, self).has_key(key), False))

    def incr(self, key: str, delta: int) -> Any:
        return self._try(lambda: super(_FailOpenClient, self).incr(key, delta), delta)

    def set_many(self, data: dict[str, Any], timeout: int | None) -> None:
        self._try(lambda: super(_FailOpenClient, self).set_many(data, timeout), None)

    def delete_many(self, keys: Any) -> None:
        self._try(lambda: super(_FailOpenClient, self).delete_many(keys), None)

    def clear(self) -> bool:
        # The server is the broker's too: only keys of the cache may go, and they all expire.
        raise TypeError("the cache shares its server with the broker and cannot be cleared; delete keys")

    def _try(self, call: Callable[[], Any], answer: Any) -> Any:
        if time.monotonic() < self._away_until:
            return answer
        try:
            return call()
        except (RedisError, OSError) as error:
            self._away_until = time.monotonic() + PAUSE_SECONDS
            logger.warning("the cache is away for now: %s", type(error).__name__)
            return answer


class FailOpenCache(RedisCache):
    """Django's Redis cache that answers "nothing there" when its server does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _FailOpenClient
