"""Whole games as they were stored, one file each: events, deal, record and the hash of the final state."""

import hashlib
import json
from pathlib import Path
from typing import Any

from games.rules.deal import SecretDeal
from games.rules.encoding import event_from
from games.rules.events import Event
from games.rules.ruleset import Ruleset, make_ruleset
from games.rules.state import State

FOLDER = Path(__file__).parent


def stored_games() -> dict[str, dict[str, Any]]:
    """Every stored game by the name of its file."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}


def ruleset_of(game: dict[str, Any]) -> Ruleset:
    return make_ruleset(game["seats"], game["teams"], **game["ruleset"])


def deal_of(game: dict[str, Any]) -> SecretDeal:
    return SecretDeal(bytes.fromhex(game["secret"]), tuple(game["nonces"]))


def events_of(game: dict[str, Any]) -> list[Event]:
    rules = ruleset_of(game)
    return [event_from(rules, kind, body) for kind, body in game["events"]]


def plain_state(state: State) -> dict[str, Any]:
    """Everything that a state holds, as plain data in names that no renumbering changes."""
    names = state.board.names

    def spaces(bits: int) -> list[str]:
        return [names[space] for space in state.board.spaces_in(bits)]

    return {
        "chips": [spaces(bits) for bits in state.chips],
        "locked": [spaces(bits) for bits in state.locked],
        "lines": [[list(state.board.ends(line)) for line in lines] for lines in state.lines],
        "last": None if state.last is None else names[state.last],
        "hands": state.hands,
        "pile": state.pile[::-1],
        "discards": state.discards,
        "out": state.out,
        "reshuffles": state.reshuffles,
        "turn": state.turn,
        "turns": state.turns,
        "rights": [len(rights) for rights in state.rights],
        "debts": state.debts,
        "active": state.active,
        "clock_passes": state.clock_passes,
        "offer": state.offer and [state.offer[0], sorted(state.offer[1])],
        "paused": state.paused,
        "outcome": state.outcome and [state.outcome.winner, state.outcome.end],
    }


def state_hash(state: State) -> str:
    """SHA-256 over the canonical JSON of a whole state."""
    text = json.dumps(plain_state(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
