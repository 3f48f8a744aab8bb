"""The board and hands as plain text, for mails that are read in any font."""

import textwrap
from collections.abc import Iterable
from functools import reduce
from operator import or_

from django.utils.translation import gettext

from games.play.telling.cards import card_note
from games.play.telling.spoken import face, line_names, space_name, team_and_shape, team_word
from games.rules.ascii import CORNER, SUITS
from games.rules.board import Space
from games.rules.cards import Card
from games.rules.encoding import SEAT_LETTERS
from games.rules.view import View

WIDTH = 63
"""Columns of the widest line of a board of the classic size."""
CHIP = len("(A)")
TEXT_STYLE = "\ufe0e"
"""Follows a suit sign, so that no mail program makes a coloured picture of it; takes no room."""


def board_text(view: View) -> str:
    """Return the board: a card on each space, and behind it the chip, `[A]` locked or `(A)` loose.

    What it shows is listed below it as well, for those who hear it or see its lines broken.
    """
    return "\n".join([*_rows(view), "", *_legend(view)])


def card_text(card: Card) -> str:
    """Return a card as people write it, `10♦` for `Td`; an edition's own code stays as it is."""
    rank, suit = face(card)
    return f"{rank}{SUITS[suit]}{TEXT_STYLE}" if suit else rank


def hand_text(view: View, hand: Iterable[Card]) -> list[str]:
    """Return each card with what is special about it, "J♣ place anywhere", or where it goes: "Q♦: c5, h6"."""
    return [_held(view, card) for card in hand]


def _held(view: View, card: Card) -> str:
    rules, note = view.ruleset, card_note(view, card)
    if note:
        return f"{card_text(card)} {note}"
    taken = reduce(or_, view.chips)
    free = [rules.board.names[space] for space in rules.edition.spaces_for(card) if not taken >> space & 1]
    return f"{card_text(card)}: {', '.join(free)}"


def columns(text: str) -> int:
    """Return how many columns `text` takes."""
    return len(text) - text.count(TEXT_STYLE)


def _rows(view: View) -> list[str]:
    board, printed = view.ruleset.board, view.ruleset.edition.printed
    faces = [CORNER if card is None else card_text(card) for card in printed]
    shown = [face + _chip(view, space) for space, face in enumerate(faces)]
    most = board.width * (max(map(columns, faces)) + CHIP)
    wide = _widths([shown[column :: board.width] for column in range(board.width)], most)
    rows = [" " * 3 + "".join(f" {chr(97 + column):<{width - 1}}" for column, width in enumerate(wide))]
    for row in range(board.height):
        texts = shown[row * board.width : (row + 1) * board.width]
        rows.append(f"{row + 1:>2} " + "".join(map(_padded, texts, wide)))
    return [row.rstrip() for row in rows]


def _widths(shown: list[list[str]], most: int) -> list[int]:
    """Return how wide each column is: a gap behind its widest space, where `most` has room for all gaps."""
    wide = [max(map(columns, texts)) + 1 for texts in shown]
    # Behind the last column none is needed.
    while sum(wide) - 1 > most:
        wide[wide.index(max(wide))] -= 1
    return wide


def _padded(text: str, wide: int) -> str:
    return text + " " * (wide - columns(text))


def _chip(view: View, space: Space) -> str:
    for team, chips in enumerate(view.chips):
        if chips >> space & 1:
            letter = SEAT_LETTERS[team]
            return f"[{letter}]" if view.locked[team] >> space & 1 else f"({letter})"
    return ""


def _chips(view: View) -> list[str]:
    """Return where each team has chips, in lines of at most `WIDTH` columns."""
    rules, lines = view.ruleset, []
    for team, name in enumerate(rules.team_names):
        spaces = [rules.board.names[space] for space in rules.board.spaces_in(view.chips[team])]
        if spaces:
            words = {"team": team_word(name), "spaces": ", ".join(spaces)}
            lines += textwrap.wrap(gettext("Chips of %(team)s: %(spaces)s") % words, WIDTH)
    return lines


def _legend(view: View) -> list[str]:
    """Return which letter is which team, what brackets mean, all chips, the lines and the last play."""
    rules = view.ruleset
    lines = [
        gettext("%(letter)s is %(team)s") % {"letter": SEAT_LETTERS[team], "team": team_and_shape(team, name)}
        for team, name in enumerate(rules.team_names)
    ]
    lines.append(gettext("(A) loose, [A] locked in a completed line, ** corner"))
    lines += _chips(view)
    for team, letter in zip(range(rules.teams), SEAT_LETTERS, strict=False):
        ends = [rules.board.ends(mask) for owner, mask in view.lines if owner == team]
        if ends:
            lines.append(
                gettext("Completed by %(team)s: %(lines)s") % {"team": letter, "lines": line_names(ends)}
            )
    if view.last is not None:
        lines.append(gettext("Last play: %(space)s") % {"space": space_name(rules, view.last)})
    return lines
