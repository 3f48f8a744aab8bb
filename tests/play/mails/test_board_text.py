"""The board and hands as plain text."""

from dataclasses import replace

from games.play.mails.board_text import WIDTH, board_text, card_text, columns, hand_text
from games.rules.editions import edition_from_data
from games.rules.ruleset import make_ruleset
from tests.play.mails.boards import busy_view, mask, view_of
from tests.rules.invented import INVENTED

BUSY = """\
    a   b     c      d     e     f     g     h     i     j
 1 **  2♠    3♠     4♠    5♠    6♠    7♠    8♠    9♠    **
 2 6♣  5♣[A] 4♣(A)  3♣(A) 2♣    A♥    K♥    Q♥    10♥   10♠[B]
 3 7♣  A♠    2♦[A]  3♦(B) 4♦    5♦    6♦    7♦(A) 9♥    Q♠[B]
 4 8♣  K♠    6♣(B)  5♣[A] 4♣    3♣    2♣    8♦(B) 8♥    K♠[B]
 5 9♣  Q♠(B) 7♣     6♥    5♥[A] 4♥    A♥(C) 9♦(C) 7♥    A♠[B]
 6 10♣ 10♠   8♣     7♥    2♥[C] 3♥[A] K♥(C) 10♦   6♥    2♦[B]
 7 Q♣  9♠(C) 9♣     8♥[C] 9♥    10♥   Q♥    Q♦    5♥    3♦
 8 K♣  8♠    10♣[C] Q♣[B] K♣[B] A♣[B] A♦[B] K♦[B] 4♥    4♦
 9 A♣  7♠[C] 6♠     5♠    4♠    3♠    2♠    2♥    3♥(A) 5♦
10 **  A♦    K♦     Q♦    10♦   9♦    8♦    7♦    6♦    **

A is blue, disc
B is green, diamond
C is red, triangle
(A) loose, [A] locked in a completed line, ** corner
Chips of blue: b2, c2, d2, c3, h3, d4, e5, f6, i9
Chips of green: j2, d3, j3, c4, h4, j4, b5, j5, j6, d8, e8, f8,
g8, h8
Chips of red: g5, h5, e6, g6, b7, d7, c8, b9
Completed by A: b2-f6
Completed by B: j2-j6 and d8-h8
Completed by C: e6-a10
Last play: h5, nine of diamonds"""


def test_the_board_is_told_space_by_space():
    assert board_text(busy_view()).replace("\ufe0e", "") == BUSY


def test_a_space_that_is_covered_is_not_one_to_go_to():
    view = busy_view()

    (told,) = hand_text(view, ("9s",))

    assert told.replace("\ufe0e", "") == "9♠: i1"


def test_every_suit_sign_is_kept_from_becoming_a_coloured_picture():
    text = board_text(busy_view())

    signs = sum(text.count(sign) for sign in "♣♦♥♠")
    assert signs == 96
    assert sum(text.count(sign + "\ufe0e") for sign in "♣♦♥♠") == signs


def test_no_line_is_wider_than_63_columns_though_every_space_is_covered():
    rules = make_ruleset(2)
    every = rules.board.playable_mask
    view = view_of(rules, chips=(every, 0), locked=(every, 0), last=rules.board.space_by_name["c8"])

    assert max(map(columns, board_text(view).splitlines())) <= WIDTH == 63


def test_an_edition_with_cards_of_its_own_is_told_in_its_codes():
    rules = make_ruleset(2, edition=edition_from_data(INVENTED))
    view = view_of(rules, chips=(mask(rules, "b1"), 0))

    assert board_text(view).splitlines()[:2] == [
        "    a  b     c  d  e  f  g",
        " 1 ** Bg(A) Bl Bm Bp Eg El",
    ]


def test_a_card_is_written_with_its_sign():
    assert card_text("Td") == "10♦\ufe0e"
    assert card_text("Qs") == "Q♠\ufe0e"
    assert card_text("Zg") == "Zg"


def test_a_hand_says_what_is_special_about_a_card_or_where_it_goes():
    view = busy_view()
    rules = view.ruleset
    both = sum(1 << space for space in rules.edition.spaces_for("7s"))
    view = replace(view, chips=(view.chips[0] | both, *view.chips[1:]))

    hand = [text.replace("\ufe0e", "") for text in hand_text(view, ("Qd", "Jc", "Js", "7s"))]

    assert hand == ["Q♦: h7, d10", "J♣ place anywhere", "J♠ remove a chip", "7♠ dead"]
