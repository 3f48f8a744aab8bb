"""Plays, swaps, draws and passes (R8, R12-R16): the traps, and what each option changes."""

import pytest

from games.rules import actions as act
from games.rules.cards import HIDDEN
from games.rules.events import GameEnded
from games.rules.legal import legal_actions
from games.rules.plays import masks_of_lines
from games.rules.refusal import IllegalAction
from tests.rules.boards import (
    after,
    ending,
    events,
    legal,
    lines_of,
    mask,
    names,
    place,
    position,
    refusal,
    remove,
)

# Every space but a few is covered, nobody has a line, blue and green alternate by twos.
FULL = """
    *bbggbbgg*
    bbggbbggbb
    ggbbggbbgg
    ggbbggbbgg
    bbggbbggbb
    bbggbbggbb
    ggbbggbbgg
    ggbbggbbgg
    bbggbbggbb
    *bggbbggb*
"""


# Playing a card (R8)


def test_a_card_is_played_on_either_of_its_two_spaces_and_nowhere_else() -> None:
    state = position("Td", "2c")

    spaces = {action.space for action in legal(state, 0) if isinstance(action, act.PlaceChip)}

    assert names(state, sum(1 << space for space in spaces)) == "h6 e10"
    assert refusal(state, place(state, "Td", "a2")) == ("card_mismatch", "R8")


def test_a_one_eyed_jack_is_followed_by_a_draw_like_any_card() -> None:
    state = position(
        "Js", "2c", board="*........*\n" + "....g.....\n" * 1 + "..........\n" * 7 + "*........*"
    )

    state = after(state, remove(state, "Js", "e2"))

    assert state.hands[0] == ["Kc"]
    assert state.chips == [0, 0]
    assert state.turn == 1


@pytest.mark.parametrize("card", ["Js", "Jh"])
def test_one_eyed_jacks_are_told_by_their_eyes_not_by_their_colour(card: str) -> None:
    state = position(card, "2c")

    assert refusal(state, place(state, card, "e2")) == ("card_mismatch", "R8")
    assert refusal(state, remove(state, card, "e2")) == ("empty_space", "R8")


@pytest.mark.parametrize("card", ["Jc", "Jd"])
def test_two_eyed_jacks_place_anywhere_but_on_corners_and_remove_nothing(card: str) -> None:
    state = position(card, "2c")

    assert len(legal(state, 0)) == 96
    assert refusal(state, place(state, card, "a1")) == ("corner", "R8")
    assert refusal(state, remove(state, card, "e2")) == ("card_mismatch", "R8")


def test_a_card_that_is_not_in_the_hand_is_refused_before_its_space_is_looked_at() -> None:
    state = position("Td", "2c")

    assert refusal(state, place(state, "3c", "a1")) == ("not_in_hand", "R8")


def test_a_seat_out_of_the_game_or_off_the_table_may_not_act() -> None:
    state = position("Td", "2c")
    state.active[1] = False

    assert refusal(state, act.PassTurn(1)) == ("not_active", "R21")
    assert refusal(state, act.PassTurn(2)) == ("not_active", "R21")
    assert refusal(state, act.LeaveGame(-1)) == ("not_active", "R21")


def test_with_a_chip_limit_a_team_without_chips_may_only_remove() -> None:
    board = "*bbg.....*\n" + "..........\n" * 8 + "*........*"
    state = position("Jc Js Td", "2c", board=board, chip_limit=[2, 9])

    assert refusal(state, place(state, "Td", "h6")) == ("chip_limit", "R3")
    assert [type(action) for action in legal(state, 0)] == [act.RemoveChip]


# Dead cards (R13)


def test_a_swap_costs_no_turn_and_a_dead_replacement_waits() -> None:
    board = FULL.replace("*bbggbbgg*", "*bbggbbg.*")  # i1 is free
    state = position("2s 9s", "3c", board=board, pile="3s Kd")

    swapped = after(state, act.SwapCard(0, "2s"))

    assert swapped.turn == 0
    assert sorted(swapped.hands[0]) == ["3s", "9s"]
    assert refusal(swapped, act.SwapCard(0, "3s")) == ("swap_limit", "R13")
    assert after(swapped, place(swapped, "9s", "i1")).turn == 1


def test_a_dead_card_is_not_skipped_when_it_is_drawn() -> None:
    board = FULL.replace("*bbggbbgg*", "*bbggbbg.*")
    state = position("9s", "3c", board=board, pile="3s Kd", end="full_board", lines_to_win=9)
    state.occupied ^= 1 << state.board.space_by_name["b2"]
    state.chips[0] ^= 1 << state.board.space_by_name["b2"]

    assert after(state, place(state, "9s", "i1")).hands[0] == ["3s"]


@pytest.mark.parametrize(("limit", "swaps"), [(0, 0), (1, 1), (3, 3), ("unlimited", 4)])
def test_the_swap_limit_counts_within_one_turn(limit: object, swaps: int) -> None:
    state = position("2s 3s 4s 5s", "3c", board=FULL, pile="6s 7s 8s 9s Ts", dead_swaps_per_turn=limit)

    for card in ("2s", "3s", "4s", "5s")[:swaps]:
        state = after(state, act.SwapCard(0, card))

    if swaps < 4:
        assert refusal(state, act.SwapCard(0, "5s")) == ("swap_limit", "R13")
    assert state.swaps_used == swaps


def test_a_one_eyed_jack_without_a_target_is_unplayable_but_not_dead() -> None:
    state = position("Js", "2c")

    assert refusal(state, act.SwapCard(0, "Js")) == ("not_dead", "R13")
    assert legal(state, 0) == [act.PassTurn(0)]


def test_a_two_eyed_jack_may_be_dead_where_the_option_says_so() -> None:
    state = position("Jc", "2c", board=FULL, jacks_can_be_dead=True)

    assert legal(state, 0) == [act.SwapCard(0, "Jc")]


def test_a_swap_needs_a_card_to_draw() -> None:
    state = position("2s", "3c", board=FULL, pile="")

    assert refusal(state, act.SwapCard(0, "2s")) == ("no_replacement", "R13")
    assert legal(state, 0) == [act.PassTurn(0)]


def test_a_card_swapped_with_an_empty_pile_stays_out_of_its_own_reshuffle() -> None:
    state = position("2s", "3c", board=FULL, pile="", discards=["Ac Kd"], reshuffle="lazy")

    state = after(state, act.SwapCard(0, "2s"))

    assert state.hands[0] == ["Ac"]
    assert state.pile == ["Kd"]
    assert state.discards[0] == ["2s"]


def test_eager_the_swapped_card_becomes_the_new_pile_when_it_alone_is_left() -> None:
    state = position("2s", "3c", board=FULL, pile="", discards=["Ac"])

    swap = act.SwapCard(0, "2s")
    events_of_swap = after(state, swap)

    assert events_of_swap.hands[0] == ["Ac"]
    assert events_of_swap.pile == ["2s"]
    assert events_of_swap.reshuffles == 2


# Drawing (R12)


@pytest.mark.parametrize(
    ("mode", "pile", "reshuffles"), [("eager", ["2d", "9s"], 1), ("lazy", [], 0), ("never", [], 0)]
)
def test_taking_the_last_card_reshuffles_at_once_only_when_eager(
    mode: str, pile: list[str], reshuffles: int
) -> None:
    state = position("2d", "3c", pile="Kc", discards=["9s"], reshuffle=mode)

    state = after(state, place(state, "2d", "c3"))

    assert state.hands[0] == ["Kc"]
    assert sorted(state.pile) == pile
    assert state.reshuffles == reshuffles


def test_lazy_a_reshuffle_comes_before_the_draw_with_the_card_just_played() -> None:
    state = position("2d", "3c", pile="", discards=["9s"], reshuffle="lazy")

    state = after(state, place(state, "2d", "c3"))

    assert state.hands[0] == ["2d"]
    assert state.pile == ["9s"]


def test_never_reshuffling_leaves_hands_to_shrink() -> None:
    state = position("2d", "3c", pile="", discards=["9s"], reshuffle="never")

    state = after(state, place(state, "2d", "c3"))

    assert state.hands[0] == []
    assert legal_actions(state, 0) == ()
    assert legal(after(state, place(state, "3c", "d2")), 0) == [act.PassTurn(0)]


# No play (R14)


def test_a_pass_is_refused_while_an_unwelcome_removal_is_possible() -> None:
    board = "*g.......*\n" + "..........\n" * 8 + "*........*"
    state = position("Js", "2c", board=board)

    assert refusal(state, act.PassTurn(0)) == ("must_play", "R14")


def test_a_due_swap_comes_before_a_pass_unless_the_option_is_off() -> None:
    strict = position("2s", "3c", board=FULL)
    free = position("2s", "3c", board=FULL, must_swap_before_pass=False)

    assert refusal(strict, act.PassTurn(0)) == ("must_play", "R14")
    assert act.PassTurn(0) in legal(free, 0)
    assert after(free, act.PassTurn(0)).turn == 1


def test_a_pass_discards_nothing_and_draws_nothing() -> None:
    state = position("Js", "2c")

    state = after(state, act.PassTurn(0))

    assert state.hands[0] == ["Js"]
    assert state.discarded() == 0
    assert len(state.pile) == 4


def test_discard_and_draw_is_an_offer_beside_the_pass() -> None:
    state = position("Js Jh", "2c", no_play="discard_draw")

    assert legal(state, 0) == [act.PassTurn(0), act.DiscardCard(0, "Jh"), act.DiscardCard(0, "Js")]
    state = after(state, act.DiscardCard(0, "Js"))
    assert sorted(state.hands[0]) == ["Jh", "Kc"]
    assert state.discards[0] == ["Js"]
    assert state.turn == 1


def test_discarding_is_refused_by_default_and_while_a_play_exists() -> None:
    assert refusal(position("Js", "2c"), act.DiscardCard(0, "Js")) == ("must_play", "R14")
    playable = position("Js Td", "2c", no_play="discard_draw")
    assert refusal(playable, act.DiscardCard(0, "Js")) == ("must_play", "R14")


def test_a_hand_that_is_not_known_is_never_told_to_play() -> None:
    state = position(f"{HIDDEN} {HIDDEN}", "2c")

    assert events(state, act.PassTurn(0)) == ["TurnPassed"]
    assert events(state, place(state, "Td", "h6")) == ["ChipPlaced"]


# Ends without a winner (R15, R19)


def test_a_round_of_passes_is_a_draw() -> None:
    state = position("Js", "Jh", "Js")

    state = after(state, act.PassTurn(0), act.PassTurn(1))
    assert ending(state, act.PassTurn(2)) == GameEnded(None, "no_play")


def test_a_seat_that_left_is_not_waited_for() -> None:
    state = position("Js", "Jh", "Js")

    state = after(state, act.LeaveGame(1), act.PassTurn(0))

    assert ending(state, act.PassTurn(2)) == GameEnded(None, "no_play")


def test_a_placement_breaks_the_round_of_passes() -> None:
    state = position("Js Js", "Td 2c", "Js Js")

    state = after(state, act.PassTurn(0), act.PlaceChip(1, "Td", state.board.space_by_name["h6"]))

    assert state.no_play_passes == 0
    assert state.idle_turns == 0


def test_idle_rounds_count_turns_of_all_seats_without_a_chip() -> None:
    state = position("Js", "Jh", idle_rounds=2, no_play="discard_draw", pile="Js Jh Js Jh")

    for seat in (0, 1, 0):
        state = after(state, act.DiscardCard(seat, state.hands[seat][0]))

    assert ending(state, act.DiscardCard(1, state.hands[1][0])) == GameEnded(None, "idle_rounds")


def test_the_pass_of_the_clock_is_idle_but_not_a_seat_that_could_not_play() -> None:
    state = position("Js", "Jh", idle_rounds=1)

    state = after(state, act.PassTurn(0))

    assert ending(state, act.ExpireTurn("pass")) == GameEnded(None, "idle_rounds")
    state = position("Js", "Jh")
    state = after(state, act.PassTurn(0), act.ExpireTurn("pass"))
    assert state.outcome is None
    assert state.no_play_passes == 0


def test_on_a_full_board_most_lines_win_and_teams_that_left_do_not_count() -> None:
    board = """
        *bbbb.ggg*
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
    state = position("6s", "3c", "4c", board=board, lines=["b a1-e1"], end="full_board")
    blue, green = mask(state, "a1-e1"), mask(state, "f1-j1")
    filling = place(state, "6s", "f1")

    state.lines = [[blue], [green, green], []]
    assert ending(state, filling) == GameEnded(1, "full_board")
    state.active[1] = False
    assert ending(state, filling) == GameEnded(0, "full_board")
    state.lines[2] = [blue]
    assert ending(state, filling) == GameEnded(None, "full_board")


def test_a_race_goes_on_when_the_board_is_full() -> None:
    board = FULL.replace("*bbggbbgg*", "*bbggbbg.*")
    state = position("9s", "2s", board=board)

    state = after(state, place(state, "9s", "i1"))

    assert state.outcome is None
    assert state.turn == 1


# Drawing by hand and losing the card (R16)


def test_a_card_not_drawn_is_lost_when_a_later_seat_has_played_and_drawn() -> None:
    state = position("Td 2d", "3c 4c", draw_mode="manual")

    state = after(state, place(state, "Td", "h6"))
    state = after(state, place(state, "3c", "d2"))
    assert act.DrawCard(0) in legal(state, 0)
    state = after(state, act.DrawCard(1))

    assert refusal(state, act.DrawCard(0)) == ("no_draw_right", "R16")
    assert state.hands[1] == ["4c", "Kc"]


def test_the_strict_reading_loses_the_card_at_the_next_play() -> None:
    state = position("Td 2d", "3c 4c", draw_mode="manual", loss_of_card="next_play")

    state = after(state, place(state, "Td", "h6"))
    state = after(state, place(state, "3c", "d2"))

    assert refusal(state, act.DrawCard(0)) == ("no_draw_right", "R16")


def test_the_family_reading_never_loses_a_card() -> None:
    state = position("Td 2d 5c", "3c 4c", draw_mode="manual", loss_of_card="never")

    state = after(state, place(state, "Td", "h6"))
    state = after(state, place(state, "3c", "d2"), act.DrawCard(1))
    state = after(state, place(state, "2d", "c3"), act.DrawCard(0), act.DrawCard(0))

    assert state.hands[0] == ["5c", "Kd", "Kh"]
    assert refusal(state, act.DrawCard(0)) == ("no_draw_right", "R16")


def test_an_older_card_drawn_late_costs_nobody_a_newer_one() -> None:
    state = position("Td 2d", "3c 4c", "5c 6c", draw_mode="manual")

    state = after(state, place(state, "Td", "h6"))
    state = after(state, place(state, "3c", "d2"), act.DrawCard(0))

    assert act.DrawCard(1) in legal(state, 1)


def test_drawing_by_hand_from_an_empty_pile_is_refused_and_the_right_stands() -> None:
    state = position("Td 2d", "3c 4c", draw_mode="manual", reshuffle="never", pile="")

    state = after(state, place(state, "Td", "h6"))

    assert refusal(state, act.DrawCard(0)) == ("no_replacement", "R12")
    assert state.rights[0]
    assert act.DrawCard(0) not in legal(state, 0)


# Naming lines


def test_the_ends_of_no_line_are_refused() -> None:
    state = position("Td", "2c")

    with pytest.raises(IllegalAction, match="a1-c7 is not a line of 5"):
        masks_of_lines(state, [(0, 62)])
    assert masks_of_lines(state, [(4, 0)]) == masks_of_lines(state, [(0, 4)])


def test_naming_lines_without_completing_any_is_refused() -> None:
    state = position("Td", "2c")

    assert refusal(state, place(state, "Td", "h6", "a1-e1")) == ("bad_claim", "R9")
    assert lines_of(after(state, place(state, "Td", "h6", none=True)), 0) == []
