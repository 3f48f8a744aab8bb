"""What the page of a started game shows: the board, the viewer's hand and what may be done now."""

import secrets
from collections.abc import Collection, Mapping
from typing import Any

from django.utils.safestring import mark_safe

from games.play.pages import history, svg, words
from games.play.pages.choices import choices_for
from games.play.pages.spoken import team_word
from games.play.queries import OVER, Seen
from games.play.wording import SEAT_ACTS

KEY_BYTES = 18


def board_context(
    seen: Seen, here: str, query: Mapping[str, str], acts: Collection[str] = SEAT_ACTS
) -> dict[str, Any]:
    """Return what `play/_playing.html` shows of a started game.

    `here` is the address that cards and spaces lead to, `query` what it has chosen: `card`, `space`; only
    `acts` are offered.
    """
    view = seen.view
    if view is None:
        raise ValueError("a started game has a view")
    choices = choices_for(seen).limited_to(acts)
    chosen = words.chosen_in(choices, query)
    links = words.board_links(choices, here, chosen.card)
    own_team = None if seen.seat is None else seen.seat % seen.game.teams
    is_in_play = seen.seat is not None and view.outcome is None and view.active[seen.seat]
    picture = svg.board_svg(view, links=links, chosen=chosen.space)
    return {
        "game": seen.game,
        "view": view,
        "key": secrets.token_urlsafe(KEY_BYTES),
        "is_over": seen.game.status in OVER,
        "result": words.result_words(seen.game, seen.places, seen.seat),
        "seats": words.seat_lines(seen),
        "board": mark_safe(picture),  # noqa: S308 - svg.py escapes
        "teams": words.team_lines(view),
        "plays": history.last_plays(seen),
        "declined_by": history.own_offer_declined(seen) if is_in_play else "",
        "on_turn": None if view.turn is None else words.player_name(seen.places[view.turn]),
        "is_my_turn": view.turn is not None and view.turn == seen.seat,
        "is_in_play": is_in_play,
        "hand": words.hand_cards(view, choices, here, chosen.card) if seen.seat is not None else None,
        "choices": choices,
        "chosen": chosen,
        "chosen_group": words.chosen_group(choices, chosen),
        "can_offer": "offer_draw" in acts and is_in_play and view.offer is None,
        "can_answer": "accept_draw" in acts
        and is_in_play
        and view.offer is not None
        and own_team not in view.offer[1],
        "offered_by": "" if view.offer is None else team_word(view.ruleset.team_names[view.offer[0]]),
        "deal": words.revealed_deal(seen.game) if seen.game.status in OVER else {},
    }
