"""Reading the values of a record one by one, each refused by name when it is not what it must be."""

import re
from datetime import datetime
from typing import Any

from games.rules.actions import Lines
from games.rules.board import Space
from games.rules.cards import HIDDEN, Card
from games.rules.encoding import SEAT_LETTERS
from games.rules.record import NO_CARD, RecordError, is_view
from games.rules.ruleset import Ruleset

MAX_NAME = 100
MAX_TAG = 1_000
_AT = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_HEX = re.compile("[0-9a-f]*")


class Checked:
    """Reads the values of one place in a record; `label` is the turn that its errors name."""

    def __init__(self, rules: Ruleset, label: str = "") -> None:
        self.rules = rules
        self.label = label

    def error(self, token: object, reason: str) -> RecordError:
        """Return the error that says why `token` cannot stand here."""
        return RecordError(self.label, token, reason)

    def card(self, value: Any) -> Card:
        """Return a card that is known."""
        if not isinstance(value, str):
            raise self.error(value, "a card is text such as Td")
        try:
            return self.rules.edition.parse_card(value)
        except ValueError:
            reason = f"this is no card of the {self.rules.edition.name} edition"
            raise self.error(value, reason) from None

    def drawn(self, value: Any) -> Card:
        """Return a drawn card: known, HIDDEN or NO_CARD, which JSON writes as null."""
        if value is None or value == NO_CARD:
            return NO_CARD
        return HIDDEN if value == HIDDEN else self.card(value)

    def cards(self, value: Any, what: str) -> list[Card]:
        """Return a list of known cards."""
        if not isinstance(value, list):
            raise self.error(value, f"{what} is a list of cards")
        return [self.card(item) for item in value]

    def seat(self, value: Any) -> int:
        """Return a seat of this table by its letter."""
        seat = SEAT_LETTERS.find(value) if isinstance(value, str) and len(value) == 1 else -1
        if not 0 <= seat < self.rules.seats:
            last = SEAT_LETTERS[self.rules.seats - 1]
            raise self.error(value, f"the seats of this game are A to {last}")
        return seat

    def team(self, value: Any) -> int:
        """Return a team of this game by its colour."""
        if not isinstance(value, str) or value not in self.rules.team_names:
            raise self.error(value, f"the teams of this game are {', '.join(self.rules.team_names)}")
        return self.rules.team_names.index(value)

    def space(self, value: Any) -> Space:
        """Return a space of the board by its name."""
        board = self.rules.board
        space = board.space_by_name.get(value.lower()) if isinstance(value, str) else None
        if space is None:
            raise self.error(value, f"the spaces of this board are a1 to {board.names[-1]}")
        return space

    def lines(self, value: Any) -> Lines:
        """Return the masks of lines that are given by their ends."""
        if not isinstance(value, list):
            raise self.error(value, "lines are a list of pairs of ends, such as [c5, g9]")
        masks = []
        for pair in value:
            if not isinstance(pair, list) or len(pair) != 2:
                raise self.error(pair, "a line is the pair of its ends, such as [c5, g9]")
            line = self.rules.board.line_between(self.space(pair[0]), self.space(pair[1]))
            if line is None:
                length = self.rules.board.line_length
                raise self.error(f"{pair[0]}{pair[1]}", f"these are not the ends of a line of {length}")
            masks.append(line.mask)
        if len(set(masks)) != len(masks):
            raise self.error("lines", "a line stands twice")
        return tuple(masks)

    def number(self, value: Any, what: str, least: int, most: int) -> int:
        """Return a whole number within bounds."""
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.error(value, f"{what} is a whole number from {least} to {most}")
        return value

    def word(self, value: Any, what: str, words: tuple[str, ...]) -> str:
        """Return one of a few words."""
        if not isinstance(value, str) or value not in words:
            raise self.error(value, f"{what} is one of {', '.join(words)}")
        return value

    def name(self, value: Any) -> str:
        """Return a name as the Seats tag can hold it."""
        if (
            not isinstance(value, str)
            or len(value) > MAX_NAME
            or not is_clean(value)
            or value != " ".join(value.split())
            or set(value) & set(':="{}\\')
        ):
            raise self.error(
                value, f'a name has up to {MAX_NAME} signs, single blanks, and none of : = " {{ }} \\'
            )
        return value

    def at(self, value: Any) -> str:
        """Return a moment in UTC, to the second."""
        try:
            if not isinstance(value, str) or not _AT.fullmatch(value):
                raise ValueError
            datetime.fromisoformat(value)
        except ValueError:
            raise self.error(value, "a moment is written 2026-11-30T18:02:11Z") from None
        return value

    def chances(self, value: Any) -> tuple[float, ...]:
        """Return the chance of each team to win, to four places."""
        if not isinstance(value, list) or len(value) != self.rules.teams:
            raise self.error(value, "wp gives one number a team")
        for number in value:
            if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
                raise self.error(number, "a chance is a number from 0 to 1")
        return tuple(round(float(number), 4) for number in value)

    def hex(self, value: Any, what: str, most: int, exactly: int | None = None) -> str:
        """Return lower-case hex digits."""
        if (
            not isinstance(value, str)
            or not _HEX.fullmatch(value)
            or len(value) > most
            or exactly not in (None, len(value))
        ):
            length = f"{exactly}" if exactly else f"up to {most}"
            raise self.error(value, f"{what} is {length} lower-case hex digits")
        return value

    def view(self, value: Any) -> str:
        """Return a view of this table."""
        if not isinstance(value, str) or not is_view(value, self.rules.seats):
            raise self.error(value, "a view is full, public, or of a seat, such as seat:A")
        return value


def is_clean(text: str) -> bool:
    """Return whether `text` holds neither control signs, line ends nor lone surrogates."""
    return all(sign.isprintable() or sign == "\u00a0" for sign in text)


def known_keys(data: Any, keys: tuple[str, ...], label: str, what: str) -> dict[str, Any]:
    """Return `data`, an object that has no other keys than these; raises RecordError."""
    if not isinstance(data, dict):
        raise RecordError(label, data, f"{what} is an object")
    for key in data:
        if key not in keys:
            raise RecordError(label, key, f"{what} has no such key; there is {', '.join(keys)}")
    return data
