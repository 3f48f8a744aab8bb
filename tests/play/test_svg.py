"""The board as a picture: a pure function of a view."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from django.utils import translation

from games.play.pages import svg
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


def test_every_space_has_its_name():
    names = labels(svg.board_svg(view_with()))

    assert len(names) == 101
    assert "c5, seven of clubs" in names
    assert "a1, corner, free for every team" in names


def test_chips_have_the_colour_and_the_shape_of_their_team():
    view = view_with(3)
    view = replace(view, chips=(mask(view, "b1"), mask(view, "c1", "d1"), mask(view, "e1")))

    text = svg.board_svg(view)

    for team, chips in enumerate((1, 2, 1)):
        assert count(text, "path", fill=svg.COLOURS[team], d=svg.CHIP_PATHS[team]) == chips
    assert svg.COLOURS == ("#1b3a8a", "#2bb5a0", "#e07b00")
    assert len(set(svg.CHIP_PATHS)) == 3
    assert "c1, three of spades, green chip" in labels(text)


def test_locked_chips_look_different_and_say_so():
    view = view_with()
    line = mask(view, "a2", "a3", "a4", "a5", "a6")
    view = replace(view, chips=(line | mask(view, "c3"), 0), locked=(line, 0), lines=((0, line),))

    text = svg.board_svg(view)

    assert count(text, "path", class_="ring") == 5
    assert count(text, "path", class_="chip blue") == 6
    assert count(text, "line", class_="line blue") == 1
    assert "a4, eight of clubs, blue chip, locked" in labels(text)
    assert "c3, two of diamonds, blue chip" in labels(text)


def test_the_last_play_is_marked_even_where_a_chip_was_removed():
    view = view_with()
    view = replace(view, last=view.ruleset.board.space_by_name["c5"])

    text = svg.board_svg(view)

    assert count(text, "rect", class_="last-mark") == 1
    assert "c5, seven of clubs, last play" in labels(text)


def test_spaces_that_can_be_chosen_are_links_and_only_those():
    view = view_with()
    board = view.ruleset.board
    links = {board.space_by_name["c5"]: '/games/1?card=7c&space=c5"#play', board.space_by_name["d4"]: "/x"}

    text = svg.board_svg(view, links=links, chosen=board.space_by_name["c5"])

    nodes = list(ET.fromstring(text).iter(SVG + "a"))
    assert [node.get("href") for node in nodes] == ["/x", '/games/1?card=7c&space=c5"#play']
    assert nodes[1].get("aria-current") == "true"
    assert nodes[1].get("aria-label") == "c5, seven of clubs: choose"


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

    assert len(labels(svg.board_svg(view))) == rules.board.size + 1


def test_a_card_in_text_is_named_for_those_who_cannot_see_it():
    text = svg.card_text("Th")

    assert "ten of hearts" in text
    assert ">10<" in text


def test_a_code_of_other_material_is_escaped():
    assert "<b>" not in svg.card_text("<b>") + svg.card_svg("<b>")
