"""From the rows of a game's log to its ruleset, its engine events and its state."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from games.play.catalogue import GAME_PROPOSED, RECORD_IMPORTED, SEAT_FREED, SEAT_TAKEN, TABLE_EVENTS
from games.rules.deal import Deal
from games.rules.encoding import SEAT_LETTERS, event_from
from games.rules.events import Event, GameStarted
from games.rules.evolve import CorruptEvents, fold
from games.rules.ruleset import Ruleset, make_ruleset
from games.rules.state import State, deal_cards


@dataclass(slots=True)
class Loaded:
    """A game read from its log; `state` is None until the cards are dealt."""

    rules: Ruleset
    seal: str = ""
    nonces: dict[int, str] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    state: State | None = None


@lru_cache(maxsize=512)
def ruleset_of(body: str) -> Ruleset:
    """Return the ruleset in the body of a game's first event."""
    data = json.loads(body)
    return make_ruleset(data["seats"], data["teams"], data["edition"], **data["options"])


def read_events(rows: list[tuple[str, str]]) -> Loaded:
    """Return the game that (type, body) rows from number 1 on tell, not yet folded."""
    if not rows or rows[0][0] not in (GAME_PROPOSED, RECORD_IMPORTED):
        raise CorruptEvents("the first event does not propose a game")
    # One call of the parser for all bodies is three times as fast as one for each.
    bodies: list[dict[str, Any]] = json.loads(f"[{','.join([body for _, body in rows])}]")
    loaded = Loaded(ruleset_of(rows[0][1]), bodies[0].get("seal", ""))
    rules, events = loaded.rules, loaded.events
    for (kind, _), data in zip(rows[1:], bodies[1:], strict=True):
        if kind not in TABLE_EVENTS:
            events.append(event_from(rules, kind, data))
        elif kind == SEAT_TAKEN:
            loaded.nonces[SEAT_LETTERS.index(data["seat"])] = data.get("nonce", "")
        elif kind == SEAT_FREED:
            loaded.nonces.pop(SEAT_LETTERS.index(data["seat"]), None)
    return loaded


def nonces_in_order(loaded: Loaded) -> tuple[str, ...]:
    """Return the nonces that seats have added, in seat order (record format)."""
    return tuple(nonce for _, nonce in sorted(loaded.nonces.items()) if nonce)


def fold_events(loaded: Loaded, deal_for: Callable[[tuple[str, ...]], Deal]) -> State | None:
    """Fold what `read_events` read into its state; None before the start; raises CorruptEvents.

    `deal_for` makes the deal from the nonces that the start has published.
    """
    if not loaded.events:
        return None
    first = loaded.events[0]
    if not isinstance(first, GameStarted):
        raise CorruptEvents("the first event of the rules is not the start of the game")
    state = deal_cards(loaded.rules, deal_for(first.nonces), first.start)
    loaded.state = fold(state, loaded.events[1:])
    return loaded.state
