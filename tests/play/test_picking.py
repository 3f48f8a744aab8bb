"""What can be picked on the page of a game, what it says, and why something cannot be played."""

import re

import pytest
from django.utils import translation

from games.play import queries
from games.play.pages.game.board import board_context
from games.play.pages.game.choices import choices_for
from games.play.pages.game.gone import gone_cards
from games.play.pages.game.grid import spaces_grid
from games.play.pages.game.hand import hand_cards, hand_signs
from games.play.pages.game.picking import lines_words, picked_in, play_words
from games.play.queries import Seen
from games.play.telling.spoken import card_name
from games.rules.view import view_for
from tests.play.builders import make_game, play_one, player_on_turn
from tests.play.links import make_case

pytestmark = pytest.mark.django_db


def seen_with(hand=(), blue="", green="", locked="", lines=(), **options) -> Seen:
    """Return a game as its seat on turn (of team blue) sees it, with these cards and chips on the board."""
    game = make_game(2, **options)
    seen = queries.seen_game(game.pk, player_on_turn(game))
    state = seen.loaded.state
    board = state.board
    state.turn, seat = 0, 0
    if hand:
        state.hands[seat] = list(hand)

    def mask(names):
        return sum(1 << board.space_by_name[name] for name in names.split())

    state.chips = [mask(blue), mask(green)]
    state.locked = [0, mask(locked)]
    state.lines = [[board.line_between(*map(board.space_by_name.get, ends)).mask for ends in lines], []]
    state.occupied = board.corner_mask | state.chips[0] | state.chips[1]
    return Seen(seen.game, seen.places, seat, seen.version, view_for(state, seat), seen.loaded)


def picked(seen, **query):
    return picked_in(seen, choices_for(seen), query)


def test_nothing_is_picked_without_being_asked_for():
    assert not picked(seen_with()).is_anything


def test_a_card_of_two_spaces_lights_both_and_is_no_play_yet():
    seen = seen_with(["Qd", "4h"])

    card = picked(seen, card="Qd")

    assert (card.card, card.is_play) == ("Qd", False)
    assert sorted(seen.view.ruleset.board.names[space] for space in card.group.spaces) == ["d10", "h7"]


def test_a_card_with_one_space_left_means_that_space():
    card = picked(seen_with(["Qd"], green="d10"), card="Qd")

    assert [way.value for way in card.ways] == ["place Qd h7"]


def test_a_space_that_one_card_fits_picks_the_card():
    assert [way.value for way in picked(seen_with(["Qd", "4h"]), space="H7").ways] == ["place Qd h7"]


def test_a_space_that_several_cards_fit_asks_which():
    found = picked(seen_with(["Qd", "Jc", "4h"]), space="h7")

    assert not found.is_play
    assert [group.card for group in found.cards] == ["Qd", "Jc"]


@pytest.mark.parametrize(
    "query", [{"card": "Kd"}, {"card": "<b>"}, {"space": "z9"}, {"card": "??", "space": ""}]
)
def test_what_is_not_there_is_not_picked(query):
    assert not picked(seen_with(["Qd"]), **query).is_anything


def test_nobody_picks_out_of_turn():
    game = make_game(2)
    other = game.places.exclude(member=player_on_turn(game)).get().member
    seen = queries.seen_game(game.pk, other)

    assert not picked(seen, card=seen.view.hands[seen.seat][0]).is_anything


def test_who_owes_a_card_picks_it_from_the_hand():
    case = make_case("pay")
    card = case.choice.split()[1]
    seen = queries.seen_game(case.game.pk, case.member)

    context = board_context(seen, "/here", {"card": card})

    assert context["paying"].value == f"pay {card}"
    assert [each.name for each in context["hand"] if each.is_chosen] == [card_name(card)]
    assert all(each.url.startswith("/here?card=") for each in context["hand"])
    assert board_context(seen, "/here", {})["paying"] is None
    assert board_context(seen, "/here", {"card": card}, ("draw",))["paying"] is None
    assert cells(seen, card=card)["c5"][2] is None


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"card": "Qd", "space": "a2"}, "The queen of diamonds goes to h7 and d10, not to a2 (R8)."),
        ({"card": "Jc", "space": "b2"}, "A chip stands there already: choose an empty space (R8)."),
        ({"card": "Jc", "space": "a1"}, "Corners take no chip"),
        ({"card": "Js", "space": "c2"}, "No chip stands there"),
        ({"card": "Js", "space": "b2"}, "That chip is your own team's"),
        ({"card": "Js", "space": "b4"}, "That chip is locked in a completed line"),
        ({"card": "4h", "space": ""}, "Four of hearts is dead: both its spaces are covered (R13)."),
    ],
)
def test_a_page_says_why_something_cannot_be_played(query, why):
    spaces = "i8 f5"
    seen = seen_with(
        ["Qd", "Jc", "Js", "4h"], blue="b2", green=f"c4 b4 {spaces}", locked="b4", dead_swaps_per_turn=0
    )

    assert why in picked(seen, **query).why


def test_a_jack_that_removes_nothing_says_so():
    assert (
        picked(seen_with(["Js", "Qd"], blue="b2"), card="Js").why
        == "Jack of spades: no chip of another team can be removed now (R8)."
    )


@pytest.mark.parametrize(
    ("space", "why"),
    [
        ("a1", "a1 is a corner: it takes no chip, and counts for every team (R1)."),
        ("b2", "A chip stands on b2 already, and you cannot remove it now (R8)."),
        ("c2", "None of your cards goes to c2, four of clubs (R8)."),
    ],
)
def test_a_space_that_no_card_fits_says_why(space, why):
    assert picked(seen_with(["Qd"], green="b2"), space=space).why == why


def test_a_dead_card_offers_its_swap_and_nothing_else():
    seen = seen_with(["4h", "Qd"], green="i8 f5")

    dead = picked(seen, card="4h")

    assert [way.value for way in dead.ways] == ["swap 4h"]
    assert "is dead: both its spaces are covered" in play_words(seen.view, dead.ways[0])


def test_a_play_is_told_with_its_line_and_that_it_wins():
    seen = seen_with(["5c"], blue="b3 b4 b5 b6", lines=(("c1", "g1"),))
    way = picked(seen, card="5c", space="b2").ways[0]

    assert play_words(seen.view, way) == "The five of clubs: a chip on b2."
    assert lines_words(seen.view, way) == "It completes the line b2-b6. That wins the game."


def test_each_way_to_count_a_line_is_a_choice_of_its_own():
    # The corner makes six in a row: a1-a5 or a2-a6.
    seen = seen_with(["8c"], blue="a2 a3 a5 a6")

    context = board_context(seen, "/here", {"card": "8c", "space": "a4"})

    assert {way["lines"] for way in context["ways"]} == {"a1-a5", "a2-a6"}
    assert {way["value"] for way in context["ways"]} == {"place 8c a4 a1-a5", "place 8c a4 a2-a6"}
    assert context["lines_words"] == ""


def test_a_removal_names_the_chip_that_goes_away():
    seen = seen_with(["Js"], green="c5")

    assert play_words(seen.view, picked(seen, card="Js", space="c5").ways[0]) == (
        "The jack of spades: the green chip on c5 goes away."
    )


def test_the_hand_is_sorted_jacks_last_and_says_what_is_special():
    seen = seen_with(["Jc", "Qd", "Js", "4h", "2c", "Qd"], green="i8 f5")

    cards = hand_cards(seen.view, choices_for(seen), "/here", "Qd")

    names = [card.name for card in cards]
    assert set(names[-2:]) == {"jack of clubs", "jack of spades"}
    assert {card.name: card.note for card in cards if card.note} == {
        "jack of clubs": "place anywhere",
        "jack of spades": "remove a chip",
        "four of hearts": "dead",
    }
    assert [card.name for card in cards if card.is_chosen] == ["queen of diamonds"]
    assert [words for _, words in hand_signs(seen.view)] == ["place anywhere", "remove a chip", "dead"]
    assert all(card.url.startswith("/here?card=") for card in cards)


def cells(seen, **query):
    """Return the cells of the grid by the space: class, name to hear, address, whether Tab comes to it."""
    choices = choices_for(seen)
    grid = spaces_grid(seen.view, choices, picked_in(seen, choices, query), "/here")
    found = {}
    for cell in re.findall(r"<td.*?</td>", grid):
        name = re.search(r'id="at-(\w+)"', cell)[1]
        kind, label = re.search(r' class="(\w+)"', cell), re.search(r'aria-label="([^"]*)"', cell)[1]
        address = re.search(r'href="([^"]*)"', cell)
        found[name] = (kind and kind[1], label, address and address[1], 'tabindex="-1"' not in cell)
    return found


def test_every_space_is_a_cell_of_a_grid_with_its_name():
    seen = seen_with(["Qd"], blue="c5", green="d4 d5", locked="d4")

    found = cells(seen)

    assert len(found) == 100
    assert found["c5"][1] == "c5, seven of clubs, blue chip"
    assert found["d4"][1] == "d4, five of clubs, green chip, locked"
    assert found["a1"][1] == "a1, corner, free for every team"
    assert found["h7"][1] == "h7, queen of diamonds, can be chosen"


def test_spaces_of_the_hand_are_marked_and_those_of_a_picked_card_light_up():
    seen = seen_with(["Qd", "Jc"])

    before, after = cells(seen), cells(seen, card="Qd")

    assert {name for name, cell in before.items() if cell[0] == "fits"} == {"h7", "d10"}
    assert before["c2"][3], "a jack goes there"
    assert {name for name, cell in after.items() if cell[0] == "lit"} == {"h7", "d10"}
    assert after["h7"][2] == "/here?card=Qd&amp;space=h7#play"
    assert {name for name, cell in after.items() if cell[3]} == {"h7", "d10"}
    assert after["c2"][2], "which says why it cannot be chosen"


@pytest.mark.parametrize(
    "query", [{"card": "Qd", "space": "e5"}, {"space": "e5"}, {"card": "Qd", "space": "a1"}]
)
def test_a_space_that_cannot_be_played_is_not_shown_as_chosen(query):
    found = cells(seen_with(["Qd"]), **query)

    kind, label, _, _ = found[query["space"]]
    assert kind == "refused"
    assert ", chosen" not in label
    assert "chosen" not in {cell[0] for cell in found.values()}


def test_spectators_get_a_grid_without_links():
    game = make_game(2)
    play_one(game)
    seen = queries.seen_game(game.pk, game.club.memberships.get(role="organiser").user)

    found = cells(seen)

    assert {cell[2] for cell in found.values()} == {None}
    assert sum(cell[1].endswith(", last play") for cell in found.values()) == 1


def test_cards_that_are_gone_are_counted():
    seen = seen_with()
    seen.loaded.state.discards = [["Qd", "Jc", "Th"], ["Qd", "Js"]]
    view = view_for(seen.loaded.state, 0)

    gone = gone_cards(view)

    assert gone.ranks == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    cells = {cell.name: (cell.count, cell.kind) for row in gone.rows for cell in row.cells}
    assert len(cells) == 52
    assert cells["queen of diamonds"] == ("2", "all")
    assert cells["ten of hearts"] == ("1", "one")
    assert cells["king of spades"] == ("·", "")
    assert gone.jacks == [
        "Jacks that go anywhere: 1 of 4 gone.",
        "Jacks that remove: 1 of 4 gone.",
    ]


def test_the_grid_is_translated_with_the_page():
    seen = seen_with(["Qd"])

    with translation.override("nl"):
        assert 'href="/here?space=h7#play"' in spaces_grid(
            seen.view, choices_for(seen), picked(seen), "/here"
        )
