"""The geometry of a board: spaces, corners and lines as bits of an int (R1, R9)."""

from dataclasses import dataclass
from functools import lru_cache

Space = int
"""0-based number of a space, row by row from the top left; `c7` outside."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""East, south, south-east, south-west as (rows, columns): the order in which lines are preferred (R11)."""


@dataclass(frozen=True, slots=True)
class Line:
    """Spaces in a row that count when one team holds them all.

    `order` ranks lines by direction, then by start space (R11).
    """

    spaces: tuple[Space, ...]
    mask: int
    direction: int
    order: int
    axis: int
    """Number shared by all lines in one straight line of the board."""


class Board:
    """A grid of `width` x `height` spaces of which `corners` are free for every team."""

    def __init__(self, width: int, height: int, corners: frozenset[Space], line_length: int) -> None:
        self.width = width
        self.height = height
        self.corners = corners
        self.line_length = line_length
        self.size = width * height
        self.corner_mask = sum(1 << space for space in corners)
        self.playable_mask = ((1 << self.size) - 1) & ~self.corner_mask
        self.names = tuple(f"{chr(97 + s % width)}{s // width + 1}" for s in range(self.size))
        self.space_by_name = {name: space for space, name in enumerate(self.names)}
        self.lines = tuple(self._lines())
        through: list[list[Line]] = [[] for _ in range(self.size)]
        for line in self.lines:
            for space in line.spaces:
                through[space].append(line)
        self.lines_through = tuple(tuple(lines) for lines in through)
        self.line_by_mask = {line.mask: line for line in self.lines}
        self.line_by_ends = {frozenset((line.spaces[0], line.spaces[-1])): line for line in self.lines}

    def _lines(self) -> list[Line]:
        lines: list[Line] = []
        axes: dict[tuple[int, Space], int] = {}
        for direction, (down, right) in enumerate(DIRECTIONS):
            for start in range(self.size):
                row, column = divmod(start, self.width)
                end_row = row + down * (self.line_length - 1)
                end_column = column + right * (self.line_length - 1)
                if end_row >= self.height or not 0 <= end_column < self.width:
                    continue
                spaces = tuple(
                    (row + down * step) * self.width + column + right * step
                    for step in range(self.line_length)
                )
                mask = sum(1 << space for space in spaces)
                if not mask & self.playable_mask:
                    continue
                while row and 0 <= column - right < self.width and down:
                    row, column = row - down, column - right
                origin = row * self.width + (column if down else 0)
                axis = axes.setdefault((direction, origin), len(axes))
                lines.append(Line(spaces, mask, direction, len(lines), axis))
        return lines

    def name(self, space: Space) -> str:
        """Return the name of `space`, such as `c7`."""
        return self.names[space]

    def spaces_in(self, mask: int) -> tuple[Space, ...]:
        """Return the spaces whose bits are set in `mask`, in rising order."""
        spaces = []
        while mask:
            low = mask & -mask
            spaces.append(low.bit_length() - 1)
            mask ^= low
        return tuple(spaces)

    def run_through(self, line: Line, chips: int) -> int:
        """Return the chips of `chips` that stand in one unbroken row with `line`, as bits (R11, `run`)."""
        down, right = DIRECTIONS[line.direction]
        run = line.mask & chips
        for end, sign in ((line.spaces[0], -1), (line.spaces[-1], 1)):
            row, column = divmod(end, self.width)
            while end not in self.corners:
                row, column = row + sign * down, column + sign * right
                if not (0 <= row < self.height and 0 <= column < self.width):
                    break
                bit = 1 << (row * self.width + column)
                if not chips & bit:
                    break
                run |= bit
        return run

    def line_between(self, first: Space, last: Space) -> Line | None:
        """Return the line whose ends are the two spaces, in either order."""
        return self.line_by_ends.get(frozenset((first, last)))

    def ends(self, mask: int) -> tuple[str, str]:
        """Return the names of the two ends of the line with this mask."""
        spaces = self.line_by_mask[mask].spaces
        return self.names[spaces[0]], self.names[spaces[-1]]


@lru_cache(maxsize=64)
def board_for(width: int, height: int, corners: frozenset[Space], line_length: int) -> Board:
    """Return the one `Board` of these measures."""
    return Board(width, height, corners, line_length)
