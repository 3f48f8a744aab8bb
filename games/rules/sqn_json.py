"""A record as the JSON twin of SQN text, and the reader of either form (docs/record-format.md)."""

import json
from dataclasses import replace
from typing import Any, NoReturn

from games.rules.notation import Plain
from games.rules.record import Record, RecordError
from games.rules.record_header import header_from, header_plain
from games.rules.sqn_text import MAX_TEXT, MAX_TURNS, from_text
from games.rules.sqn_turns import turn_from, turn_plain


def to_json(record: Record) -> Plain:
    """Return the record as plain data for one JSON object."""
    plain = header_plain(record)
    result = plain.pop("result", None)
    plain["turns"] = [turn_plain(record.ruleset, turn) for turn in record.turns]
    if result is not None:
        plain["result"] = result
    return plain


def from_json(data: Any) -> Record:
    """Return the record that a decoded JSON object holds, not yet replayed; raises RecordError."""
    record = header_from(data)
    turns = data.get("turns", [])
    if not isinstance(turns, list) or len(turns) > MAX_TURNS:
        raise RecordError("", "turns", f"turns is a list of at most {MAX_TURNS} turns")
    read = tuple(turn_from(record.ruleset, turn, number) for number, turn in enumerate(turns, 1))
    return replace(record, turns=read)


def read(text: str) -> Record:
    """Return the record in `text`, JSON where it starts with a brace, else SQN text; raises RecordError."""
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return from_text(text)
    if len(text) > MAX_TEXT:
        raise RecordError("", "record", f"a record has at most {MAX_TEXT} signs")
    try:
        data = json.loads(text.lstrip("\ufeff"), parse_constant=_no_number, object_pairs_hook=_once)
    except RecordError:
        raise
    except RecursionError:
        raise RecordError("", "JSON", "lists and objects stand too deep in one another") from None
    except ValueError as error:
        raise RecordError("", "JSON", f"this is no JSON: {error}") from None
    return from_json(data)


def _no_number(word: str) -> NoReturn:
    raise RecordError("", word, "this is no number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise RecordError("", key, "this key stands twice in one object")
        found[key] = value
    return found
