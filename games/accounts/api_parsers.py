"""JSON bodies, read strictly: what cannot be stored or hashed later is refused at the door."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.parsers import JSONParser

from games.accounts.api_problems import Problem

MAX_DEPTH = 32
MAX_INTEGER = 2**63 - 1
_UNFIT = re.compile("[\0\ud800-\udfff]")


class StrictJSONParser(JSONParser):
    """Reads one JSON object in UTF-8 without NaN, NUL, lone surrogates, repeated keys or huge numbers."""

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        # The framework hands over the raw stream, past Django's own limit on bodies.
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read() if limit is None else stream.read(limit + 1)
        if limit is not None and len(body) > limit:
            raise RequestDataTooBig
        return read_object(body)


class _Unfit:
    """Stands for a value that Python's reader would take, until the walk tells where it was."""

    def __init__(self, message: str) -> None:
        self.message = message


def read_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object that `body` holds, or raise a Problem (400) with the path of each fault."""
    try:
        value = json.loads(
            body.decode("utf-8"),
            parse_constant=lambda name: _Unfit(f"{name} is not a JSON value."),
            parse_int=_integer,
            parse_float=_number,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError as error:
        raise _malformed([("", f"The body is not UTF-8 (byte {error.start}).")]) from error
    except json.JSONDecodeError as error:
        message = f"The body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        raise _malformed([("", message)]) from error
    except RecursionError as error:
        raise _malformed([("", "The body is nested too deeply.")]) from error
    faults = list(_faults(value))
    if faults:
        raise _malformed(faults)
    if not isinstance(value, dict):
        raise _malformed([("", "The body is to be a JSON object.")])
    return value


def _malformed(faults: list[tuple[str, str]]) -> Problem:
    field, message = faults[0]
    return Problem(
        400,
        "malformed",
        f"{field}: {message}" if field else message,
        errors=[{"field": path, "message": text} for path, text in faults[:20]],
    )


def _integer(text: str) -> int | _Unfit:
    # Python refuses to read thousands of digits with an error of its own, so length comes first.
    if len(text) > 20 or abs(int(text)) > MAX_INTEGER:
        return _Unfit("The number is too large.")
    return int(text)


def _number(text: str) -> float | _Unfit:
    number = float(text)
    return number if math.isfinite(number) else _Unfit("The number is too large.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        found[key] = _Unfit("The key is given twice.") if key in found else value
    return found


def _faults(root: Any) -> Iterator[tuple[str, str]]:
    """Yield (path, message) for each value that must not come in; a stack, since depth is the sender's."""
    stack: list[tuple[tuple[str, ...], Any]] = [((), root)]
    while stack:
        path, value = stack.pop()
        if len(path) > MAX_DEPTH:
            yield ".".join(path[:4]) + "...", "The body is nested too deeply."
            return
        if isinstance(value, _Unfit):
            yield ".".join(path), value.message
        elif isinstance(value, str) and (message := _unfit_text(value)):
            yield ".".join(path), message
        elif isinstance(value, dict):
            for key in value:
                if message := _unfit_text(key):
                    yield ".".join(path), f"A key: {message}"
            stack.extend(((*path, key), inner) for key, inner in value.items() if not _unfit_text(key))
        elif isinstance(value, list):
            stack.extend(((*path, str(index)), inner) for index, inner in enumerate(value))


def _unfit_text(text: str) -> str | None:
    found = _UNFIT.search(text)
    if found is None:
        return None
    if found[0] == "\0":
        return "Text cannot hold the NUL character."
    return "Text cannot hold half a surrogate pair."
