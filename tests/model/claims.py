"""Which lines may count together, which are taken by default, what they lock (R10, R11)."""

from tests.model.board import Board, Line


def shared(one: Line, other: Line) -> int:
    return len(set(one) & set(other))


def are_collinear(board: Board, one: Line, other: Line) -> bool:
    """True for lines of one direction that meet: those that do not meet share nothing anyway."""
    return board.direction[one] == board.direction[other] and shared(one, other) > 0


def may_add(board: Board, options: dict, earlier: list[Line], new: Line) -> bool:
    """Does `new` keep to R10 when the team has the lines `earlier`?"""
    most, most_collinear = options["max_shared"], options["collinear_shared"]
    for old in earlier:
        if are_collinear(board, old, new) and most_collinear is not None:
            limit = most_collinear
        elif options["overlap"] == "pairwise":
            limit = most
        else:
            continue
        if shared(old, new) > limit:
            return False
    if options["overlap"] == "total":
        all_earlier = {space for old in earlier for space in old}
        return len(all_earlier & set(new)) <= most
    return True


def may_add_all(board: Board, options: dict, earlier: list[Line], new: list[Line]) -> bool:
    """Is there an order in which the lines of `new` can be added one after the other?

    A line that can come last can as well come last in every order that works, since fewer lines before
    the others only leave them more room: so it is enough to take such lines off one by one.
    """
    left = list(new)
    while left:
        for line in left:
            others = [other for other in left if other != line]
            if may_add(board, options, earlier + others, line):
                left = others
                break
        else:
            return False
    return True


def largest_sets(
    board: Board, options: dict, earlier: list[Line], candidates: list[Line]
) -> list[list[Line]]:
    """All largest sets of candidates that may be added; [[]] if none can. Grown line by line."""
    if may_add_all(board, options, earlier, candidates):
        return [list(candidates)]
    sets: set[frozenset[Line]] = {frozenset()}
    while True:
        larger = {
            lines | {line}
            for lines in sets
            for line in candidates
            if line not in lines and may_add(board, options, earlier + list(lines), line)
        }
        if not larger:
            return [sorted(lines, key=board.lines.index) for lines in sets]
        sets = larger


def locked_by(board: Board, options: dict, line: Line, team: str, chips: dict[str, str]) -> set[str]:
    """The chips that completing `line` locks: its own, and under `protect = run` those in line with it."""
    locked = {space for space in line if space not in board.corners}
    if options["protect"] == "run":
        row_step, column_step = board.direction[line]
        for end, step in [(line[0], (-row_step, -column_step)), (line[-1], (row_step, column_step))]:
            if end in board.corners:
                continue
            space = board.neighbour(end, step)
            while space is not None and chips.get(space) == team:
                locked.add(space)
                space = board.neighbour(space, step)
    return locked


def default_set(
    board: Board, options: dict, sets: list[list[Line]], team: str, chips: dict[str, str], locked: set[str]
) -> list[Line]:
    """R11: most own chips locked, then first in the order of directions and start spaces."""

    def rank(lines: list[Line]) -> tuple[int, list[int]]:
        after = set(locked)
        for line in lines:
            after |= locked_by(board, options, line, team, chips)
        return -len(after), sorted(board.lines.index(line) for line in lines)

    return min(sets, key=rank)
