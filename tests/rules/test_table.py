"""Around the cards: table talk, leaving, the clock, agreement and rulings (R17, R21-R23)."""

import pytest

from games.rules import actions as act
from games.rules import events as ev
from games.rules.decide import decide
from games.rules.events import GameEnded
from games.rules.state import State
from tests.rules.boards import after, ending, events, legal, place, position, refusal


def table(seats: int = 2, teams: int | None = None, **options: object) -> State:
    """Seats with three live cards each."""
    hands = ["2c 3c 4c", "5c 6c 7c", "8c 9c Tc", "2d 3d 4d", "5d 6d 7d", "8d 9d Td"]
    return position(*hands[:seats], teams=teams, **options)


def without_play(state: State) -> act.PlaceChip:
    """Some placement of the seat on turn."""
    assert state.turn is not None
    return next(action for action in legal(state, state.turn) if isinstance(action, act.PlaceChip))


# Table talk (R17)


def test_every_seat_of_the_team_owes_a_card_that_is_never_replaced() -> None:
    state = after(table(4), act.CallTableTalk(1))

    assert state.debts == [0, 1, 0, 1]
    state = after(state, act.PayCard(3, "2d"))
    assert state.debts == [0, 1, 0, 0]
    assert state.hands[3] == ["3d", "4d"]
    assert state.discards[3] == ["2d"]
    assert len(state.pile) == 4
    assert state.turn == 0


def test_a_debtor_must_pay_before_it_plays_and_may_choose_the_card() -> None:
    state = after(table(), act.CallTableTalk(0))

    assert refusal(state, place(state, "2c", "e2")) == ("penalty_due", "R17")
    assert legal(state, 0) == [act.PayCard(0, card) for card in ("2c", "3c", "4c")]
    assert refusal(state, act.PayCard(0, "5c")) == ("not_in_hand", "R8")
    assert after(state, act.PayCard(0, "4c")).hands[0] == ["2c", "3c"]


def test_debts_add_up_and_never_take_the_last_card() -> None:
    state = after(table(), *[act.CallTableTalk(1)] * 5)

    assert state.debts == [0, 2]


def test_the_hand_that_is_spared_is_an_option() -> None:
    assert after(table(hand_floor=0), *[act.CallTableTalk(1)] * 5).debts == [0, 3]
    assert after(table(hand_floor=3), act.CallTableTalk(1)).debts == [0, 0]


def test_nobody_pays_without_owing() -> None:
    assert refusal(table(), act.PayCard(0, "2c")) == ("no_penalty_due", "R17")


@pytest.mark.parametrize("talk", ["free", "off"])
def test_where_talk_costs_nothing_it_cannot_be_called(talk: str) -> None:
    assert refusal(table(table_talk=talk), act.CallTableTalk(1)) == ("no_penalty_due", "R17")


def test_a_team_that_is_out_cannot_be_called() -> None:
    state = after(table(3), act.LeaveGame(1))

    assert refusal(state, act.CallTableTalk(1)) == ("not_active", "R21")


# Leaving (R21)


def test_a_seat_that_leaves_is_skipped_and_its_hand_discarded() -> None:
    state = after(table(4), act.LeaveGame(1), place(table(4), "2c", "e2"))

    assert state.turn == 2
    assert state.discards[1] == ["5c", "6c", "7c"]
    assert state.hands[1] == []
    assert state.ruleset.lines_to_win == 2
    assert refusal(state, act.LeaveGame(1)) == ("not_active", "R21")
    assert legal(state, 1) == []


def test_a_hand_may_leave_the_game_with_its_seat() -> None:
    state = after(table(4, withdrawn_hand="out"), act.LeaveGame(1))

    assert state.out == ["5c", "6c", "7c"]
    assert state.discarded() == 0


def test_leaving_on_turn_passes_the_turn_on() -> None:
    state = after(table(4), act.LeaveGame(0, "resign"))

    assert state.turn == 1
    assert state.active == [False, True, True, True]


def test_debts_and_draws_go_with_the_seat() -> None:
    state = after(table(4, draw_mode="manual"), place(table(4), "2c", "e2"), act.CallTableTalk(0))

    state = after(state, act.LeaveGame(0))

    assert state.debts[0] == 0
    assert state.rights[0] == []
    assert state.debts[2] == 1


def test_a_team_may_forfeit_with_one_of_its_seats() -> None:
    state = table(6, 3, withdraw="team_forfeits")

    assert events(state, act.LeaveGame(1)) == ["SeatLeft", "SeatLeft"]
    state = after(state, act.LeaveGame(1))
    assert state.active == [True, False, True, True, False, True]
    assert ending(state, act.LeaveGame(3)) == GameEnded(2, "last_team")


def test_the_last_team_left_wins() -> None:
    state = table(4)

    assert ending(after(state, act.LeaveGame(1)), act.LeaveGame(3)) == GameEnded(0, "last_team")
    assert ending(after(state, act.LeaveGame(1)), act.LeaveGame(2)) is None


def test_a_substitute_takes_the_seat_as_it_is_but_starts_its_clock_anew() -> None:
    state = table(4)
    state.clock_passes[2] = 2
    state.debts[2] = 1

    replaced = after(state, act.ReplaceSeat(2, "carla"))

    assert replaced.hands == state.hands
    assert replaced.debts == state.debts
    assert replaced.clock_passes[2] == 0
    assert refusal(after(state, act.LeaveGame(1)), act.ReplaceSeat(1, "carla")) == ("not_active", "R21")


# The clock (R22)


def test_a_pass_of_the_clock_plays_discards_and_draws_nothing() -> None:
    state = after(table(), act.ExpireTurn("pass"))

    assert state.turn == 1
    assert state.hands[0] == ["2c", "3c", "4c"]
    assert state.discarded() == 0
    assert state.clock_passes == [1, 0]
    assert state.idle_turns == 1


def test_the_third_pass_of_the_clock_in_a_row_ends_the_turn_and_then_takes_the_seat_out() -> None:
    state = table(4)
    state.clock_passes[0] = 2

    decided = decide(state, act.ExpireTurn("pass"))

    assert decided == (ev.TurnExpired(0, "pass", 1), ev.SeatLeft(0, "expiry", 1))
    assert after(state, act.ExpireTurn("pass")).turn == 1


@pytest.mark.parametrize("own_act", ["play", "swap", "pass"])
def test_whatever_a_seat_does_on_its_turn_breaks_the_row(own_act: str) -> None:
    state = table(4)
    state.clock_passes[0] = 2
    action: act.Action = without_play(state)
    if own_act == "swap":
        for space in state.ruleset.edition.spaces_for("2c"):
            state.chips[1] |= 1 << space
            state.occupied |= 1 << space
        action = act.SwapCard(0, "2c")
    elif own_act == "pass":
        state.hands[0] = ["Js"]
        action = act.PassTurn(0)

    assert after(state, action).clock_passes[0] == 0


def test_an_end_by_idle_rounds_comes_before_the_third_pass_takes_the_seat_out() -> None:
    state = table(idle_rounds=3)
    state.clock_passes[0] = 2
    state.idle_turns = 5

    assert events(state, act.ExpireTurn("pass")) == ["TurnExpired", "GameEnded"]


def test_the_clock_may_forfeit_the_seat_or_the_whole_team() -> None:
    state = table(6, 3)

    assert after(state, act.ExpireTurn("forfeit_seat")).active == [False, True, True, True, True, True]
    assert after(state, act.ExpireTurn("forfeit_team")).active == [False, True, True, False, True, True]
    assert after(state, act.ExpireTurn("forfeit_seat")).turn == 1


def test_asking_stops_the_clock_and_a_bot_changes_nothing_by_itself() -> None:
    state = table()

    asked = after(state, act.ExpireTurn("ask"))
    left_to_a_bot = after(state, act.ExpireTurn("bot"))

    assert asked.paused
    assert asked.turn == left_to_a_bot.turn == 0
    assert not left_to_a_bot.paused


def test_an_unknown_expiry_policy_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no expiry policy"):
        decide(table(), act.ExpireTurn("explode"))


def test_the_clock_is_paused_and_resumed_once() -> None:
    state = table()

    paused = after(state, act.PauseClock("00"))
    assert paused.paused
    assert refusal(paused, act.PauseClock()) == ("not_active", "R23")
    assert not after(paused, act.ResumeClock()).paused
    assert refusal(state, act.ResumeClock()) == ("not_active", "R23")


# Agreement and rulings (R23)


def test_a_draw_is_agreed_when_all_teams_in_have_agreed() -> None:
    state = after(table(6, 3), act.OfferDraw(0), act.AnswerDraw(4, agree=True))

    assert state.outcome is None
    assert ending(state, act.AnswerDraw(5, agree=True)) == GameEnded(None, "agreed")


def test_an_offer_stands_until_its_own_team_plays_again() -> None:
    state = after(table(3), act.OfferDraw(1))

    state = after(state, without_play(state))
    assert state.offer == (1, frozenset({1}))
    assert refusal(state, act.OfferDraw(2)) == ("offer_stands", "R23")
    state = after(state, without_play(state))
    assert state.offer is None
    assert refusal(state, act.AnswerDraw(2, agree=True)) == ("no_offer", "R23")


def test_a_swap_and_a_pass_of_the_clock_leave_the_offer_standing() -> None:
    state = after(table(), act.OfferDraw(0), act.ExpireTurn("pass"))

    assert state.offer == (0, frozenset({0}))


def test_an_offer_is_gone_when_anybody_declines_or_its_team_leaves() -> None:
    offered = after(table(3), act.OfferDraw(0))

    assert after(offered, act.AnswerDraw(2, agree=False)).offer is None
    assert after(offered, act.LeaveGame(0)).offer is None


def test_a_draw_is_agreed_when_the_only_team_against_it_leaves() -> None:
    state = after(table(3), act.OfferDraw(0), act.AnswerDraw(1, agree=True))

    assert ending(state, act.LeaveGame(2)) == GameEnded(None, "agreed")


def test_an_organiser_rules_a_result_or_a_draw_and_gives_the_hash_of_the_reason() -> None:
    state = table(3)

    assert decide(state, act.RuleResult(2, "abcd")) == (ev.ResultRuled(2, "abcd"), GameEnded(2, "ruling"))
    drawn = after(state, act.RuleResult(None))
    assert drawn.outcome is not None
    assert drawn.outcome.is_draw


def test_a_team_that_does_not_play_cannot_be_ruled_to_win() -> None:
    for winner in (2, -1):
        with pytest.raises(ValueError, match="no team"):
            decide(table(), act.RuleResult(winner))


def test_an_annulled_game_is_no_draw_and_is_over_for_good() -> None:
    state = after(table(), act.AnnulGame("abcd"))

    assert state.outcome is not None
    assert not state.outcome.is_draw
    assert state.outcome.end == "annulled"
    assert refusal(state, act.AnnulGame()) == ("game_over", "R7")


def test_a_finished_game_may_still_be_annulled_and_nothing_else() -> None:
    state = after(table(), act.RuleResult(1))

    for action in (act.OfferDraw(0), act.LeaveGame(0), act.PauseClock(), act.RuleResult(0), act.PassTurn(0)):
        assert refusal(state, action) == ("game_over", "R7")
    assert after(state, act.AnnulGame()).outcome == after(table(), act.AnnulGame()).outcome
