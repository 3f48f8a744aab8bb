"""The board and its pieces as SVG text: whole numbers only, so that no language can change them.

Shapes and suits are paths of our own. Colours stand in attributes, so that a picture is complete by itself;
style sheets override them by class.
"""

from collections.abc import Iterator, Mapping
from html import escape

from django.utils.translation import gettext

from games.play.pages.spoken import card_name, face, space_name, team_word
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


def board_svg(view: View, *, links: Mapping[Space, str] | None = None, chosen: Space | None = None) -> str:
    """Return the board as `view` shows it, each space named for those who cannot see it.

    `links` gives the spaces that can be chosen and the address behind each; `chosen` is marked.
    """
    board = view.ruleset.board
    width, height = board.width * UNIT + MARGIN, board.height * UNIT + MARGIN
    parts = [
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'role="group" aria-label="{escape(gettext("The board"))}">',
        suit_symbols(),
        f'<g aria-hidden="true">{"".join(coordinates(board))}</g>',
    ]
    parts += (_space_svg(view, space, links or {}, chosen) for space in range(board.size))
    # Drawn above the spaces, which the mouse reaches through them.
    parts += [
        '<g aria-hidden="true" pointer-events="none">',
        *completed_lines(view),
        *_chips(view),
        "</g>",
        "</svg>",
    ]
    return "".join(parts)


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


def describe_space(view: View, space: Space) -> str:
    """Return what is on a space: "c5, queen of diamonds, blue chip, locked"."""
    words = [space_name(view.ruleset, space)]
    team = owner_in(view, space)
    if team is not None:
        words.append(gettext("%(team)s chip") % {"team": team_word(TEAM_NAMES[team])})
        if view.locked[team] >> space & 1:
            words.append(gettext("locked"))
    return ", ".join(words)


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


def _space_svg(view: View, space: Space, links: Mapping[Space, str], chosen: Space | None) -> str:
    x, y = _corner_of(view.ruleset.board, space)
    card = view.ruleset.edition.printed[space]
    team = owner_in(view, space)
    can_choose = space in links
    state = [
        name
        for name, holds in (
            ("corner", card is None),
            ("last", space == view.last),
            ("open", can_choose),
            ("chosen", space == chosen),
        )
        if holds
    ]
    label = describe_space(view, space)
    if space == view.last:
        label += gettext(", last play")
    inner = [
        f"<title>{escape(label)}</title>",
        paper(card, is_last=space == view.last, can_choose=can_choose),
        printed(card, has_chip=team is not None),
    ]
    if space == view.last:
        inner.append(last_mark())
    if can_choose:
        inner.append(frame("open-mark", "#14691b", 6, "" if space == chosen else "14 9"))
    body = "".join(inner)
    classes = " ".join(["space", *state])
    place = f'class="{classes}" transform="translate({x} {y})"'
    if not can_choose:
        return f'<g {place} role="img" aria-label="{escape(label)}">{body}</g>'
    current = ' aria-current="true"' if space == chosen else ""
    choose = escape(gettext("%(space)s: choose") % {"space": label})
    return f'<a {place} href="{escape(links[space])}" aria-label="{choose}"{current}>{body}</a>'


def paper(card: Card | None, *, is_last: bool = False, can_choose: bool = False) -> str:
    """Return the ground of a space: without a card it is a corner."""
    fill = "#e4e1d6" if card is None else "#fffdf6"
    if is_last:
        fill = "#ffe28a"
    elif can_choose:
        fill = "#dff3e0"
    return (
        f'<rect class="paper" x="3" y="3" width="94" height="94" rx="12" fill="{fill}" stroke="#b9b4a6" '
        'stroke-width="2"/>'
    )


def frame(name: str, colour: str, width: int, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<rect class="{name}" x="5" y="5" width="90" height="90" rx="10" fill="none" stroke="{colour}" '
        f'stroke-width="{width}"{dashed}/>'
    )


def last_mark() -> str:
    """Return the frame around the space of the last play."""
    return frame("last-mark", "#8a5a00", 5)


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
        spaces = board.line_by_mask[mask].spaces
        (x1, y1), (x2, y2) = (_corner_of(board, space) for space in (spaces[0], spaces[-1]))
        yield stroke(team, x1 + CHIP_X, y1 + CHIP_Y, x2 + CHIP_X, y2 + CHIP_Y)


def stroke(team: int, x1: int, y1: int, x2: int, y2: int) -> str:
    """Return a completed line from one end to the other."""
    ends = f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
    return "".join(
        f'<line class="line {name}" {ends} stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
        for name, colour, width in (("casing", RIM, 26), (TEAM_NAMES[team], COLOURS[team], 18))
    )


def card_svg(card: Card) -> str:
    """Return a card of a hand as a small picture; its name is for the page to say."""
    rank, suit = face(card)
    ink = f"suit-{suit or 'none'}"
    picture = (
        f'<use class="{ink}" href="#suit-{suit}" x="28" y="52" width="44" height="44" fill="{INK[suit]}"/>'
        if suit
        else ""
    )
    return (
        '<svg class="card-picture" viewBox="0 0 84 116" aria-hidden="true">'
        '<rect class="paper" x="2" y="2" width="80" height="112" rx="12" fill="#fffdf6" stroke="#8b8678" '
        'stroke-width="2"/>'
        f'<text class="{ink}" x="12" y="44" font-size="40" font-family="sans-serif" font-weight="bold" '
        f'fill="{INK[suit]}">{escape(rank)}</text>{picture}</svg>'
    )


def card_text(card: Card) -> str:
    """Return a card within text: rank and suit to see, its name to hear."""
    rank, suit = face(card)
    shown = f'<span aria-hidden="true">{escape(rank)}{suit_svg(suit) if suit else ""}</span>'
    return (
        f'<span class="card-text suit-{suit or "none"}">{shown}'
        f'<span class="visually-hidden">{escape(card_name(card))}</span></span>'
    )
