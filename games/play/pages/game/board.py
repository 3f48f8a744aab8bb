"""What the page of a started game shows: the board, the viewer's hand and what may be done now."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.play.pages.game.choices import Choice, choices_for
from games.play.pages.game.gone import gone_cards
from games.play.pages.game.grid import spaces_grid
from games.play.pages.game.hand import hand_cards, hand_signs, with_hands_in_order
from games.play.pages.game.picking import Picked, lines_words, picked_in, play_words, preview_of
from games.play.queries import OVER, Seen
from games.play.telling import history, svg, words
from games.play.telling.spoken import line_names, team_word
from games.play.wording import SEAT_ACTS
from games.rules.view import View

KEY_BYTES = 18
FEW = 8
"""So many spaces of a card stand beside the board as links; more are a list to pull down."""


def board_context(
    seen: Seen, here: str, query: Mapping[str, str], acts: Collection[str] = SEAT_ACTS
) -> dict[str, Any]:
    """Return what `play/_playing.html` shows of a started game.

    `here` is the address that cards and spaces lead to, `query` what it has picked: `card`, `space`; only
    `acts` are offered.
    """
    view = seen.view
    if view is None:
        raise ValueError("a started game has a view")
    choices = choices_for(seen).limited_to(acts)
    picked = picked_in(seen, choices, query)
    own_team = None if seen.seat is None else seen.seat % seen.game.teams
    is_in_play = seen.seat is not None and view.outcome is None and view.active[seen.seat]
    is_over = seen.game.status in OVER
    picture = svg.board_svg(view, preview_of(view, picked))
    has_hand = seen.seat is not None and not is_over
    plays = history.last_plays(seen)
    return {
        "game": seen.game,
        "view": view,
        "here": here,
        "key": secrets.token_urlsafe(KEY_BYTES),
        "is_over": is_over,
        "result": words.result_words(seen.game, seen.places, seen.seat),
        "seats": words.seat_lines(replace(seen, view=with_hands_in_order(view))),
        "board": mark_safe(picture),  # noqa: S308 - svg.py escapes
        "letters": [name[0] for name in view.ruleset.board.names[: view.ruleset.board.width]],
        "numbers": [str(row + 1) for row in range(view.ruleset.board.height)],
        "spaces": spaces_grid(view, choices, picked, here),
        "teams": words.team_lines(view),
        "gone": gone_cards(view),
        "plays": plays,
        "last_play": plays[0] if plays else "",
        "declined_by": history.own_offer_declined(seen) if is_in_play else "",
        "on_turn": None if view.turn is None else words.player_name(seen.places[view.turn]),
        "up_next": _up_next(seen, view),
        "is_my_turn": view.turn is not None and view.turn == seen.seat,
        "is_in_play": is_in_play,
        "hand": hand_cards(view, choices, here, picked.card) if has_hand else None,
        "signs": hand_signs(view) if has_hand else [],
        "choices": choices,
        "can_offer": "offer_draw" in acts and is_in_play and view.offer is None,
        "can_answer": "accept_draw" in acts
        and is_in_play
        and view.offer is not None
        and own_team not in view.offer[1],
        "offered_by": "" if view.offer is None else team_word(view.ruleset.team_names[view.offer[0]]),
        "deal": words.revealed_deal(seen.game) if is_over else {},
        "paying": next((choice for choice in choices.pay if choice.value == f"pay {picked.card}"), None),
        **_picked_context(view, picked),
    }


def _picked_context(view: View, picked: Picked) -> dict[str, Any]:
    group = picked.group
    spaces = {} if group is None or picked.is_play else group.spaces
    return {
        "picked": picked,
        "play_words": play_words(view, picked.ways[0]) if picked.is_play else "",
        "lines_words": lines_words(view, picked.ways[0]) if len(picked.ways) == 1 else "",
        "ways": [_way(view, way) for way in picked.ways] if len(picked.ways) > 1 else [],
        "deeds": [(way, play_words(view, way)) for way in picked.ways if way.space is None],
        "announces": view.ruleset.claim == "announce",
        "spots": [view.ruleset.board.names[space] for space in spaces],
        "is_short": len(spaces) <= FEW,
        "picked_space": "" if picked.space is None else view.ruleset.board.names[picked.space],
    }


def _way(view: View, way: Choice) -> dict[str, str | SafeString]:
    """Return one way to count or announce lines: what it posts, a small picture, the lines by name."""
    board, team = view.ruleset.board, (view.viewer or 0) % view.ruleset.teams
    return {
        "value": way.value,
        "picture": mark_safe(svg.lines_svg(board, team, way.lines)),  # noqa: S308 - numbers only
        "lines": line_names(board.ends(mask) for mask in way.lines),
    }


def _up_next(seen: Seen, view: View) -> str:
    """Return who is on turn after the seat on turn, as a sentence; empty where two seats take turns."""
    state = seen.loaded.state
    if state is None or view.turn is None or sum(view.active) < 3:
        return ""
    following = state.seat_after(view.turn)
    if following is None:
        return ""
    if following == seen.seat:
        return gettext("Then it is your turn.")
    return gettext("Then %(player)s.") % {"player": words.player_name(seen.places[following])}
