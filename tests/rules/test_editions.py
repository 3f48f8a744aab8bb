"""Editions as data (R1, R2): the classic board, one that nobody prints, and files that are not usable."""

import copy
import hashlib
import json
from collections import Counter
from typing import Any

import pytest

from games.rules.editions import EditionError, edition_from_data, edition_names, load_edition
from games.rules.ruleset import make_ruleset
from tests.rules.invented import INVENTED

CLASSIC_BOARD = "eddfe2c4f2e17dbd88f65f322ca163bc1b590b9ddc2d6864d9b99f28dc074f99"


# The classic edition


def test_the_classic_board_has_the_published_checksum() -> None:
    edition = load_edition("classic")
    codes = ["**" if card is None else card.upper() for card in edition.printed]
    text = "\n".join(" ".join(codes[row * 10 : row * 10 + 10]) for row in range(10))

    assert hashlib.sha256(text.encode()).hexdigest() == CLASSIC_BOARD


def test_every_card_but_the_jacks_is_printed_twice() -> None:
    edition = load_edition("classic")

    for card in edition.codes:
        assert len(edition.spaces_for(card)) == (0 if card[0] == "J" else 2)


def test_there_are_192_lines_and_12_of_them_run_through_a_corner() -> None:
    board = make_ruleset(2).board

    assert len(board.lines) == 192
    assert sum(bool(line.mask & board.corner_mask) for line in board.lines) == 12
    assert len({line.mask for line in board.lines}) == 192
    assert {board.names[space] for space in board.corners} == {"a1", "j1", "a10", "j10"}


def test_lines_are_ordered_east_south_south_east_south_west_by_start_space() -> None:
    board = make_ruleset(2).board

    firsts = [next(line for line in board.lines if line.direction == way) for way in range(4)]
    assert [board.ends(line.mask) for line in firsts] == [
        ("a1", "e1"),
        ("a1", "a5"),
        ("a1", "e5"),
        ("e1", "a5"),
    ]
    assert [line.order for line in board.lines] == list(range(192))


def test_lines_of_one_straight_line_share_an_axis() -> None:
    board = make_ruleset(2).board

    axes = Counter(line.axis for line in board.lines)
    assert len(axes) == 10 + 10 + 11 + 11
    for line in board.lines:
        for other in board.lines_through[line.spaces[2]]:
            collinear = line.direction == other.direction
            assert (line.axis == other.axis) is collinear


def test_spaces_are_named_by_column_and_row_from_the_top_left() -> None:
    rules = make_ruleset(2)

    printed = rules.edition.printed
    assert printed[rules.board.space_by_name["b1"]] == "2s"
    assert printed[rules.board.space_by_name["a2"]] == "6c"
    assert printed[rules.board.space_by_name["c7"]] == "9c"
    assert printed[rules.board.space_by_name["i10"]] == "6d"


def test_the_deck_is_two_packs_in_canonical_order() -> None:
    deck = load_edition("classic").deck

    assert len(deck) == 104
    assert deck[:52] == deck[52:]
    assert deck[:6] == ["Ac", "Ad", "Ah", "As", "2c", "2d"]
    assert deck[51] == "Ks"


def test_two_eyed_jacks_are_clubs_and_diamonds_whatever_their_colour() -> None:
    rules = make_ruleset(2)

    assert rules.wild == {"Jc", "Jd"}
    assert rules.anti == {"Js", "Jh"}


@pytest.mark.parametrize("text", ["Td", "td", "TD", "tD", "10d", "10D", " Td "])
def test_cards_are_read_in_any_case_and_with_ten_written_out(text: str) -> None:
    assert load_edition("classic").parse_card(text) == "Td"


@pytest.mark.parametrize("text", ["", "1d", "Tx", "11d", "T", "Tdd", "**", "?"])
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card of the classic edition"):
        load_edition("classic").parse_card(text)


def test_an_unknown_edition_is_refused_with_the_known_names() -> None:
    assert "classic" in edition_names()
    with pytest.raises(EditionError, match=r"no edition is called 'dice'; there is .*classic"):
        load_edition("dice")


# The invented edition


def test_an_edition_of_another_size_is_nothing_special() -> None:
    rules = make_ruleset(2, edition=edition_from_data(INVENTED))
    board = rules.board

    assert (board.width, board.height, board.size) == (7, 6, 42)
    assert {board.names[space] for space in board.corners} == {"a1", "d3"}
    assert rules.edition.deck.count("Zg") == 3
    assert len(rules.edition.deck) == 69
    assert len(board.lines) == 6 * 4 + 7 * 3 + 4 * 3 + 4 * 3
    assert rules.lines_to_win == 3
    assert rules.hand_size == 4
    assert rules.dead_swaps_per_turn == 2
    assert not rules.is_default


def test_an_edition_without_a_cut_order_cuts_by_its_codes() -> None:
    edition = edition_from_data(INVENTED)

    assert [edition.cut_ranks[code] for code in edition.codes] == list(range(23))


# Files that are not usable


def changed(**keys: Any) -> dict[str, Any]:
    data = copy.deepcopy(INVENTED)
    for key, value in keys.items():
        if value is None:
            del data[key]
        else:
            data[key] = value
    return data


LAYOUT = INVENTED["layout"]
FAULTS: dict[str, tuple[Any, str]] = {
    "no object": ([], "an edition is one JSON object"),
    "no name": (changed(name=None), "name: "),
    "a name that is no text": (changed(name=7), "name: "),
    "no title": (changed(title=None), "title: "),
    "no codes": (changed(codes=None), "codes: "),
    "codes that are no text": (changed(codes=["Bg"]), "codes: "),
    "an empty list of codes": (changed(codes=""), "codes: "),
    "a code twice": (changed(codes=INVENTED["codes"] + " Bg"), "codes: "),
    "codes that differ in case only": (changed(codes=INVENTED["codes"] + " bG"), "codes: "),
    "a corner as a code": (changed(codes=INVENTED["codes"] + " **"), "codes: "),
    "the hidden card as a code": (changed(codes=INVENTED["codes"] + " ?"), "codes: "),
    "no wild cards": (changed(wild=None), "wild: "),
    "wild cards that are no list": (changed(wild="Zg"), "wild: "),
    "an unknown wild card": (changed(wild=["Zx"]), "wild: "),
    "a wild card that is no text": (changed(wild=[3]), "wild: "),
    "an unknown anti card": (changed(anti=["Zl", "Zx"]), "anti: "),
    "a card both wild and anti": (changed(anti=["Zl", "Zm", "Zg"]), "anti: Zg cannot be wild as well"),
    "no layout": (changed(layout=None), "layout: "),
    "an empty layout": (changed(layout=[]), "layout: must have 2 to 26 rows"),
    "rows that are no text": (changed(layout=[["Bg"]] * 6), "layout: must have 2 to 26 rows"),
    "too many columns": (changed(layout=[" ".join(["**"] * 27)] * 2), "layout: must have 2 to 26 rows"),
    "a short row": (changed(layout=[*LAYOUT[:5], "Gm Gl Gg Ip Im Il"]), "layout: row 6 has 6 spaces"),
    "an unknown card on the board": (
        changed(layout=[*LAYOUT[:5], "Gm Gl Gg Ip Im Il Xx"]),
        "layout: row 6 has 'Xx'",
    ),
    "a wild card on the board": (
        changed(layout=[*LAYOUT[:5], "Gm Gl Gg Ip Im Il Zg"]),
        "layout: Zg is wild or anti and must not be printed",
    ),
    "a card that is printed nowhere": (
        changed(codes=INVENTED["codes"] + " Zp"),
        "layout: Zp is printed nowhere",
    ),
    "no line length": (changed(line_length=None), "line_length: "),
    "a line of one": (changed(line_length=1), "line_length: must be a whole number from 2 to 7"),
    "a line longer than the board": (changed(line_length=8), "line_length: "),
    "true as a line length": (changed(line_length=True), "line_length: "),
    "no packs": (changed(packs=0), "packs: "),
    "packs as text": (changed(packs="2"), "packs: "),
    "no tables": (changed(tables=None), "tables: "),
    "an empty list of tables": (changed(tables={}), "tables: must name at least one number of seats"),
    "tables as a list": (changed(tables=[2]), "tables: "),
    "a table for one": (changed(tables={"1": {"teams": [2], "hand_size": 3}}), "tables: '1'"),
    "a table for a word": (changed(tables={"two": {"teams": [2], "hand_size": 3}}), "tables: 'two'"),
    "a table that is no object": (changed(tables={"2": 3}), "tables: 2: teams"),
    "four teams": (changed(tables={"4": {"teams": [4], "hand_size": 3}}), "tables: 4: teams"),
    "uneven teams": (changed(tables={"5": {"teams": [2], "hand_size": 3}}), "tables: 5: teams"),
    "no teams": (changed(tables={"4": {"teams": [], "hand_size": 3}}), "tables: 4: teams"),
    "a hand larger than the deck": (
        changed(tables={"2": {"teams": [2], "hand_size": 35}}),
        "tables: 2: hand_size: must be a whole number from 1 to 34",
    ),
    "no lines to win": (changed(lines_to_win=None), "lines_to_win: "),
    "lines to win for two teams only": (changed(lines_to_win={"2": 2}), "lines_to_win: 3"),
    "nought lines to win": (changed(lines_to_win={"2": 0, "3": 1}), "lines_to_win: 2"),
    "a swap limit below nought": (changed(dead_swaps_per_turn=-1), "dead_swaps_per_turn: "),
    "a swap limit in words": (changed(dead_swaps_per_turn="many"), "dead_swaps_per_turn: "),
    "no chips": (changed(chips_in_box=None), "chips_in_box: "),
    "chips of two colours": (changed(chips_in_box=[50, 50]), "chips_in_box: must be three numbers"),
    "chips in words": (changed(chips_in_box=[50, 50, "35"]), "chips_in_box: "),
    "a cut order with an unknown card": (changed(cut_ranks=["Xx"]), "cut_ranks: 'Xx'"),
    "a cut order without a card": (changed(cut_ranks=["Bg Bl"]), "cut_ranks: Bm is missing"),
    "a cut order that is no list": (changed(cut_ranks=5), "cut_ranks: "),
    "a key that editions do not have": (changed(colour="red"), "colour: "),
}


@pytest.mark.parametrize(("data", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_edition_is_refused_by_the_name_of_its_key(data: Any, message: str) -> None:
    with pytest.raises(EditionError) as refused:
        edition_from_data(data)

    assert str(refused.value).startswith(message)


def test_an_edition_survives_json_and_may_set_no_swap_limit() -> None:
    edition = edition_from_data(json.loads(json.dumps(changed(dead_swaps_per_turn="unlimited"))))

    assert edition.dead_swaps_per_turn is None
