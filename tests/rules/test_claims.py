"""Lines: which count, which five of a longer row, what they lock (R9-R11, R18)."""

import pytest

from games.rules import actions as act
from games.rules.claims import open_lines
from games.rules.editions import edition_from_data
from games.rules.events import GameEnded
from games.rules.legal import unclaimed_lines
from games.rules.ruleset import make_ruleset
from games.rules.state import State
from tests.rules.boards import after, ending, events, lines_of, mask, names, place, position, refusal, remove
from tests.rules.invented import INVENTED


def row(signs: str, number: int = 5) -> str:
    """A board with one row of signs, the others empty."""
    rows = ["*........*", *["." * 10] * 8, "*........*"]
    rows[number - 1] = signs
    return "\n".join(rows)


def blue(board: str, *, lines: tuple[str, ...] = (), **options: object) -> State:
    """Blue to play with a two-eyed jack; green holds a jack of each kind."""
    return position("Jc Jd 2c", "Js Jd", board=board, lines=lines, **options)


# How many lines (R10)


@pytest.mark.parametrize(
    ("signs", "space", "count"),
    [
        ("bbb.......", "d5", 0),
        ("bbbb......", "e5", 1),
        ("bbb.bb....", "d5", 1),
        ("bbbb.bb...", "e5", 1),
        ("bbbb.bbb..", "e5", 1),
        ("bbbb.bbbb.", "e5", 2),
        ("bbbb.bbbbb", "e5", 2),
        ("bbbbb.bbbb", "f5", 2),
    ],
)
def test_five_to_eight_in_a_row_are_one_line_and_nine_are_two(signs: str, space: str, count: int) -> None:
    state = blue(row(signs), lines_to_win=9)

    assert len(lines_of(after(state, place(state, "Jc", space)), 0)) == count


def test_nine_in_a_row_win_a_two_team_game_at_one_stroke() -> None:
    state = blue(row("bbbb.bbbb."))

    assert ending(state, place(state, "Jc", "e5")) == GameEnded(0, "lines")
    assert lines_of(after(state, place(state, "Jc", "e5")), 0) == ["a5-e5", "e5-i5"]


def test_a_line_extended_to_nine_gives_the_second_at_the_ninth_chip() -> None:
    state = blue(row("bbbbbbb.b."), lines=("b a5-e5",))

    assert lines_of(after(state, place(state, "Jc", "h5")), 0) == ["a5-e5", "e5-i5"]
    state = blue(row("bbbbbb.b.."), lines=("b a5-e5",))
    assert lines_of(after(state, place(state, "Jc", "g5")), 0) == ["a5-e5"]


def test_two_separate_lines_win_as_well_as_two_that_cross() -> None:
    board = """
        *........*
        bbbbb.....
        ..........
        ..........
        ..........
        ..........
        ..........
        .....gg...
        .bbbb.....
        *........*
    """
    state = blue(board, lines=("b a2-e2",))

    assert ending(state, place(state, "Jc", "a9")) == GameEnded(0, "lines")


def test_collinear_lines_may_be_told_apart_by_an_option() -> None:
    touching = blue(row("bbbb.bbbb."), collinear_shared=0)
    apart = blue(row("bbbb.bbbbb"), collinear_shared=0)

    assert len(lines_of(after(touching, place(touching, "Jc", "e5")), 0)) == 1
    assert lines_of(after(apart, place(apart, "Jc", "e5")), 0) == ["a5-e5"]


def test_more_may_be_shared_by_an_option() -> None:
    state = blue(row("bbbb.bb..."), max_shared=4, lines_to_win=9)

    assert lines_of(after(state, place(state, "Jc", "e5")), 0) == ["a5-e5", "b5-f5", "c5-g5"]


def test_counted_in_total_a_line_across_two_earlier_ones_does_not_count() -> None:
    board = """
        *........*
        bbbbb.....
        b.........
        b.........
        b.........
        .bbbb.....
        ..........
        ..........
        ..........
        *........*
    """
    lines = ("b a2-e2",)
    pairwise = blue(board, lines=lines, lines_to_win=9)
    total = blue(board, lines=lines, lines_to_win=9, overlap="total")

    assert len(lines_of(after(pairwise, place(pairwise, "Jc", "a6")), 0)) == 3
    assert len(lines_of(after(total, place(total, "Jc", "a6")), 0)) == 3
    strict = blue(board, lines=lines, lines_to_win=9, max_shared=0)
    assert len(lines_of(after(strict, place(strict, "Jc", "a6")), 0)) == 2


def test_under_total_an_option_may_still_keep_lines_of_one_row_apart() -> None:
    board = row("bbbbbbbb..")
    loose = blue(board, lines=("b a5-e5",), overlap="total", max_shared=2, lines_to_win=9)
    apart = blue(board, lines=("b a5-e5",), overlap="total", max_shared=2, collinear_shared=1, lines_to_win=9)

    assert lines_of(after(loose, place(loose, "Jc", "i5")), 0) == ["a5-e5", "e5-i5"]
    assert unclaimed_lines(loose, 0) == (mask(loose, "d5-h5"),)
    assert unclaimed_lines(apart, 0) == ()


# Which five (R11)


def test_six_in_a_row_lock_five_and_the_sixth_can_go() -> None:
    state = blue(row("bbb.bb...."))

    state = after(state, place(state, "Jc", "d5"))
    assert names(state, state.locked[0]) == "a5 b5 c5 d5 e5"
    assert refusal(state, remove(state, "Js", "a5")) == ("locked", "R9")
    state = after(state, remove(state, "Js", "f5"))
    assert lines_of(state, 0) == ["a5-e5"]


def test_the_player_may_name_the_other_five() -> None:
    state = blue(row("bbb.bb...."))

    state = after(state, place(state, "Jc", "d5", "b5-f5"))

    assert names(state, state.locked[0]) == "b5 c5 d5 e5 f5"


@pytest.mark.parametrize(
    "named", [("a5-e5", "b5-f5"), ("c5-g5",), ("a5-a9",), ("a5-e5", "a5-e5")], ids=" ".join
)
def test_what_is_not_a_largest_allowed_set_is_refused(named: tuple[str, ...]) -> None:
    state = blue(row("bbb.bb...."))

    assert refusal(state, place(state, "Jc", "d5", *named)) == ("bad_claim", "R11")
    assert refusal(state, place(state, "Jc", "d5", none=True)) == ("bad_claim", "R11")


def test_of_a_row_to_the_corner_the_five_without_it_lock_one_chip_more() -> None:
    state = blue(row("*bbb.b...*", 1))

    by_default = after(state, place(state, "Jc", "e1"))
    named = after(state, place(state, "Jc", "e1", "a1-e1"))

    assert names(by_default, by_default.locked[0]) == "b1 c1 d1 e1 f1"
    assert names(named, named.locked[0]) == "b1 c1 d1 e1"


def test_with_chips_locked_already_the_set_that_locks_more_new_ones_counts() -> None:
    board = """
        *........*
        b.........
        b.........
        b.........
        bbb.bb....
        b.........
        ..........
        ..........
        ..........
        *........*
    """
    state = blue(board, lines=("b a2-a6",), lines_to_win=9)

    assert lines_of(after(state, place(state, "Jc", "d5")), 0) == ["a2-a6", "b5-f5"]


def test_lines_are_preferred_in_the_order_e_s_se_sw() -> None:
    board = """
        *........*
        .b.b.b....
        ..bbb.....
        .bb.bb....
        ..bbb.....
        .b.b.b....
        ..........
        ..........
        ..........
        *........*
    """
    state = blue(board, max_shared=0, lines_to_win=9)

    for gone, line in [("", "b4-f4"), ("b4", "d2-d6"), ("d2", "b2-f6"), ("b2", "f2-b6")]:
        if gone:
            bit = 1 << state.board.space_by_name[gone]
            state.chips[0] ^= bit
            state.occupied ^= bit
        assert lines_of(after(state, place(state, "Jc", "d4")), 0) == [line]


@pytest.mark.parametrize(("signs", "space"), [("bbb.bbb...", "d5"), ("bbbb.bbb..", "e5")])
def test_a_run_is_locked_whole_by_an_option(signs: str, space: str) -> None:
    state = blue(row(signs), protect="run")

    state = after(state, place(state, "Jc", space))

    assert state.locked[0] == state.chips[0]
    assert lines_of(state, 0) == ["a5-e5"]


def test_a_run_stops_at_a_gap_and_at_the_chips_of_others() -> None:
    state = blue(row("gbbb.bb.bg"), protect="run")

    state = after(state, place(state, "Jc", "e5"))

    assert names(state, state.locked[0]) == "b5 c5 d5 e5 f5 g5"


def test_chips_that_join_a_run_later_are_not_locked() -> None:
    state = blue(row("bbb.b....."), protect="run")

    state = after(state, place(state, "Jc", "d5"), act.ExpireTurn("pass"))
    state = after(state, place(state, "Jd", "f5"))

    assert names(state, state.locked[0]) == "a5 b5 c5 d5 e5"


# Winning (R7)


def test_a_win_is_seen_before_drawing() -> None:
    state = blue(row("bbbb......"), lines_to_win=1)

    state = after(state, place(state, "Jc", "e5"))

    assert state.hands[0] == ["Jd", "2c"]
    assert len(state.pile) == 4
    assert state.turn is None


def test_three_teams_need_one_line_and_lines_to_win_overrides_it() -> None:
    board = row("bbbb......")
    one = position("Jc", "2c", "3c", board=board)
    two = position("Jc", "2c", "3c", board=board, lines_to_win=2)

    assert ending(one, place(one, "Jc", "e5")) == GameEnded(0, "lines")
    assert ending(two, place(two, "Jc", "e5")) is None


# Announcing (R18)


def test_a_line_that_is_not_announced_can_be_broken() -> None:
    state = blue(row("bbbb......"), claim="announce")

    state = after(state, place(state, "Jc", "e5"))
    assert lines_of(state, 0) == []
    state = after(state, remove(state, "Js", "c5"))

    assert refusal(state, act.AnnounceLines(0, (mask(state, "a5-e5"),))) == ("bad_claim", "R18")


def test_a_line_may_be_announced_with_any_play_or_on_any_own_turn() -> None:
    state = blue(row("bbbbb....."), claim="announce", lines_to_win=2)

    with_a_play = after(state, place(state, "Jc", "j9", "a5-e5"))
    alone = after(state, act.AnnounceLines(0, (mask(state, "a5-e5"),)))

    assert lines_of(with_a_play, 0) == lines_of(alone, 0) == ["a5-e5"]
    assert with_a_play.turn == 1
    assert alone.turn == 0
    assert refusal(alone, act.AnnounceLines(0, (mask(state, "a5-e5"),))) == ("bad_claim", "R18")


def test_a_line_may_be_announced_with_a_removal() -> None:
    board = row("bbbbb....g")
    state = position("Js 2c", "3c", board=board, claim="announce", lines_to_win=1)

    assert events(state, remove(state, "Js", "j5", "a5-e5")) == ["ChipRemoved", "GameEnded"]


def test_announcing_needs_the_option_and_at_least_one_line() -> None:
    by_itself = blue(row("bbbbb....."))
    announced = blue(row("bbbbb....."), claim="announce")

    assert refusal(by_itself, act.AnnounceLines(0, (mask(by_itself, "a5-e5"),))) == ("bad_claim", "R18")
    assert refusal(announced, act.AnnounceLines(0, ())) == ("bad_claim", "R18")


def test_ten_in_a_row_never_announced_can_be_taken_as_five_and_five() -> None:
    state = blue(row("bbbbbbbbbb"), claim="announce")

    both = act.AnnounceLines(0, (mask(state, "a5-e5"), mask(state, "f5-j5")))

    assert ending(state, both) == GameEnded(0, "lines")


# Lines that can no longer be completed (R15)


def test_locked_chips_close_lines_and_under_blocked_any_chip_does() -> None:
    board = row("ggggg....g")
    state = blue(board, lines=("g a5-e5",))

    locked = open_lines(state, 0, blocked=False)
    blocked = open_lines(state, 0, blocked=True)

    assert locked > blocked
    assert 192 - locked == sum(bool(line.mask & state.locked[1]) for line in state.board.lines)


def test_a_run_goes_no_further_than_a_corner_that_ends_the_line() -> None:
    """A free space within the board: blue holds a3 to f3 but d3, which is free."""
    rules = make_ruleset(2, edition=edition_from_data(INVENTED), protect="run", lines_to_win=9)
    state = State(rules)
    spaces = rules.board.space_by_name
    state.chips[0] = sum(1 << spaces[name] for name in ("b3", "c3", "e3", "f3"))
    state.occupied |= state.chips[0]
    state.hands, state.pile, state.turn = [["Zg"], ["Bg"]], ["Bl"], 0

    ended = after(state, act.PlaceChip(0, "Zg", spaces["a3"], (mask(state, "a3-d3"),)))

    assert names(ended, ended.locked[0]) == "a3 b3 c3"


def test_a_team_that_left_keeps_no_stalemate_open() -> None:
    """Only red's line a1-e1 could still count: red has not announced it."""
    board = """
        *rrrr.ggb*
        rrbbggrrbb
        rrbbggrrbb
        ggrrbbggrr
        ggrrbbggrr
        rrbbggrrbb
        rrbbggrrbb
        ggrrbbggrr
        ggrrbbggrr
        *bbggrrbb*
    """
    state = position("6s", "3c", "4c", board=board, stalemate="blocked", claim="announce")

    assert ending(state, place(state, "6s", "f1")) is None
    state.active[2] = False
    assert ending(state, place(state, "6s", "f1")) == GameEnded(None, "stalemate")
