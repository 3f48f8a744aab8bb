"""The board as a PNG, and what is said instead of it."""

from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from django.utils import translation
from PIL import Image, ImageChops

from games.play.mails import picture
from games.play.mails.picture import board_alt, board_png
from games.play.telling import svg
from games.rules.editions import edition_from_data
from games.rules.ruleset import make_ruleset
from tests.play.mails.boards import busy_view, mask, view_of
from tests.play.mails.colour_blindness import KINDS, distance, from_hex, seen, simulate
from tests.rules.invented import INVENTED


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def at(view, name: str) -> tuple[int, int, int, int]:
    """Return the box of a space in the picture."""
    rules = view.ruleset
    sheet = picture._sheet(rules.board, rules.edition.printed, 560)
    x, y = sheet.place(rules.board, rules.board.space_by_name[name])
    return x, y, x + sheet.pitch, y + sheet.pitch


def colours_at(view, name: str) -> set[tuple[int, int, int]]:
    space = opened(board_png(view)).crop(at(view, name))
    return {colour for count, colour in space.getcolors(1 << 16) if count > 60}


def is_there(colour: str, colours: set[tuple[int, int, int]]) -> bool:
    return any(distance(from_hex(colour), other) < 3 for other in colours)


def test_the_picture_is_opaque_sharp_on_phones_and_small_enough_for_mail():
    png = board_png(busy_view())

    shown = Image.open(BytesIO(png))
    assert shown.size == (1120, 1120)
    assert shown.mode == "P"
    assert "transparency" not in shown.info
    assert 32_000 < len(png) < 155_000


def test_equal_views_give_equal_bytes_in_every_language():
    pictures = set()
    for language in ("en", "nl", "sv", "da"):
        picture._sheet.cache_clear()
        picture._chip.cache_clear()
        with translation.override(language):
            pictures.add(board_png(busy_view()))

    assert len(pictures) == 1


def test_each_chip_has_its_teams_colour_and_a_locked_one_a_white_ring():
    view = busy_view()

    for names, colour in (("c2", "#1b3a8a"), ("d3", "#2bb5a0"), ("g5", "#e07b00")):
        assert is_there(colour, colours_at(view, names))
        assert not is_there("#ffffff", colours_at(view, names))
    for names, colour in (("b2", "#1b3a8a"), ("j2", "#2bb5a0"), ("b9", "#e07b00")):
        assert is_there(colour, colours_at(view, names))
        assert is_there("#ffffff", colours_at(view, names))


def test_a_completed_line_runs_through_the_corner_that_it_uses():
    assert is_there("#e07b00", colours_at(busy_view(), "a10"))
    assert not is_there("#e07b00", colours_at(replace(busy_view(), lines=()), "a10"))


def test_only_the_space_of_the_last_play_is_marked():
    view = busy_view()
    marked, plain = opened(board_png(view)), opened(board_png(replace(view, last=None)))

    assert is_there("#ffe28a", colours_at(view, "h5"))
    x, y, right, below = ImageChops.difference(marked, plain).getbbox()
    left, top, end, foot = at(view, "h5")
    assert left <= x < right <= end
    assert top <= y < below <= foot


def test_the_last_play_is_marked_even_where_it_took_a_chip_away():
    view = view_of(make_ruleset(2))
    view = replace(view, last=view.ruleset.board.space_by_name["e5"])

    assert is_there("#ffe28a", colours_at(view, "e5"))


@pytest.mark.parametrize("ends", ["b2 c2 d2 e2 f2", "b2 b3 b4 b5 b6", "b2 c3 d4 e5 f6", "f2 e3 d4 c5 b6"])
def test_a_line_is_drawn_in_each_direction(ends):
    rules = make_ruleset(2)
    line = mask(rules, ends)
    view = view_of(rules, chips=(0, 0), lines=((0, line),))

    for name in ends.split():
        assert is_there("#1b3a8a", colours_at(view, name))
    assert not is_there("#1b3a8a", colours_at(view, "h8"))


def test_a_board_of_other_measures_fills_the_same_width():
    view = view_of(make_ruleset(2, edition=edition_from_data(INVENTED)))

    shown = opened(board_png(view))

    assert shown.width == 1120
    assert shown.height < shown.width


def test_the_picture_tells_nothing_of_hands():
    view = busy_view()

    assert board_png(view) == board_png(replace(view, viewer=1, hands=view.hands[::-1]))


def test_those_who_cannot_see_it_are_told_chips_lines_and_the_last_play():
    assert board_alt(busy_view()) == (
        "Blue, disc: 9 chips, completed b2-f6. Green, diamond: 14 chips, completed j2-j6 and d8-h8. "
        "Red, triangle: 8 chips, completed e6-a10. The last play was on h5, nine of diamonds."
    )
    view = view_of(make_ruleset(2))
    assert board_alt(replace(view, chips=(0, mask(view.ruleset, "c2")))) == (
        "Blue, disc: 0 chips. Green, diamond: 1 chip."
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_colours_of_chips_stay_apart_for_the_colour_blind(kind):
    apart = [
        distance(seen(from_hex(one), kind), seen(from_hex(other), kind))
        for one, other in combinations(svg.COLOURS, 2)
    ]

    assert min(apart) > 40
    # What plain green and red come to: the measure would notice.
    if kind != "tritanopia":
        assert distance(seen(from_hex("#008000"), kind), seen(from_hex("#ff0000"), kind)) < 25


def test_chips_differ_in_shape_and_have_dark_rims_where_colour_does_not_help():
    outlines = []
    for team in range(len(svg.COLOURS)):
        chip = picture._chip(team, 106, locked=False)
        outlines.append(chip.getchannel("A").point(lambda part: 255 if part > 127 else 0))
        assert is_there(svg.RIM, {colour[:3] for _, colour in chip.getcolors(1 << 16)})

    for one, other in combinations(outlines, 2):
        differing = ImageChops.difference(one, other).histogram()[255]
        assert differing > one.histogram()[255] // 6


def test_a_simulated_picture_keeps_its_measures_and_changes_its_colours():
    png = board_png(busy_view())

    for kind in KINDS:
        simulated = opened(simulate(png, kind))
        assert simulated.size == (1120, 1120)
        assert ImageChops.difference(simulated, opened(png)).getbbox() is not None
