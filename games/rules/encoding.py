"""Events as plain data and back: names only, so that no renumbering can change a stored game.

Seats are letters `A`.., teams colours, spaces `c7`, lines their two ends. What is empty is left out.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from typing import Any

from games.rules import events as ev
from games.rules.actions import EXPIRY_POLICIES
from games.rules.ruleset import Ruleset

EVENT_TYPES: dict[str, type] = {kind.__name__: kind for kind in ev.Event.__args__}

SEAT_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
DRAW = "draw"

Body = dict[str, Any]


class BadEvent(ValueError):
    """Plain data that is no event of this ruleset."""


def body_of(rules: Ruleset, event: ev.Event) -> Body:
    """Return the plain data of `event`: text, whole numbers and lists only."""
    body: Body = {}
    lines = getattr(event, "lines", ())
    for name in _FIELDS[type(event)]:
        value = getattr(event, name)
        if name == "locked":
            if value != _chips_of_lines(rules, lines):
                body[name] = [rules.board.names[space] for space in rules.board.spaces_in(value)]
        elif name == "winner" or (value is not None and value != () and value is not False and value != ""):
            write = _WRITE.get(name)
            body[name] = value if write is None else write(rules, value)
    if body.get("reshuffled") == 0:
        del body["reshuffled"]
    return body


def event_from(rules: Ruleset, kind: str, body: Body) -> ev.Event:
    """Return the event of type `kind` that `body_of` wrote as `body`; raises BadEvent."""
    try:
        if kind == "ChipPlaced":
            return _chip_placed(rules, body)
        return _event_by_fields(rules, EVENT_TYPES[kind], body)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise BadEvent(f"{kind} cannot be read: {error!r}") from None


def _chip_placed(rules: Ruleset, body: Body) -> ev.ChipPlaced:
    """Return what `_event_by_fields` would, quickly: nearly all events are of this type."""
    seats = _seats(rules.seats)
    following = body.get("next_seat")
    event = ev.ChipPlaced(
        seats[body["seat"]],
        rules.edition.codes[rules.edition.order[body["card"]]],
        rules.board.space_by_name[body["space"]],
        (),
        0,
        body.get("drew") == 1,
        _MARKS[body["reshuffled"]] if "reshuffled" in body else 0,
        (),
        None if following is None else seats[following],
    )
    if "lines" in body:
        event.lines = _read_lines(rules, body["lines"])
        event.locked = _read_locked(rules, body, event.lines)
    if "lapsed" in body:
        event.lapsed = _read_seats(rules, body["lapsed"])
    return event


def _event_by_fields(rules: Ruleset, event_type: type, body: Body) -> ev.Event:
    values: list[Any] = []
    for name in _FIELDS[event_type]:
        if name == "locked":
            values.append(_read_locked(rules, body, values[-1]))
        elif name in body:
            values.append(_READ[name](rules, body[name]))
        else:
            values.append(_MISSING[name])
    event: ev.Event = event_type(*values)
    return event


def _read_locked(rules: Ruleset, body: Body, lines: tuple[int, ...]) -> int:
    """Return the chips that became safe: those of the lines, unless the body names others."""
    named = body.get("locked")
    return _chips_of_lines(rules, lines) if named is None else _mask(rules, named)


@lru_cache
def _seats(count: int) -> dict[str, int]:
    return {letter: seat for seat, letter in enumerate(SEAT_LETTERS[:count])}


def _chips_of_lines(rules: Ruleset, lines: tuple[int, ...]) -> int:
    covered = 0
    for mask in lines:
        covered |= mask
    return covered & rules.board.playable_mask


def _mask(rules: Ruleset, names: Any) -> int:
    return sum(1 << space for space in {rules.board.space_by_name[name] for name in _listed(names)})


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value


def _read_text(rules: Ruleset, text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text")
    return text


def _read_card(rules: Ruleset, code: Any) -> str:
    return rules.edition.codes[rules.edition.order[code]]


def _read_lines(rules: Ruleset, ends: Any) -> tuple[int, ...]:
    spaces = rules.board.space_by_name
    return tuple(rules.board.line_by_ends[frozenset((spaces[a], spaces[b]))].mask for a, b in _listed(ends))


def _read_seat(rules: Ruleset, letter: Any) -> int:
    return _seats(rules.seats)[letter]


def _read_seats(rules: Ruleset, letters: Any) -> tuple[int, ...]:
    return tuple(_seats(rules.seats)[letter] for letter in _listed(letters))


def _read_cuts(rules: Ruleset, rounds: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_read_card(rules, card) for card in _listed(cards)) for cards in _listed(rounds))


_MARKS = {0: 0, ev.BEFORE: ev.BEFORE, ev.AFTER: ev.AFTER, ev.BEFORE | ev.AFTER: ev.BEFORE | ev.AFTER}
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in EVENT_TYPES.values()
}
_MISSING: dict[str, Any] = {
    "lines": (),
    "drew": False,
    "reshuffled": 0,
    "lapsed": (),
    "next_seat": None,
    "seats": (),
    "cuts": (),
    "nonces": (),
    "player": "",
    "reason_hash": "",
}
"""What a field is that the body leaves out; all others must be there."""

_Convert = Callable[[Ruleset, Any], Any]
_WRITE: dict[str, _Convert] = {
    "seat": lambda rules, seat: SEAT_LETTERS[seat],
    "next_seat": lambda rules, seat: SEAT_LETTERS[seat],
    "start": lambda rules, seat: SEAT_LETTERS[seat],
    "seats": lambda rules, seats: [SEAT_LETTERS[seat] for seat in seats],
    "lapsed": lambda rules, seats: [SEAT_LETTERS[seat] for seat in seats],
    "space": lambda rules, space: rules.board.names[space],
    "lines": lambda rules, masks: [list(rules.board.ends(mask)) for mask in masks],
    "drew": lambda rules, drew: int(drew),
    "team": lambda rules, team: rules.team_names[team],
    "winner": lambda rules, team: DRAW if team is None else rules.team_names[team],
    "cuts": lambda rules, cuts: [list(cards) for cards in cuts],
    "nonces": lambda rules, nonces: list(nonces),
}
_READ: dict[str, _Convert] = {
    "seat": _read_seat,
    "next_seat": _read_seat,
    "start": _read_seat,
    "seats": _read_seats,
    "lapsed": _read_seats,
    "card": _read_card,
    "space": lambda rules, name: rules.board.space_by_name[name],
    "lines": _read_lines,
    "drew": lambda rules, drew: {0: False, 1: True}[drew],
    "reshuffled": lambda rules, mark: _MARKS[mark],
    "team": lambda rules, name: rules.team_names.index(name),
    "winner": lambda rules, name: None if name == DRAW else rules.team_names.index(name),
    "cuts": _read_cuts,
    "nonces": lambda rules, nonces: tuple(_read_text(rules, nonce) for nonce in _listed(nonces)),
    "player": _read_text,
    "reason": _read_text,
    "reason_hash": _read_text,
    "policy": lambda rules, word: EXPIRY_POLICIES[EXPIRY_POLICIES.index(word)],
    "end": lambda rules, word: ev.ENDS[ev.ENDS.index(word)],
}
