"""The board and its pieces as SVG text: whole numbers only, so that no language can change them.

Shapes and suits are paths of our own. Colours stand in attributes, so that a picture is complete by itself;
style sheets override them by class.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from games.play.telling.spoken import card_name, face
from games.rules.board import Board, Space
from games.rules.cards import Card
from games.rules.ruleset import TEAM_NAMES
from games.rules.view import View

UNIT = 100
MARGIN = 42
"""Room for the letters and numbers of columns and rows."""
CHIP_X, CHIP_Y = 50, 65
"""Where a chip stands in its space: below rank and suit, which stay readable."""

COLOURS = ("#1b3a8a", "#2bb5a0", "#e07b00")
RIM = "#14181f"
INK = {"c": "#1a1d21", "s": "#1a1d21", "d": "#b3131b", "h": "#b3131b", "": "#1a1d21"}

# Each in a box from -50 to 50.
SUIT_PATHS = {
    "d": "M0-48 36 0 0 48-36 0Z",
    "h": "M0 44C-18 26-46 4-46-20-46-52-8-54 0-26 8-54 46-52 46-20 46 4 18 26 0 44Z",
    "s": "M0-48C16-28 46-10 46 14 46 40 14 42 6 22 7 36 12 44 20 48H-20C-12 44-7 36-6 22-14 42-46 40-46 14"
    "-46-10-16-28 0-48Z",
    "c": "M-6 16A23 23 0 1 1-19-15A23 23 0 1 1 19-15A23 23 0 1 1 6 16C7 34 12 43 20 48H-20C-12 43-7 34-6 16Z",
}
# The outline of a team's chip: disc, diamond, triangle.
CHIP_PATHS = (
    "M-28 0A28 28 0 1 1 28 0A28 28 0 1 1-28 0Z",
    "M0-33 33 0 0 33-33 0Z",
    "M0-33 34 27H-34Z",
)
INNER_PATHS = (
    "M-21 0A21 21 0 1 1 21 0A21 21 0 1 1-21 0Z",
    "M0-24 24 0 0 24-24 0Z",
    "M0-20 22 20H-22Z",
)
PADLOCK = "M-9-1H-7V-5A7 7 0 0 1 7-5V-1H9V10H-9ZM-3-1H3V-5A3 3 0 0 0-3-5Z"
STAR = "M0-34 9-11 33-10 14 5 21 29 0 15-21 29-14 5-33-10-9-11Z"


@dataclass(frozen=True, slots=True)
class Preview:
    """A play that is chosen and not yet made, to be drawn on the board."""

    space: Space
    team: int
    is_removal: bool = False
    lines: tuple[int, ...] = ()
    """The masks of the lines that it completes."""


def board_svg(view: View, preview: Preview | None = None) -> str:
    """Return the board as `view` shows it: a picture, which says nothing to those who cannot see it."""
    board = view.ruleset.board
    parts = [
        '<svg class="board" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" '
        f'viewBox="{MARGIN} {MARGIN} {board.width * UNIT} {board.height * UNIT}">',
        suit_symbols(),
    ]
    taken = 0
    for chips in view.chips:
        taken |= chips
    for space, card in enumerate(view.ruleset.edition.printed):
        x, y = _corner_of(board, space)
        name = "space corner" if card is None else "space"
        if space == view.last:
            name += " last"
        ground = _ground(card, bool(taken >> space & 1), space == view.last)
        parts.append(f'<g class="{name}" transform="translate({x} {y})">{ground}</g>')
    parts += completed_lines(view)
    parts += _chips(view)
    if preview is not None:
        parts += _drawn_preview(board, preview)
    parts.append("</svg>")
    return "".join(parts)


@lru_cache(maxsize=500)
def _ground(card: Card | None, has_chip: bool, is_last: bool) -> str:
    drawn = paper(card, is_last=is_last) + printed(card, has_chip=has_chip)
    return drawn + last_mark() if is_last else drawn


def _drawn_preview(board: Board, preview: Preview) -> Iterator[str]:
    for mask in preview.lines:
        (x1, y1), (x2, y2) = _ends_of(board, mask)
        yield f'<g class="ghost" stroke-dasharray="34 26">{stroke(preview.team, x1, y1, x2, y2)}</g>'
    x, y = _corner_of(board, preview.space)
    where = f'transform="translate({x + CHIP_X} {y + CHIP_Y})"'
    if preview.is_removal:
        yield f'<path class="away" {where} d="M-30-30 30 30M30-30-30 30" stroke="#fff" stroke-width="20"/>'
        yield f'<path class="away" {where} d="M-30-30 30 30M30-30-30 30" stroke="#a2161c" stroke-width="11"/>'
    else:
        yield f'<g class="ghost" {where}>{chip(preview.team, locked=False)}</g>'


def lines_svg(board: Board, team: int, lines: Iterable[int]) -> str:
    """Return a small board with nothing on it but the strokes of lines."""
    width, height = board.width * UNIT, board.height * UNIT
    strokes = "".join(
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{COLOURS[team]}" stroke-width="70" '
        'stroke-linecap="round"/>'
        for (x1, y1), (x2, y2) in (_ends_of(board, mask) for mask in lines)
    )
    return (
        f'<svg class="mini" viewBox="{MARGIN} {MARGIN} {width} {height}" aria-hidden="true">'
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" fill="#fffdf6"/>'
        f'<path d="{_dots(board)}" stroke="#b9b4a6" stroke-width="36" stroke-linecap="round"/>{strokes}</svg>'
    )


@lru_cache(maxsize=20)
def _dots(board: Board) -> str:
    corners = (_corner_of(board, space) for space in range(board.size))
    return "".join(f"M{x + CHIP_X} {y + CHIP_Y}h0" for x, y in corners)


def _ends_of(board: Board, mask: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where the chips at both ends of a line stand."""
    spaces = board.line_by_mask[mask].spaces
    (x1, y1), (x2, y2) = (_corner_of(board, space) for space in (spaces[0], spaces[-1]))
    return (x1 + CHIP_X, y1 + CHIP_Y), (x2 + CHIP_X, y2 + CHIP_Y)


def suit_symbols() -> str:
    """Return the suits as symbols, to which the rest of a page may refer as `#suit-d`."""
    symbols = (
        f'<symbol id="suit-{suit}" viewBox="-50 -50 100 100"><path d="{path}"/></symbol>'
        for suit, path in SUIT_PATHS.items()
    )
    return f"<defs>{''.join(symbols)}</defs>"


def suit_svg(suit: str) -> str:
    """Return a suit of the size of text, for a page that holds `suit_symbols`."""
    return f'<svg class="suit" viewBox="0 0 100 100" aria-hidden="true"><use href="#suit-{suit}"/></svg>'


def chip_svg(team: int) -> str:
    """Return a team's chip of the size of text."""
    return (
        f'<svg class="chip-icon" viewBox="-44 -44 88 88" aria-hidden="true">{chip(team, locked=False)}</svg>'
    )


def owner_in(view: View, space: Space) -> int | None:
    """Return the team whose chip stands on `space`."""
    return next((team for team, chips in enumerate(view.chips) if chips >> space & 1), None)


def _corner_of(board: Board, space: Space) -> tuple[int, int]:
    row, column = divmod(space, board.width)
    return MARGIN + column * UNIT, MARGIN + row * UNIT


def coordinates(board: Board) -> Iterator[str]:
    for column in range(board.width):
        x = MARGIN + column * UNIT + UNIT // 2
        yield f'<text class="coordinate" x="{x}" y="30" {_TEXT}>{board.names[column][0]}</text>'
    for row in range(board.height):
        y = MARGIN + row * UNIT + UNIT // 2 + 10
        yield f'<text class="coordinate" x="19" y="{y}" {_TEXT}>{row + 1}</text>'


_TEXT = 'text-anchor="middle" font-size="30" font-family="sans-serif" fill="#5a6068"'


def paper(card: Card | None, *, is_last: bool = False) -> str:
    """Return the ground of a space: without a card it is a corner."""
    fill = "#e4e1d6" if card is None else "#fffdf6"
    if is_last:
        fill = "#ffe28a"
    return (
        f'<rect class="paper" x="3" y="3" width="94" height="94" rx="12" fill="{fill}" stroke="#b9b4a6" '
        'stroke-width="2"/>'
    )


def last_mark() -> str:
    """Return the frame around the space of the last play."""
    return (
        '<rect class="last-mark" x="5" y="5" width="90" height="90" rx="10" fill="none" stroke="#8a5a00" '
        'stroke-width="5"/>'
    )


def printed(card: Card | None, *, has_chip: bool) -> str:
    """Return what is printed on a space; smaller above a chip."""
    if card is None:
        return f'<path class="star" transform="translate(50 52)" d="{STAR}" fill="#8d8777"/>'
    rank, suit = face(card)
    ink = f"suit-{suit or 'none'}"
    x, y, size, suit_size = (28, 31, 31, 25) if has_chip else (34, 45, 46 if len(rank) == 1 else 40, 44)
    text = (
        f'<text class="{ink}" x="{x}" y="{y}" font-size="{size}" text-anchor="middle" '
        f'font-family="sans-serif" font-weight="bold" fill="{INK[suit]}">{escape(rank)}</text>'
    )
    if not suit:
        return text
    left, top = (62, 7) if has_chip else (46, 46)
    return (
        f'{text}<use class="{ink}" href="#suit-{suit}" x="{left}" y="{top}" width="{suit_size}" '
        f'height="{suit_size}" fill="{INK[suit]}"/>'
    )


def _chips(view: View) -> Iterator[str]:
    board = view.ruleset.board
    for team, chips in enumerate(view.chips):
        for space in board.spaces_in(chips):
            x, y = _corner_of(board, space)
            is_locked = bool(view.locked[team] >> space & 1)
            yield f'<g transform="translate({x + CHIP_X} {y + CHIP_Y})">{chip(team, locked=is_locked)}</g>'


def chip(team: int, *, locked: bool) -> str:
    """Return a chip around 0, 0; one in a completed line has an inner ring and a padlock."""
    name = TEAM_NAMES[team]
    loose = (
        f'<path class="chip {name}" d="{CHIP_PATHS[team]}" fill="{COLOURS[team]}" stroke="{RIM}" '
        'stroke-width="5" stroke-linejoin="round"/>'
    )
    if not locked:
        return loose
    below = 8 if team == 2 else 0
    return (
        f'{loose}<path class="ring" d="{INNER_PATHS[team]}" fill="none" stroke="#fff" stroke-width="4"/>'
        f'<g class="padlock" transform="translate(0 {below})"><circle r="14" fill="#fff"/>'
        f'<path transform="translate(0 -1)" d="{PADLOCK}" fill="{RIM}" fill-rule="evenodd"/></g>'
    )


def completed_lines(view: View) -> Iterator[str]:
    """Yield a stroke through each completed line, to lie below its chips."""
    board = view.ruleset.board
    for team, mask in view.lines:
        (x1, y1), (x2, y2) = _ends_of(board, mask)
        yield stroke(team, x1, y1, x2, y2)


def stroke(team: int, x1: int, y1: int, x2: int, y2: int) -> str:
    """Return a completed line from one end to the other."""
    ends = f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
    return "".join(
        f'<line class="line {name}" {ends} stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
        for name, colour, width in (("casing", RIM, 26), (TEAM_NAMES[team], COLOURS[team], 18))
    )


# What is special about a card, as a sign on it: a chip may go anywhere, a chip goes away, dead.
SIGNS = {"anywhere": "M-9 0H9M0-9V9", "removes": "M-9 0H9", "dead": "M-7-7 7 7M7-7-7 7"}


def card_svg(card: Card, sign: str = "") -> str:
    """Return a card of a hand as a small picture; its name is for the page to say."""
    rank, suit = face(card)
    ink = f"suit-{suit or 'none'}"
    picture = (
        f'<use class="{ink}" href="#suit-{suit}" x="26" y="54" width="48" height="48" fill="{INK[suit]}"/>'
        if suit
        else ""
    )
    mark = f'<g transform="translate(64 22)">{_sign(sign)}</g>' if sign else ""
    return (
        '<svg class="card-picture" viewBox="0 0 84 116" aria-hidden="true">'
        '<rect class="paper" x="2" y="2" width="80" height="112" rx="11" fill="#fffdf6" stroke="#8b8678" '
        'stroke-width="2"/>'
        f'<text class="{ink}" x="9" y="45" font-size="44" font-family="sans-serif" font-weight="bold" '
        f'fill="{INK[suit]}">{escape(rank)}</text>{picture}{mark}</svg>'
    )


def sign_svg(sign: str) -> str:
    """Return the sign of a special card, to explain it."""
    return f'<svg class="sign" viewBox="-16 -16 32 32" aria-hidden="true">{_sign(sign)}</svg>'


def _sign(sign: str) -> str:
    fill = "#a2161c" if sign == "dead" else "#17483c"
    return (
        f'<circle r="15" fill="{fill}"/><path d="{SIGNS[sign]}" stroke="#fff" stroke-width="5" '
        'stroke-linecap="round"/>'
    )


def card_text(card: Card) -> str:
    """Return a card within text: rank and suit to see, its name to hear."""
    rank, suit = face(card)
    shown = f'<span aria-hidden="true">{escape(rank)}{suit_svg(suit) if suit else ""}</span>'
    return (
        f'<span class="card-text suit-{suit or "none"}">{shown}'
        f'<span class="visually-hidden">{escape(card_name(card))}</span></span>'
    )
