"""Events as plain data and back: names only, so that no renumbering can change a stored game.

Seats are letters `A`.., teams colours, spaces `c7`, lines their two ends. What is empty is left out.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from typing import Any

from games.rules import events as ev
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
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise BadEvent(f"{kind} cannot be read: {error!r}") from None


def _chip_placed(rules: Ruleset, body: Body) -> ev.ChipPlaced:
    """Return what `_event_by_fields` would, quickly: nearly all events are of this type."""
    seats = _seats(rules.seats)
    following = body.get("next_seat")
    event = ev.ChipPlaced(
        seats[body["seat"]],
        body["card"],
        rules.board.space_by_name[body["space"]],
        (),
        0,
        "drew" in body,
        body.get("reshuffled", 0),
        (),
        None if following is None else seats[following],
    )
    if "lines" in body:
        event.lines = _read_lines(rules, body["lines"])
        event.locked = _read_locked(rules, body, event.lines)
    if "lapsed" in body:
        event.lapsed = tuple(seats[letter] for letter in body["lapsed"])
    return event


def _event_by_fields(rules: Ruleset, event_type: type, body: Body) -> ev.Event:
    values: list[Any] = []
    for name in _FIELDS[event_type]:
        if name == "locked":
            values.append(_read_locked(rules, body, values[-1]))
            continue
        read = _READ.get(name)
        value = body.get(name, _MISSING.get(name))
        values.append(value if read is None or value is None else read(rules, value))
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


def _mask(rules: Ruleset, names: list[str]) -> int:
    return sum(1 << rules.board.space_by_name[name] for name in names)


def _read_lines(rules: Ruleset, ends: list[list[str]]) -> tuple[int, ...]:
    spaces = rules.board.space_by_name
    return tuple(rules.board.line_by_ends[frozenset((spaces[a], spaces[b]))].mask for a, b in ends)


_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in EVENT_TYPES.values()
}
_MISSING: dict[str, Any] = {
    "lines": (),
    "drew": False,
    "reshuffled": 0,
    "lapsed": (),
    "seats": (),
    "cuts": (),
    "nonces": (),
    "reason_hash": "",
}
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
    "seat": lambda rules, letter: _seats(rules.seats)[letter],
    "next_seat": lambda rules, letter: _seats(rules.seats)[letter],
    "start": lambda rules, letter: _seats(rules.seats)[letter],
    "seats": lambda rules, letters: tuple(_seats(rules.seats)[letter] for letter in letters),
    "lapsed": lambda rules, letters: tuple(_seats(rules.seats)[letter] for letter in letters),
    "space": lambda rules, name: rules.board.space_by_name[name],
    "lines": _read_lines,
    "drew": lambda rules, drew: bool(drew),
    "team": lambda rules, name: rules.team_names.index(name),
    "winner": lambda rules, name: None if name == DRAW else rules.team_names.index(name),
    "cuts": lambda rules, cuts: tuple(tuple(cards) for cards in cuts),
    "nonces": lambda rules, nonces: tuple(nonces),
}
