"""Adds a stored game for each name below that has none: `python -m tests.records.make`.

Files that are there are never written again: they are what games of earlier days look like.
"""

import json
import random  # noqa: TID251 - chosen plays of tests, never the order of cards
from dataclasses import dataclass, field, replace
from typing import Any

from games.rules.deal import cut, seal_of
from games.rules.editions import load_edition
from games.rules.encoding import body_of
from games.rules.events import GameStarted
from games.rules.recording import record_of
from games.rules.sqn_json import to_json
from tests.records import FOLDER, state_hash
from tests.rules.chance import Player, Temper
from tests.rules.duel import Duel, Setup, secret_of

CALM = Temper(build=0.7, remove=0.4, illegal=0.0, outside=0.0, end=0.0, agree=0.0, slow=0.1, expire=0.0)
BUSY = replace(CALM, outside=0.06, slow=0.4)


@dataclass(frozen=True)
class Wanted:
    """A kind of game: its table, options and temper, and how it ends; `script` is done after some turns."""

    end: str
    seats: int
    teams: int
    options: dict[str, Any] = field(default_factory=dict)
    temper: Temper = CALM
    script: tuple[dict[str, Any], ...] = ()
    kind: str = "ChipPlaced"
    """A kind of event that it must hold."""


WANTED = {
    "lines-2-seats": Wanted("lines", 2, 2),
    "lines-3-seats": Wanted("lines", 3, 3),
    "lines-6-seats-manual": Wanted("lines", 6, 3, {"draw_mode": "manual"}, BUSY),
    "lines-12-seats-announced": Wanted("lines", 12, 2, {"claim": "announce"}),
    "lines-4-seats-busy": Wanted("lines", 4, 2, {"protect": "run"}, replace(BUSY, expire=0.05)),
    "full-board-4-seats": Wanted("full_board", 4, 2, {"end": "full_board"}),
    "stalemate-3-seats": Wanted("stalemate", 3, 3, {"stalemate": "blocked", "lines_to_win": 3}),
    "no-play-2-seats": Wanted("no_play", 2, 2, {"reshuffle": "never", "lines_to_win": 9}),
    "idle-rounds-8-seats": Wanted(
        "idle_rounds", 8, 2, {"idle_rounds": 2, "lines_to_win": 9}, replace(CALM, build=-0.9, remove=0.0)
    ),
    "idle-rounds-2-seats-discards": Wanted(
        "idle_rounds",
        2,
        2,
        {
            "no_play": "discard_draw",
            "hand_size": 1,
            "dead_swaps_per_turn": 0,
            "idle_rounds": 1,
            "lines_to_win": 9,
        },
        kind="CardDiscarded",
    ),
    "lines-2-seats-interrupted": Wanted(
        "lines",
        2,
        2,
        {"lines_to_win": 3},
        script=(
            {"act": "offer_draw", "seat": 0},
            {"act": "decline_draw", "seat": 1},
            {"act": "pause"},
            {"act": "resume"},
            {"act": "substitute", "seat": 1},
        ),
    ),
    "last-team-6-seats": Wanted("last_team", 6, 3, temper=replace(BUSY, end=0.1)),
    "last-team-9-seats-forfeit": Wanted(
        "last_team", 9, 3, {"withdraw": "team_forfeits", "withdrawn_hand": "out"}, replace(CALM, end=0.08)
    ),
    "agreed-2-seats": Wanted(
        "agreed", 2, 2, script=({"act": "offer_draw", "seat": 1}, {"act": "accept_draw", "seat": 0})
    ),
    "ruling-3-seats": Wanted("ruling", 3, 3, script=({"act": "rule", "winner": "B"},)),
    "annulled-10-seats": Wanted("annulled", 10, 2, script=({"act": "annul"},)),
}
BEFORE_SCRIPT = 24
LONGEST = 400


def play(wanted: Wanted, name: str) -> Duel | None:
    """A game of this kind, or None if this one ends in another way."""
    dice = random.Random(name)
    secret = secret_of(name)
    nonces = tuple(f"{dice.getrandbits(64):016x}" for _ in range(wanted.seats))
    dealer, cuts = cut(load_edition("classic"), secret, nonces, wanted.seats)
    start = (dealer + 1) % wanted.seats
    duel = Duel(Setup(wanted.seats, wanted.teams, wanted.options, secret, nonces, start))
    duel.events[0] = GameStarted(start, cuts, nonces)
    player = Player(duel, dice, wanted.temper)
    for count in range(LONGEST):
        if duel.state.over:
            break
        if wanted.script and count == BEFORE_SCRIPT:
            for action in wanted.script:
                duel.do(action)
        else:
            duel.do(player.action())
    outcome = duel.state.outcome
    kinds = {type(event).__name__ for event in duel.events}
    wanted_so = outcome is not None and outcome.end == wanted.end and wanted.kind in kinds
    return duel if wanted_so and not (wanted.script and len(duel.actions) < BEFORE_SCRIPT) else None


def stored(duel: Duel) -> dict[str, Any]:
    setup = duel.setup
    record = record_of(
        duel.rules,
        duel.events,
        duel.deal,
        tags={"Event": "Stored games"},
        names={letter: f"player-{letter.lower()}" for letter in "ABCDEFGHIJKL"} | {"somebody": "somebody"},
        secret=setup.secret,
    )
    return {
        "seats": setup.seats,
        "teams": setup.teams,
        "ruleset": duel.rules.changed,
        "secret": setup.secret.hex(),
        "nonces": list(setup.nonces),
        "seal": seal_of(setup.secret),
        "state": state_hash(duel.state),
        "events": [[type(event).__name__, body_of(duel.rules, event)] for event in duel.events],
        "record": to_json(record),
    }


def text_of(game: dict[str, Any]) -> str:
    """JSON with an event or a turn a line."""
    lines = [f"{json.dumps(key)}: {json.dumps(game[key])}" for key in game if key not in ("events", "record")]
    events = ",\n  ".join(json.dumps(event) for event in game["events"])
    record = json.dumps(game["record"])
    return "{" + ",\n ".join([*lines, f'"events": [\n  {events}]', f'"record": {record}']) + "}\n"


def main() -> None:
    for name, wanted in WANTED.items():
        path = FOLDER / f"{name}.json"
        if path.exists():
            continue
        games = (play(wanted, f"{name}/{number}") for number in range(500))
        duel = next(game for game in games if game is not None)
        path.write_text(text_of(stored(duel)), encoding="utf-8")
        print(f"{path.name}: {len(duel.events)} events, {duel.state.outcome}")


if __name__ == "__main__":
    main()
