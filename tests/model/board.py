"""The board and its lines as plain lists of names (R1, R2, R9)."""

CLASSIC = """\
** 2S 3S 4S 5S 6S 7S 8S 9S **
6C 5C 4C 3C 2C AH KH QH TH TS
7C AS 2D 3D 4D 5D 6D 7D 9H QS
8C KS 6C 5C 4C 3C 2C 8D 8H KS
9C QS 7C 6H 5H 4H AH 9D 7H AS
TC TS 8C 7H 2H 3H KH TD 6H 2D
QC 9S 9C 8H 9H TH QH QD 5H 3D
KC 8S TC QC KC AC AD KD 4H 4D
AC 7S 6S 5S 4S 3S 2S 2H 3H 5D
** AD KD QD TD 9D 8D 7D 6D **"""

RANKS = "A23456789TJQK"
SUITS = "cdhs"
FREE = "**"
# Row step, column step: E, S, SE, SW, the order in which R11 prefers lines.
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]

Line = tuple[str, ...]


def card_name(text: str) -> str:
    return text[0].upper() + text[1:].lower()


def space_name(row: int, column: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[column] + str(row + 1)


def row_column(space: str) -> tuple[int, int]:
    return int(space[1:]) - 1, "abcdefghijklmnopqrstuvwxyz".index(space[0])


def classic_deck() -> list[str]:
    """Two packs in canonical order: pack, rank, suit."""
    return [rank + suit for _pack in range(2) for rank in RANKS for suit in SUITS]


def canonical(card: str) -> tuple[int, int, str]:
    """Sort by rank, then suit; cards of other editions come last, by their letters."""
    rank = RANKS.index(card[0]) if card[0] in RANKS else len(RANKS)
    suit = SUITS.index(card[1]) if card[1] in SUITS else len(SUITS)
    return rank, suit, card


class Board:
    """`layout` is rows of card names ('Td') with '**' for a corner."""

    def __init__(self, layout: list[list[str]] | None, line_length: int) -> None:
        if layout is None:
            layout = [row.split() for row in CLASSIC.splitlines()]
        self.layout = [[card if card == FREE else card_name(card) for card in row] for row in layout]
        self.spaces: list[str] = []
        self.corners: set[str] = set()
        self.printed: dict[str, list[str]] = {}
        for row, cards in enumerate(self.layout):
            for column, card in enumerate(cards):
                space = space_name(row, column)
                self.spaces.append(space)
                if card == FREE:
                    self.corners.add(space)
                else:
                    self.printed.setdefault(card, []).append(space)
        self.lines: list[Line] = []
        self.direction: dict[Line, tuple[int, int]] = {}
        for step in DIRECTIONS:
            for start in self.spaces:
                line = [start]
                while len(line) < line_length and (after := self.neighbour(line[-1], step)):
                    line.append(after)
                if len(line) == line_length:
                    self.lines.append(tuple(line))
                    self.direction[tuple(line)] = step

    def neighbour(self, space: str, step: tuple[int, int]) -> str | None:
        row, column = row_column(space)
        row, column = row + step[0], column + step[1]
        if row < 0 or column < 0 or row >= len(self.layout) or column >= len(self.layout[0]):
            return None
        return space_name(row, column)

    def line_of(self, spaces: list[str]) -> Line | None:
        """The line with just these spaces, whatever order they are given in."""
        for line in self.lines:
            if len(spaces) == len(line) and set(spaces) == set(line):
                return line
        return None

    def is_full(self, line: Line, team: str, chips: dict[str, str]) -> bool:
        return all(space in self.corners or chips.get(space) == team for space in line)
