"""Show and check a game record: `python -m games.rules FILE [--turn N] [--view VIEW] [--json]`.

Exit status 0: the record holds; 1: it is damaged or against the rules; 2: wrong usage, or no such file.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from games.rules.ascii import drawing_of, visible_hands
from games.rules.encoding import SEAT_LETTERS
from games.rules.record import FULL, PUBLIC, SEAT, Record, RecordError, is_view
from games.rules.replay import replay, result_of
from games.rules.sqn_json import read
from games.rules.sqn_text import MAX_TEXT
from games.rules.state import State

STDIN = "-"
DAMAGED, USAGE = 1, 2


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        data = _first_bytes(options.file)
    except (OSError, ValueError, AttributeError) as error:
        parser.error(f"cannot read {options.file}: {getattr(error, 'strerror', None) or error}")
    try:
        record = read(_decoded(data))
        played = replay(record)
    except RecordError as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return DAMAGED
    view = options.view or FULL
    if not is_view(view, record.ruleset.seats):
        last = SEAT_LETTERS[record.ruleset.seats - 1]
        parser.error(f"--view {view}: the seats of this game are A to {last}")
    state = played.state
    if options.turn is not None:
        if options.turn > state.turns:
            parser.error(f"--turn {options.turn}: the record has {state.turns} turns")
        state = replay(record, options.turn).state
    if options.json:
        print(json.dumps(summary_of(record, state, view)))
    else:
        print(drawing_of(record, state, view))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m games.rules", description="Check a game record and show the game."
    )
    parser.add_argument("file", metavar="FILE", help="SQN text or JSON; - reads standard input")
    parser.add_argument(
        "--turn", metavar="N", type=_turn, help="show the game after N turns, 0 being the deal"
    )
    parser.add_argument(
        "--view", type=_view, help="full, public or seat:A (default: all that the record shows)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _turn(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 9):
        raise argparse.ArgumentTypeError("a turn is a whole number from 0")
    return int(text)


def _view(text: str) -> str:
    if text not in (FULL, PUBLIC) and not is_view(text, len(SEAT_LETTERS)):
        raise argparse.ArgumentTypeError(f"a view is {FULL}, {PUBLIC} or of a seat, such as {SEAT}A")
    return text


def _first_bytes(file: str) -> bytes:
    """Read the file, or standard input, as far as a record can be long: what is longer is refused as such."""
    most = 4 * MAX_TEXT + 4
    if file == STDIN:
        return sys.stdin.buffer.read(most)
    with Path(file).open("rb") as opened:
        return opened.read(most)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = data[error.start : error.end].hex(" ")
        raise RecordError("", place, f"byte {error.start} is no UTF-8") from None


def summary_of(record: Record, state: State, view: str) -> dict[str, Any]:
    """Return the state as plain data: teams by colour, seats by letter, spaces by name."""
    rules, board = record.ruleset, state.board

    def by_team(masks: Iterable[int]) -> dict[str, list[str]]:
        return {
            name: [board.names[space] for space in board.spaces_in(mask)]
            for name, mask in zip(rules.team_names, masks, strict=True)
        }

    result = result_of(rules, state.outcome)
    return {
        "turn": state.turns,
        "seat_on_turn": None if state.turn is None else SEAT_LETTERS[state.turn],
        "chips": by_team(state.chips),
        "locked": by_team(state.locked),
        "lines": [
            {"team": name, "spaces": [board.names[space] for space in board.line_by_mask[mask].spaces]}
            for name, masks in zip(rules.team_names, state.lines, strict=True)
            for mask in masks
        ],
        "hands": dict(zip(SEAT_LETTERS, visible_hands(rules, state, view), strict=False)),
        "draw_pile": len(state.pile),
        "discards": state.discarded(),
        "over": state.over,
        "winner": None if result is None else result.winner,
    }


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except OSError as error:
        # The reader went away, or the disk is full: there is nobody to tell on standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(f"cannot write: {error.strerror}")
    sys.exit(status)
