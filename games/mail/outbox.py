"""Writing to the outbox: within the transaction of whatever gives reason to the mail."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

_ROW = "(%s, %s, %s, %s, %s::jsonb, 'waiting', %s, %s, 0, '')"
_INSERT = """
INSERT INTO mail_mail (key, kind, member_id, address, refs, state, created_at, due_at, attempts, last_error)
VALUES {rows} ON CONFLICT (key) DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail to be sent: `key` says what it is, once and for all, as `turn:<game uuid>:17:A`.

    `refs` holds ids and numbers only, no subject, no words, no token. It goes to the member, or to `address`,
    at once or after `wait_seconds`.
    """

    key: str
    kind: str
    member_id: int | None = None
    address: str = ""
    refs: Mapping[str, Any] = field(default_factory=dict)
    wait_seconds: int = 0


def enqueue(drafts: Iterable[Draft], *, now: datetime) -> None:
    """Store `drafts` in one statement; one whose key is there already is there already."""
    values: list[Any] = []
    for draft in drafts:
        refs = json.dumps(dict(draft.refs))
        due_at = now + timedelta(seconds=draft.wait_seconds)
        values += [draft.key, draft.kind, draft.member_id, draft.address, refs, now, due_at]
    if not values:
        return
    with connection.cursor() as cursor:
        cursor.execute(_INSERT.format(rows=", ".join([_ROW] * (len(values) // 7))), values)
