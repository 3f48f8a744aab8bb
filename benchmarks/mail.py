"""The board of a mail as a picture, in CPU time of one process."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import resvg_py

from benchmarks.games import random_games
from benchmarks.measure import row
from games.play.mails.picture import FONT, FONT_FAMILY, board_png
from games.play.pages.svg import board_svg
from games.rules.evolve import fold
from games.rules.state import deal_cards
from games.rules.view import View, view_for

PICTURE_REACH_MS = 30


def picture() -> dict[str, Any]:
    """A board half full, beside drawing all of it from SVG each time; `first` is a new process."""
    view = played_view()
    first = cpu_ms(lambda: board_png(view))
    pairs = [(cpu_ms(lambda: board_png(view)), cpu_ms(lambda: drawn_whole(view))) for _ in range(15)]
    ours, reference = (statistics.median(times) for times in zip(*pairs, strict=True))
    told = row(
        "picture of a board, from kept pieces",
        ours,
        "ms CPU",
        reference,
        ratio=ours / reference,
        reach=f"{PICTURE_REACH_MS} ms CPU",
        ok=ours <= PICTURE_REACH_MS,
    )
    return {**told, "first": round(first, 1), "bytes": len(board_png(view))}


def played_view() -> View:
    """Return the view of the seat on turn after some sixty events of a random game."""
    game = random_games(1)[0]
    state = deal_cards(game.rules, game.deal, 0)
    fold(state, game.events[1:61])
    return view_for(state, state.turn)


def drawn_whole(view: View) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=board_svg(view),
            width=1120,
            skip_system_fonts=True,
            font_files=[str(FONT)],
            sans_serif_family=FONT_FAMILY,
        )
    )


def cpu_ms(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000
