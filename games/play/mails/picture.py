"""The board as a PNG: resvg draws the empty board and each piece once, Pillow puts them together."""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import resvg_py
from django.utils.translation import gettext, ngettext
from PIL import Image

from games.play.telling import svg
from games.play.telling.spoken import line_names, space_name, team_and_shape
from games.rules.board import Board, Space
from games.rules.cards import Card
from games.rules.view import View

FONT = Path(__file__).parent / "fonts" / "DejaVuSans-Bold.ttf"
FONT_FAMILY = "DejaVu Sans"
DENSITY = 2
"""Pixels of the picture for each that it is shown with: screens of phones are that dense."""
COLOURS = 255
COMPRESSION = 6  # 9 takes ten times as long and saves a tenth
GROUND, FRAME = "#f3f0e6", "#6d6858"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The board without chips, once as it is and once with every print made small to stand above a chip.

    `pitch` is the size of a space in pixels, and the first one begins at `left`, `top`.
    """

    plain: Image.Image
    covered: Image.Image
    palette: Image.Image
    pitch: int
    left: int
    top: int

    def place(self, board: Board, space: Space) -> tuple[int, int]:
        row, column = divmod(space, board.width)
        return self.left + column * self.pitch, self.top + row * self.pitch


def board_png(view: View, *, width: int = 560) -> bytes:
    """Return the board as `view` shows it, to be shown `width` wide; equal views give equal bytes."""
    rules = view.ruleset
    sheet = _sheet(rules.board, rules.edition.printed, width)
    picture = sheet.plain.copy()
    _lay_out(picture, view, sheet)
    png = BytesIO()
    picture.quantize(palette=sheet.palette, dither=Image.Dither.NONE).save(
        png, "PNG", compress_level=COMPRESSION
    )
    return png.getvalue()


def _lay_out(picture: Image.Image, view: View, sheet: Sheet) -> None:
    """Paste prints, completed lines and chips, in this order from below."""
    board, pitch = view.ruleset.board, sheet.pitch
    taken = [
        (space, team, bool(view.locked[team] >> space & 1))
        for team, chips in enumerate(view.chips)
        for space in board.spaces_in(chips)
    ]
    for space, _, _ in taken:
        x, y = sheet.place(board, space)
        picture.paste(sheet.covered.crop((x, y, x + pitch, y + pitch)), (x, y))
    if view.last is not None:
        has_chip = any(space == view.last for space, _, _ in taken)
        card = view.ruleset.edition.printed[view.last]
        picture.paste(_last_played(card, pitch, has_chip=has_chip), sheet.place(board, view.last))
    for team, mask in view.lines:
        spaces = board.line_by_mask[mask].spaces
        (row, column), (last_row, last_column) = (divmod(end, board.width) for end in (spaces[0], spaces[-1]))
        strip = _stroke(team, last_row - row, last_column - column, pitch)
        x, y = sheet.place(board, spaces[0])
        picture.paste(strip, (x + min(0, last_column - column) * pitch, y), strip)
    for space, team, is_locked in taken:
        sprite = _chip(team, pitch, locked=is_locked)
        picture.paste(sprite, sheet.place(board, space), sprite)


@lru_cache(maxsize=8)
def _sheet(board: Board, printed: tuple[Card | None, ...], width: int) -> Sheet:
    across = width * DENSITY
    pitch = across * svg.UNIT // (board.width * svg.UNIT + svg.MARGIN + 24)
    right = pitch * 13 // svg.UNIT
    left = top = across - board.width * pitch - right
    height = top + board.height * pitch + right
    plain, covered = (
        _render(
            _empty_board(board, printed, (across, height, left, pitch), has_chips=has_chips), across, height
        )
        for has_chips in (False, True)
    )
    sheet = Sheet(plain.convert("RGB"), covered.convert("RGB"), plain, pitch, left, top)
    return Sheet(sheet.plain, sheet.covered, _palette(sheet, printed), pitch, left, top)


def _empty_board(
    board: Board, printed: tuple[Card | None, ...], layout: tuple[int, int, int, int], *, has_chips: bool
) -> str:
    across, height, left, pitch = layout
    line = DENSITY * 2
    parts = [
        f'<rect x="{line // 2}" y="{line // 2}" width="{across - line}" height="{height - line}" '
        f'fill="{GROUND}" stroke="{FRAME}" stroke-width="{line}"/>',
        f'<svg x="{left}" y="{left}" width="{board.width * pitch}" height="{board.height * pitch}" '
        f'viewBox="{svg.MARGIN} {svg.MARGIN} {board.width * svg.UNIT} {board.height * svg.UNIT}" '
        'overflow="visible">',
        *svg.coordinates(board),
    ]
    for space, card in enumerate(printed):
        row, column = divmod(space, board.width)
        x, y = svg.MARGIN + column * svg.UNIT, svg.MARGIN + row * svg.UNIT
        drawn = svg.paper(card) + svg.printed(card, has_chip=has_chips)
        parts.append(f'<g transform="translate({x} {y})">{drawn}</g>')
    return "".join([*parts, "</svg>"])


def _palette(sheet: Sheet, printed: tuple[Card | None, ...]) -> Image.Image:
    """Return the colours of every picture of this board: taken from one that shows each kind of piece."""
    pitch = sheet.pitch
    teams = range(len(svg.COLOURS))
    sample = Image.new("RGB", (pitch * 8, pitch * (2 * len(teams) + 2)), GROUND)
    sample.paste(sheet.plain.crop((0, 0, pitch * 8, pitch * 2)))
    for row, (team, is_locked) in enumerate(
        ((team, locked) for team in teams for locked in (False, True)), 2
    ):
        sprite = _chip(team, pitch, locked=is_locked)
        across, slanting = _stroke(team, 0, 3, pitch), _stroke(team, 1, 1, pitch)
        sample.paste(
            sheet.covered.crop((sheet.left, sheet.top, sheet.left + pitch * 8, sheet.top + pitch)),
            (0, row * pitch),
        )
        sample.paste(_last_played(printed[1], pitch, has_chip=True), (pitch * 6, row * pitch))
        sample.paste(across, (pitch, row * pitch), across)
        for column in (2, 5, 6):
            sample.paste(sprite, (pitch * column, row * pitch), sprite)
        if is_locked:
            sample.paste(slanting, (pitch * 6, (row - 1) * pitch), slanting)
    return sample.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


@lru_cache(maxsize=256)
def _last_played(card: Card | None, pitch: int, *, has_chip: bool) -> Image.Image:
    drawn = svg.paper(card, is_last=True) + svg.printed(card, has_chip=has_chip) + svg.last_mark()
    space = _render(drawn, pitch, pitch, (svg.UNIT, svg.UNIT))
    ground = Image.new("RGB", space.size, GROUND)
    ground.paste(space, (0, 0), space)
    return ground


@lru_cache(maxsize=64)
def _chip(team: int, pitch: int, *, locked: bool) -> Image.Image:
    drawn = f'<g transform="translate({svg.CHIP_X} {svg.CHIP_Y})">{svg.chip(team, locked=locked)}</g>'
    return _render(drawn, pitch, pitch, (svg.UNIT, svg.UNIT))


@lru_cache(maxsize=128)
def _stroke(team: int, down: int, right: int, pitch: int) -> Image.Image:
    """Return a completed line over the spaces from one end to the other."""
    rows, columns = down + 1, abs(right) + 1
    first = -right if right < 0 else 0
    drawn = svg.stroke(
        team,
        first * svg.UNIT + svg.CHIP_X,
        svg.CHIP_Y,
        (first + right) * svg.UNIT + svg.CHIP_X,
        down * svg.UNIT + svg.CHIP_Y,
    )
    return _render(drawn, columns * pitch, rows * pitch, (columns * svg.UNIT, rows * svg.UNIT))


def _render(drawn: str, width: int, height: int, units: tuple[int, int] | None = None) -> Image.Image:
    """Return SVG as a picture of these pixels; `units` are its own measures, where they differ."""
    across, down = units or (width, height)
    png = resvg_py.svg_to_bytes(
        svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {across} {down}">{svg.suit_symbols()}{drawn}</svg>',
        skip_system_fonts=True,
        font_files=[str(FONT)],
        font_family=FONT_FAMILY,
        sans_serif_family=FONT_FAMILY,
    )
    return Image.open(BytesIO(png)).convert("RGBA")


def board_alt(view: View) -> str:
    """Return in a few sentences what the picture shows, for those who cannot see it."""
    rules = view.ruleset
    sentences = [_team_alt(view, team, name) for team, name in enumerate(rules.team_names)]
    if view.last is not None:
        sentences.append(gettext("The last play was on %(space)s.") % {"space": space_name(rules, view.last)})
    return " ".join(sentences)


def _team_alt(view: View, team: int, name: str) -> str:
    chips = view.chips[team].bit_count()
    ends = [view.ruleset.board.ends(mask) for owner, mask in view.lines if owner == team]
    words = {
        "team": team_and_shape(team, name).capitalize(),
        "chips": str(chips),
        "lines": line_names(ends),
    }
    if ends:
        told = ngettext(
            "%(team)s: %(chips)s chip, completed %(lines)s.",
            "%(team)s: %(chips)s chips, completed %(lines)s.",
            chips,
        )
    else:
        told = ngettext("%(team)s: %(chips)s chip.", "%(team)s: %(chips)s chips.", chips)
    return told % words
