"""A turn mail and its picture, in CPU time of one process (the database's own is not in it)."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import resvg_py
from django.utils import timezone

from benchmarks.games import random_games
from benchmarks.measure import row
from benchmarks.people import club_with, games_for
from games.mail import rendering
from games.mail.models import Mail
from games.play import queries
from games.play.mails.picture import FONT, FONT_FAMILY, board_png
from games.play.models import Game
from games.play.services.turns import take_turn
from games.play.telling.svg import board_svg
from games.play.wording import action_data
from games.rules.evolve import fold
from games.rules.state import deal_cards
from games.rules.view import View, view_for

PICTURE_REACH_MS = 30
MAIL_REACH_MS = 60
TURNS = 60


def turn_mail() -> dict[str, Any]:
    """The mail of a turn from its row in the outbox to its bytes, beside only packing what is rendered."""
    mail = mail_of_turn(TURNS + 1)
    now = timezone.now()

    def ours() -> bytes:
        message = rendering.render(mail, now)
        assert message is not None
        return bytes(message.message().as_bytes())

    size = len(ours())
    rendered = rendering.render(mail, now)
    assert rendered is not None
    pairs = [(cpu_ms(ours), cpu_ms(lambda: rendered.message().as_bytes())) for _ in range(15)]
    value, reference = (statistics.median(times) for times in zip(*pairs, strict=True))
    told = row(
        f"mail of turn {TURNS + 1} with its picture",
        value,
        "ms CPU",
        reference,
        ratio=value / reference,
        reach=f"{MAIL_REACH_MS} ms CPU",
        ok=value <= MAIL_REACH_MS,
    )
    return {**told, "bytes": size}


def mail_of_turn(number: int) -> Mail:
    """Play a game of two up to turn `number`; return the mail that tells of it."""
    for game in games_for(club_with(2), 20):
        for _ in range(number - 1):
            if game.turn_seat is None:
                break
            play_one(game)
            game.refresh_from_db()
        if game.turn_seat is not None:
            return Mail.objects.select_related("member").get(key__startswith=f"turn:{game.uuid}:{number}:")
    raise LookupError("no game lasted that long")


def play_one(game: Game) -> None:
    """Let the seat on turn place a chip if it can, somewhere in the middle of what it may do."""
    member = game.places.select_related("member").get(number=game.turn_seat).member
    assert member is not None
    seen = queries.seen_game(game.pk, member)
    assert seen is not None
    assert seen.loaded.state is not None
    choices = [action_data(seen.loaded.state, action) for action in queries.legal_for(seen)]
    choices = [data for data in choices if data["act"] in ("place", "remove", "pass")] or choices
    data = choices[len(choices) // 2]
    data.pop("claims", None)
    take_turn(game_id=game.pk, member=member, data=data, expected_version=game.version, now=timezone.now())


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
