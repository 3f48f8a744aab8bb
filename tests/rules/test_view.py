"""What each viewer may see: nothing that another hand, the pile or the secret decides (R20)."""

import pytest

from games.rules import actions as act
from games.rules.cards import HIDDEN
from games.rules.deal import ListedDeal
from games.rules.decide import decide
from games.rules.editions import load_edition
from games.rules.evolve import fold
from games.rules.legal import legal_actions
from games.rules.ruleset import Ruleset, make_ruleset
from games.rules.state import State, deal_cards
from games.rules.view import View, view_for
from tests.rules.boards import after, place, position

DECK = load_edition("classic").deck


FOUR_SEATS = make_ruleset(4)


def dealt(deck: list[str], rules: Ruleset = FOUR_SEATS) -> State:
    return deal_cards(rules, ListedDeal(deck), 0)


def swapped(deck: list[str], *pairs: tuple[int, int]) -> list[str]:
    deck = list(deck)
    for one, other in pairs:
        deck[one], deck[other] = deck[other], deck[one]
    return deck


def turned(deck: list[str], first: int) -> list[str]:
    """The deck with everything from `first` on in the opposite order."""
    return deck[:first] + deck[first:][::-1]


MIXED = [DECK[(place * 37) % 104] for place in range(104)]
DEALT = 24
"""Cards in hands at four seats; card i goes to seat i mod 4."""


def play_of_zero(state: State) -> State:
    """Seat 0 plays its first legal card."""
    action = next(a for a in legal_actions(state, 0) if isinstance(a, act.PlaceChip))
    return fold(state.copy(), decide(state, action))


@pytest.mark.parametrize("viewer", [None, 0, 1, 3])
def test_two_games_that_differ_only_in_a_hidden_hand_and_the_pile_look_the_same(viewer: int | None) -> None:
    """Seat 2's cards lie at 2, 6, 10 ..; seat 0 draws card 24, which is left in place."""
    one = dealt(MIXED)
    other = dealt(turned(swapped(MIXED, (2, 40), (6, 60), (10, 61)), DEALT + 1))
    assert one.hands[2] != other.hands[2]
    assert one.pile != other.pile

    assert view_for(one, viewer) == view_for(other, viewer)
    assert view_for(play_of_zero(one), viewer) == view_for(play_of_zero(other), viewer)
    assert legal_actions(one, 0) == legal_actions(other, 0)


def test_the_seat_whose_hand_differs_sees_the_difference_and_a_team_mate_does_not() -> None:
    one, other = dealt(MIXED), dealt(swapped(MIXED, (2, 40)))

    assert view_for(one, 2) != view_for(other, 2)
    assert one.team_of[0] == one.team_of[2]
    assert view_for(one, 0) == view_for(other, 0)


def test_the_card_that_a_seat_draws_is_seen_by_that_seat_alone() -> None:
    one, other = play_of_zero(dealt(MIXED)), play_of_zero(dealt(swapped(MIXED, (24, 25))))

    assert view_for(one, 0) != view_for(other, 0)
    for viewer in (None, 1, 2, 3):
        assert view_for(one, viewer) == view_for(other, viewer)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_open_hands_are_seen_by_all(viewer: int | None) -> None:
    state = dealt(MIXED, make_ruleset(4, hands="open"))

    assert view_for(state, viewer).hands == tuple(map(tuple, state.hands))


def test_hands_are_closed_to_all_but_their_seat_and_hand_sizes_are_not() -> None:
    state = dealt(MIXED)

    assert view_for(state, None).hands == (None,) * 4
    seen = view_for(state, 1)
    assert seen.hands == (None, tuple(state.hands[1]), None, None)
    assert seen.hand_sizes == (6, 6, 6, 6)
    assert seen.pile_size == 80


def test_all_hands_of_a_finished_game_may_be_revealed() -> None:
    state = after(dealt(MIXED), act.RuleResult(0))

    assert view_for(state, None).hands == (None,) * 4
    assert view_for(state, None, reveal=True).hands == tuple(map(tuple, state.hands))


def test_a_hand_that_the_state_does_not_know_is_shown_to_nobody() -> None:
    state = position(f"{HIDDEN} Td", "2c")

    assert view_for(state, 0).hands == (None, None)
    assert view_for(state, 0, reveal=True).hands == (None, ("2c",))


def test_a_view_holds_no_part_of_the_state_that_can_change() -> None:
    state = position("Td 2d", "2c")
    view = view_for(state, 0)
    before = view_for(state.copy(), 0)

    fold(state, decide(state, place(state, "Td", "h6")))

    assert view == before
    assert view_for(state, 0) != before


def test_a_view_has_no_field_for_the_pile_the_deal_or_the_rights_of_turns() -> None:
    assert not {"pile", "deal", "out", "secret"} & set(View.__dataclass_fields__)
