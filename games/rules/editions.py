"""Editions as data: board, cards and tables of one printed form of the game."""

import json
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.rules.board import Space
from games.rules.cards import Card, fold_code

CORNER = "**"
KEYS = (
    "name", "title", "layout", "codes", "packs", "wild", "anti", "line_length", "lines_to_win", "tables",
    "dead_swaps_per_turn", "chips_in_box", "cut_ranks",
)  # fmt: skip
DATA = Path(__file__).parent / "data"


class EditionError(ValueError):
    """An edition file is not usable; the message names the key and says what it must hold."""


@dataclass(frozen=True, slots=True)
class Table:
    """What one number of seats allows: team counts and the size of a hand (R4, R5)."""

    teams: tuple[int, ...]
    hand_size: int


@dataclass(frozen=True, eq=False)
class Edition:
    """A board with its cards; compared by identity, as each file is read once."""

    name: str
    title: str
    width: int
    height: int
    corners: frozenset[Space]
    printed: tuple[Card | None, ...]
    """The card printed on each space, None on a corner."""
    codes: tuple[Card, ...]
    """Every card code once, in the canonical order of the deck."""
    packs: int
    wild: frozenset[Card]
    anti: frozenset[Card]
    line_length: int
    lines_to_win: dict[int, int]
    tables: dict[int, Table]
    dead_swaps_per_turn: int | None
    chips_in_box: tuple[int, ...]
    cut_ranks: dict[Card, int]
    """The height of each card when seats cut for the deal (R6), 0 the lowest."""
    code_by_fold: dict[str, Card]
    spaces_by_card: dict[Card, tuple[Space, ...]]
    order: dict[Card, int]
    """The place of each code in the canonical order."""

    @property
    def deck(self) -> list[Card]:
        """All cards in canonical order: pack by pack (record format)."""
        return list(self.codes) * self.packs

    def parse_card(self, text: str) -> Card:
        """Return the code meant by `text` in any case; raises ValueError."""
        try:
            return self.code_by_fold[fold_code(text)]
        except KeyError:
            raise ValueError(f"{text!r} is not a card of the {self.name} edition") from None

    def spaces_for(self, card: Card) -> tuple[Space, ...]:
        """Return the printed spaces of `card`: two in the classic edition, none for a jack (R1)."""
        return self.spaces_by_card.get(card, ())


def edition_from_data(data: Any) -> Edition:
    """Return the edition that `data`, a decoded edition file, describes; raises EditionError."""
    return _Reader(data).edition()


def edition_names() -> tuple[str, ...]:
    """Return the names of the editions that come with the engine."""
    return tuple(sorted(path.stem for path in DATA.glob("*.json")))


@lru_cache(maxsize=32)
def load_edition(name: str) -> Edition:
    """Return the edition called `name`; raises EditionError with the known names."""
    if name not in edition_names():
        raise EditionError(f"no edition is called {name!r}; there is {', '.join(edition_names())}")
    return edition_from_data(json.loads((DATA / f"{name}.json").read_text(encoding="utf-8")))


class _Reader:
    """Reads one edition and says which key is wrong."""

    def __init__(self, data: Any) -> None:
        if not isinstance(data, dict):
            raise EditionError("an edition is one JSON object")
        self.data: dict[str, Any] = data
        for key in data:
            if key not in KEYS:
                raise EditionError(f"{key}: is no key of an edition; there is {', '.join(KEYS)}")

    def edition(self) -> Edition:
        name = self.text("name")
        codes = self.codes()
        by_fold = {fold_code(code): code for code in codes}
        if len(by_fold) != len(codes):
            raise EditionError("codes: two codes differ only in case")
        wild, anti = self.cards("wild", by_fold), self.cards("anti", by_fold)
        if wild & anti:
            raise EditionError(f"anti: {', '.join(sorted(wild & anti))} cannot be wild as well")
        width, height, printed = self.layout(by_fold)
        spaces: dict[Card, list[Space]] = {}
        for space, card in enumerate(printed):
            if card is not None:
                spaces.setdefault(card, []).append(space)
        for code in codes:
            if code in wild | anti and code in spaces:
                raise EditionError(f"layout: {code} is wild or anti and must not be printed")
            if code not in wild | anti and code not in spaces:
                raise EditionError(f"layout: {code} is printed nowhere")
        length = self.number("line_length", 2, max(width, height))
        packs = self.number("packs", 1, 20)
        tables = self.tables(len(codes) * packs)
        return Edition(
            name=name,
            title=self.text("title"),
            width=width,
            height=height,
            corners=frozenset(space for space, card in enumerate(printed) if card is None),
            printed=tuple(printed),
            codes=codes,
            packs=packs,
            wild=wild,
            anti=anti,
            line_length=length,
            lines_to_win=self.lines_to_win(tables),
            tables=tables,
            dead_swaps_per_turn=self.swap_limit(),
            chips_in_box=self.chips_in_box(),
            cut_ranks=self.cut_ranks(codes, by_fold),
            code_by_fold=by_fold,
            spaces_by_card={card: tuple(where) for card, where in spaces.items()},
            order={code: place for place, code in enumerate(codes)},
        )

    def need(self, key: str, kind: type) -> Any:
        value = self.data.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise EditionError(f"{key}: must be given, as {_KINDS[kind]}")
        return value

    def text(self, key: str) -> str:
        value: str = self.need(key, str)
        if not value.strip():
            raise EditionError(f"{key}: must not be empty")
        return value

    def number(self, key: str, least: int, most: int) -> int:
        return _number(self.need(key, int), key, least, most)

    def codes(self) -> tuple[Card, ...]:
        codes = tuple(self.text("codes").split())
        for code, count in Counter(codes).items():
            if count > 1:
                raise EditionError(f"codes: {code} stands twice; `packs` says how often each card exists")
            if not code.isalnum() or len(code) > 8:
                raise EditionError(f"codes: {code!r} must be up to eight letters and digits")
        return codes

    def cards(self, key: str, by_fold: dict[str, Card]) -> frozenset[Card]:
        found = set()
        for text in self.need(key, list):
            if not isinstance(text, str) or fold_code(text) not in by_fold:
                raise EditionError(f"{key}: {text!r} is not one of the codes")
            found.add(by_fold[fold_code(text)])
        return frozenset(found)

    def layout(self, by_fold: dict[str, Card]) -> tuple[int, int, list[Card | None]]:
        rows = [row.split() if isinstance(row, str) else [] for row in self.need("layout", list)]
        width = len(rows[0]) if rows else 0
        if not 2 <= width <= 26 or not 2 <= len(rows) <= 26:
            raise EditionError("layout: must have 2 to 26 rows of 2 to 26 spaces, as text parted by blanks")
        printed: list[Card | None] = []
        for number, row in enumerate(rows, 1):
            if len(row) != width:
                raise EditionError(f"layout: row {number} has {len(row)} spaces, the first has {width}")
            for code in row:
                if code != CORNER and fold_code(code) not in by_fold:
                    raise EditionError(f"layout: row {number} has {code!r}, which is not one of the codes")
                printed.append(None if code == CORNER else by_fold[fold_code(code)])
        return width, len(rows), printed

    def tables(self, deck_size: int) -> dict[int, Table]:
        tables = {}
        for key, value in self.need("tables", dict).items():
            seats = _number(int(key) if key.isdecimal() else 0, f"tables: {key!r}", 2, 24)
            teams = value.get("teams") if isinstance(value, dict) else None
            if not isinstance(teams, list) or not teams or any(t not in (2, 3) or seats % t for t in teams):
                raise EditionError(f"tables: {key}: teams must list 2, 3 or both, and part the seats evenly")
            hand = _number(value.get("hand_size"), f"tables: {key}: hand_size", 1, (deck_size - 1) // seats)
            tables[seats] = Table(tuple(teams), hand)
        if not tables:
            raise EditionError("tables: must name at least one number of seats")
        return tables

    def lines_to_win(self, tables: dict[int, Table]) -> dict[int, int]:
        given = self.need("lines_to_win", dict)
        needed = sorted({teams for table in tables.values() for teams in table.teams})
        return {t: _number(given.get(str(t)), f"lines_to_win: {t}", 1, 20) for t in needed}

    def swap_limit(self) -> int | None:
        value = self.data.get("dead_swaps_per_turn", 1)
        return None if value == "unlimited" else _number(value, "dead_swaps_per_turn", 0, 104)

    def chips_in_box(self) -> tuple[int, ...]:
        chips = self.need("chips_in_box", list)
        if len(chips) != 3:
            raise EditionError("chips_in_box: must be three numbers, one a team")
        return tuple(_number(n, "chips_in_box", 1, 999) for n in chips)

    def cut_ranks(self, codes: tuple[Card, ...], by_fold: dict[str, Card]) -> dict[Card, int]:
        groups = self.need("cut_ranks", list) if "cut_ranks" in self.data else list(codes)
        ranks: dict[Card, int] = {}
        for rank, group in enumerate(groups):
            for text in str(group).split():
                if fold_code(text) not in by_fold:
                    raise EditionError(f"cut_ranks: {text!r} is not one of the codes")
                ranks[by_fold[fold_code(text)]] = rank
        missing = [code for code in codes if code not in ranks]
        if missing:
            raise EditionError(f"cut_ranks: {missing[0]} is missing")
        return ranks


_KINDS = {str: "text", int: "a whole number", list: "a list", dict: "an object"}


def _number(value: Any, key: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise EditionError(f"{key}: must be a whole number from {least} to {most}")
    return value
