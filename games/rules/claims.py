"""Which full lines count, and which five of a longer row (R9-R11)."""

from collections.abc import Iterable

from games.rules.board import Line, Space
from games.rules.ruleset import Ruleset
from games.rules.state import State


def full_lines(state: State, team: int, chips: int, through: Space | None = None) -> list[Line]:
    """Return the lines that `chips` fill and the team could still count one by one.

    `through` narrows them to one space.
    """
    board = state.board
    have = chips | board.corner_mask
    lines = board.lines if through is None else board.lines_through[through]
    earlier = state.lines[team]
    full = [line for line in lines if line.mask & have == line.mask]
    if not full or not earlier:
        return full
    done = [board.line_by_mask[mask] for mask in earlier]
    return [line for line in full if line.mask not in earlier and allowed(state.ruleset, done, (line,))]


def allowed(rules: Ruleset, earlier: list[Line], new: Iterable[Line]) -> bool:
    """Return whether all lines of `new` may count together beside the `earlier` ones (R10)."""
    lines = list(new)
    known = list(earlier)
    for line in lines:
        if any(not _share(rules, line, other) for other in known):
            return False
        known.append(line)
    return rules.overlap == "pairwise" or _in_some_order(rules, earlier, lines)


def _share(rules: Ruleset, line: Line, other: Line) -> bool:
    if line.mask == other.mask:
        return False
    shared = (line.mask & other.mask).bit_count()
    if line.axis == other.axis:
        if rules.overlap == "total" and rules.collinear_shared is None:
            return True
        return shared <= rules.collinear_limit
    return rules.overlap == "total" or shared <= rules.max_shared


def _in_some_order(rules: Ruleset, earlier: list[Line], lines: list[Line]) -> bool:
    """Return whether the lines can be added one by one, each sharing little with all before it together.

    Found backwards: a line that can come last can still do so when others have been taken away.
    """
    left = list(lines)
    base = 0
    for line in earlier:
        base |= line.mask
    while left:
        for line in left:
            others = base
            for other in left:
                if other is not line:
                    others |= other.mask
            if (line.mask & others).bit_count() <= rules.max_shared:
                left.remove(line)
                break
        else:
            return False
    return True


def largest_sets(state: State, team: int, full: list[Line]) -> list[tuple[Line, ...]]:
    """Return the sets of as many of the `full` lines as may count together (R10)."""
    rules = state.ruleset
    earlier = [state.board.line_by_mask[mask] for mask in state.lines[team]]
    best: list[tuple[Line, ...]] = []
    size = 0

    def extend(chosen: tuple[Line, ...], rest: list[Line]) -> None:
        nonlocal best, size
        if len(chosen) > size:
            best, size = [], len(chosen)
        if len(chosen) == size and chosen:
            best.append(chosen)
        for index, line in enumerate(rest):
            if len(chosen) + len(rest) - index < size:
                return
            if allowed(rules, earlier, (*chosen, line)):
                extend((*chosen, line), rest[index + 1 :])

    extend((), full)
    return best


def default_set(state: State, team: int, chips: int, sets: list[tuple[Line, ...]]) -> tuple[Line, ...]:
    """Return the set that counts when the player names none (R11); `chips` are the team's after the play."""

    def preference(lines: tuple[Line, ...]) -> tuple[int, list[int]]:
        locked = state.locked[team] | chips_locked_by(state, team, chips, lines)
        return -locked.bit_count(), sorted(line.order for line in lines)

    return min(sets, key=preference)


def chips_locked_by(state: State, team: int, chips: int, lines: Iterable[Line]) -> int:
    """Return the bits of the chips that `lines` make safe (R11, `protect`)."""
    locked = 0
    for line in lines:
        if state.ruleset.protect == "run":
            locked |= state.board.run_through(line, chips)
        else:
            locked |= line.mask & chips
    return locked


def open_lines(state: State, team: int, *, blocked: bool) -> int:
    """Return how many lines `team` may still complete (R15).

    `blocked` counts every chip of another team as standing, else only locked ones do.
    """
    board = state.board
    against = 0
    for other, bits in enumerate(state.chips if blocked else state.locked):
        if other != team:
            against |= bits
    earlier = [board.line_by_mask[mask] for mask in state.lines[team]]
    done = set(state.lines[team])
    return sum(
        1
        for line in board.lines
        if not line.mask & against and line.mask not in done and allowed(state.ruleset, earlier, (line,))
    )
