"""Versions of games in headers: entity tags, If-Match, If-None-Match, and the idempotency key."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from games.accounts.api_problems import invalid
from games.play.queries import Seen
from games.play.services.creating import Once
from games.rules.encoding import SEAT_LETTERS

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Up to 200 visible ASCII characters: a repeat is answered and not carried out again.",
)
MAX_VERSION = 2**31 - 1
VARY = ("Authorization", "Cookie", "Accept-Language")

_IF_MATCH = re.compile(r'\A(?:W/)?"v(\d{1,10})(?:-[A-X-](?:-[0-9a-z.-]{1,40})?)?"\Z', re.ASCII)
_TAGS = re.compile(r'(?:W/)?("[^"]*")')
_KEY = re.compile(r"\A[\x21-\x7e]{1,200}\Z")


def viewer_mark(seat: int | None) -> str:
    """Return whose view a tag stands for: a seat's letter, or `-` for a spectator."""
    return "-" if seat is None else SEAT_LETTERS[seat]


def tag_of_version(version: int, seat: int | None) -> str:
    """Return the entity tag that goes into If-Match, such as `"v41-A"`."""
    return f'"v{version}-{viewer_mark(seat)}"'


def tag_of(seen: Seen, shown: Mapping[str, Any]) -> str:
    """Return the entity tag of a game as one viewer sees it, such as `"v41-A-9f86d081"`.

    `shown` is the part that everybody sees the same: names, invitations and a later annulment change it
    without a new version of the asked one. Hidden cards are never in it.
    """
    text = json.dumps(shown, cls=JSONEncoder, sort_keys=True)
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f'"v{seen.version}-{viewer_mark(seen.seat)}-{mark}"'


def is_unchanged(request: Request, tag: str) -> bool:
    """Tell whether the caller has what `tag` stands for (If-None-Match, compared weakly)."""
    header = request.headers.get("If-None-Match", "")
    return header.strip() == "*" or tag in _TAGS.findall(header)


def expected_version(request: Request, in_body: int | None) -> int | None:
    """Return the version that the caller saw, from If-Match or the body; None where neither says it."""
    header = request.headers.get("If-Match")
    if header is None:
        return in_body
    match = _IF_MATCH.match(header.strip())
    if match is None or int(match[1]) > MAX_VERSION:
        raise invalid("If-Match", gettext('Give the one version that you saw, such as "v41".'))
    version = int(match[1])
    if in_body not in (None, version):
        raise invalid("expected_version", gettext("If-Match names another version."))
    return version


def idempotency_key(request: Request) -> str:
    """Return the key under which a repeat of this request is known, empty without one."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return ""
    if not _KEY.match(key):
        raise invalid("Idempotency-Key", gettext("Give 1 to 200 visible ASCII characters without blanks."))
    return key


def once_of(request: Request) -> Once | None:
    """Return the idempotency key of a request that makes a game, with what it asks for."""
    key = idempotency_key(request)
    return Once(key, dict(request.data)) if key else None


def whole_number(request: Request, name: str, *, least: int, most: int = MAX_VERSION) -> int | None:
    """Return a number of the query, None where it is not given."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and least <= int(text) <= most):
        raise invalid(
            name,
            gettext("Give a whole number from %(least)s to %(most)s.")
            % {"least": str(least), "most": str(most)},
        )
    return int(text)
