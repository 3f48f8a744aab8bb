"""The board as a picture: a pure function of a view."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from django.utils import translation

from games.play.telling import svg
from games.rules.deal import SecretDeal
from games.rules.editions import edition_from_data
from games.rules.ruleset import make_ruleset
from games.rules.state import deal_cards
from games.rules.view import View, view_for
from tests.rules.invented import INVENTED

SVG = "{http://www.w3.org/2000/svg}"


def view_with(seats=2, teams=None, **changes) -> View:
    rules = make_ruleset(seats, teams)
    view = view_for(deal_cards(rules, SecretDeal(bytes(32), ()), 0), None)
    return replace(view, **changes)


def mask(view, *names):
    return sum(1 << view.ruleset.board.space_by_name[name] for name in names)


def labels(text):
    return [node.get("aria-label") for node in ET.fromstring(text).iter() if node.get("aria-label")]


def count(text, tag, **attributes):
    wanted = {name.rstrip("_"): value for name, value in attributes.items()}
    return sum(
        all(node.get(name) == value for name, value in wanted.items())
        for node in ET.fromstring(text).iter(SVG + tag)
    )


def test_the_board_is_a_picture_that_says_nothing():
    text = svg.board_svg(view_with())

    assert ET.fromstring(text).get("aria-hidden") == "true"
    assert labels(text) == []
    assert "<title" not in text


def test_chips_have_the_colour_and_the_shape_of_their_team():
    view = view_with(3)
    view = replace(view, chips=(mask(view, "b1"), mask(view, "c1", "d1"), mask(view, "e1")))

    text = svg.board_svg(view)

    for team, chips in enumerate((1, 2, 1)):
        assert count(text, "path", fill=svg.COLOURS[team], d=svg.CHIP_PATHS[team]) == chips
    assert svg.COLOURS == ("#1b3a8a", "#2bb5a0", "#e07b00")
    assert len(set(svg.CHIP_PATHS)) == 3


def test_locked_chips_look_different_and_say_so():
    view = view_with()
    line = mask(view, "a2", "a3", "a4", "a5", "a6")
    view = replace(view, chips=(line | mask(view, "c3"), 0), locked=(line, 0), lines=((0, line),))

    text = svg.board_svg(view)

    assert count(text, "path", class_="ring") == 5
    assert count(text, "path", class_="chip blue") == 6
    assert count(text, "line", class_="line blue") == 1


def test_the_last_play_is_marked_even_where_a_chip_was_removed():
    view = view_with()
    view = replace(view, last=view.ruleset.board.space_by_name["c5"])

    text = svg.board_svg(view)

    assert count(text, "rect", class_="last-mark") == 1


def test_a_play_that_is_picked_is_drawn_with_the_lines_that_it_completes():
    view = view_with()
    line = mask(view, "a2", "a3", "a4", "a5", "a6")
    space = view.ruleset.board.space_by_name["a4"]
    view = replace(view, chips=(line & ~(1 << space), mask(view, "c3")))

    placed = svg.board_svg(view, svg.Preview(space, 0, lines=(line,)))
    removed = svg.board_svg(view, svg.Preview(view.ruleset.board.space_by_name["c3"], 0, is_removal=True))

    assert count(placed, "path", class_="chip blue") == 5
    assert count(placed, "line", class_="line blue") == 1
    assert count(placed, "g", class_="ghost") == 2
    assert count(removed, "path", class_="away") == 2
    assert count(removed, "path", class_="chip green") == 1


def test_the_lines_of_one_way_are_drawn_small():
    board = view_with().ruleset.board
    line = next(iter(board.lines))

    text = svg.lines_svg(board, 1, [line.mask])

    assert text.count("<line ") == 1
    assert svg.COLOURS[1] in text


@pytest.mark.parametrize("language", ["nl", "sv", "da"])
def test_numbers_are_whole_and_the_same_in_every_language(language):
    view = view_with()
    english = svg.board_svg(view)

    with translation.override(language):
        assert svg.board_svg(view) == english


def test_suits_are_paths_and_no_glyphs():
    text = svg.board_svg(view_with()) + svg.card_svg("Qd") + svg.card_text("Qd") + svg.chip_svg(1)

    assert text.isascii()


def test_a_board_of_other_material_is_drawn_with_its_own_codes():
    rules = make_ruleset(2, edition=edition_from_data(INVENTED))
    view = view_for(deal_cards(rules, SecretDeal(bytes(32), ()), 0), None)

    assert count(svg.board_svg(view), "rect", class_="paper") == rules.board.size


def test_a_card_in_text_is_named_for_those_who_cannot_see_it():
    text = svg.card_text("Th")

    assert "ten of hearts" in text
    assert ">10<" in text


def test_a_code_of_other_material_is_escaped():
    assert "<b>" not in svg.card_text("<b>") + svg.card_svg("<b>")
