"""How many requests a token, member or address may send; fails open when the cache is away."""

import logging
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import ScopedRateThrottle

from games.accounts.models import Token

if TYPE_CHECKING:
    # The framework's views import the throttles that the settings name.
    from rest_framework.views import APIView

logger = logging.getLogger(__name__)


class ScopedThrottle(ScopedRateThrottle):
    """Counts by the view's `throttle_scope` (else `default`) in fixed windows and says so in headers.

    The framework's own throttle reads, changes and writes a list, so parallel requests slip through; one
    increment does not. What must be exact (guesses at sign-in) is counted in the database all the same.
    """

    def allow_request(self, request: Request, view: "APIView") -> bool:
        scope = getattr(view, "throttle_scope", None) or "default"
        rates: Mapping[str, Any] = api_settings.DEFAULT_THROTTLE_RATES
        self.num_requests, self.duration = self.parse_rate(rates.get(scope))
        if self.num_requests is None or self.duration is None:
            return True
        window, elapsed = divmod(int(time.time()), self.duration)
        self.remaining_seconds = self.duration - elapsed
        key = f"throttle:{scope}:{self._who(request)}:{window}"
        try:
            cache.add(key, 0, self.duration)
            count = cache.incr(key)
        except Exception as error:  # any cache, any fault: the request is answered
            logger.warning("The cache is away, so nothing is throttled: %s", type(error).__name__)
            return True
        remaining = max(0, self.num_requests - count)
        view.headers["RateLimit-Policy"] = f'"{scope}";q={self.num_requests};w={self.duration}'
        view.headers["RateLimit"] = f'"{scope}";r={remaining};t={self.remaining_seconds}'
        return count <= self.num_requests

    def wait(self) -> float:
        return self.remaining_seconds

    def _who(self, request: Request) -> str:
        if isinstance(request.auth, Token):
            return f"token:{request.auth.public_id}"
        if request.user.is_authenticated:
            return f"member:{request.user.pk}"
        return f"address:{self.get_ident(request)}"
