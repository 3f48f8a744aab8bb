"""The spaces of the board as a grid: keys move through it, fingers tap it, screen readers read it out."""

from html import escape
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.play.pages.game.choices import Choices
from games.play.pages.game.picking import Picked
from games.play.telling.spoken import space_name, team_word
from games.play.telling.svg import owner_in
from games.rules.board import Space
from games.rules.ruleset import TEAM_NAMES
from games.rules.view import View


def spaces_grid(view: View, choices: Choices, picked: Picked, here: str) -> SafeString:
    """Return a table to lie over the picture of the board: a cell for each space, with its name.

    On the viewer's turn each is a link, also those where nothing can be played: the page then says why.
    Before a card is picked, spaces that a card of the board `fits` are marked, then its spaces are `lit`.
    """
    board = view.ruleset.board
    lit, fits = _marked(choices, picked)
    base = f"{here}?{urlencode({'card': picked.card})}&amp;space=" if picked.group else f"{here}?space="
    is_linked = choices.has_turn
    words = (gettext(", last play"), gettext(", can be chosen"), gettext(", chosen"))
    rows = []
    for row in range(board.height):
        cells = []
        for space in range(row * board.width, (row + 1) * board.width):
            name, label = board.names[space], describe_space(view, space)
            if space == view.last:
                label += words[0]
            is_chosen, kind = space == picked.space and not picked.why, ""
            if is_chosen:
                label, kind = label + words[2], "chosen"
            elif space == picked.space:
                kind = "refused"
            elif space in lit:
                label, kind = label + words[1], "fits" if space in fits and not picked.group else "lit"
                kind = kind if picked.group or space in fits else ""
            cells.append(
                f'<td role="gridcell" id="at-{name}"'
                + (f' class="{kind}"' if kind else "")
                + (' aria-selected="true"' if is_chosen else "")
                + _inside(label, f"{base}{name}#play" if is_linked else "", can_choose=space in lit)
            )
        rows.append(f'<tr role="row">{"".join(cells)}</tr>')
    choosing = " choosing" if picked.group else ""
    table = (
        f'<table class="spaces{choosing}" role="grid" hx-boost="true" '
        f'aria-label="{escape(gettext("The board"))}"><tbody>{"".join(rows)}</tbody></table>'
    )
    return mark_safe(table)  # noqa: S308 - names are escaped


def _inside(label: str, url: str, *, can_choose: bool) -> str:
    """Return the rest of a cell; a link that chooses nothing is left out of the round of the Tab key."""
    if not url:
        return f' aria-label="{escape(label)}"></td>'
    tab = "" if can_choose else ' tabindex="-1"'
    return f'><a href="{url}" aria-label="{escape(label)}"{tab}></a></td>'


def _marked(choices: Choices, picked: Picked) -> tuple[set[Space], set[Space]]:
    """Return the spaces that can be chosen, and those of them that a printed card goes to."""
    if picked.group:
        return set(picked.group.spaces), set()
    lit = {space for group in choices.cards for space in group.spaces}
    printed = {space for group in choices.cards if len(group.spaces) <= 2 for space in group.spaces}
    return lit, printed


def describe_space(view: View, space: Space) -> str:
    """Return what is on a space: "c5, queen of diamonds, blue chip, locked"."""
    words = [space_name(view.ruleset, space)]
    team = owner_in(view, space)
    if team is not None:
        words.append(gettext("%(team)s chip") % {"team": team_word(TEAM_NAMES[team])})
        if view.locked[team] >> space & 1:
            words.append(gettext("locked"))
    return ", ".join(words)
