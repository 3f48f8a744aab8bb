"""Whole games to measure with: random, reproducible, in memory and in the database."""

import random  # noqa: TID251 - choices of a benchmark, not the order of cards
from dataclasses import dataclass

from games.rules import events as ev
from games.rules.deal import SecretDeal
from games.rules.decide import decide
from games.rules.evolve import fold
from games.rules.legal import legal_actions
from games.rules.ruleset import Ruleset, make_ruleset
from games.rules.state import deal_cards


@dataclass(frozen=True)
class Played:
    """A finished game: what the rules need to fold it again."""

    rules: Ruleset
    deal: SecretDeal
    events: list[ev.Event]
    turns: int


def random_games(count: int, *, seats: int = 2, start: int = 0) -> list[Played]:
    """Return `count` games of random legal play."""
    choose = random.Random(start)
    games = []
    for number in range(start, start + count):
        rules = make_ruleset(seats)
        deal = SecretDeal(number.to_bytes(32, "big"))
        state = deal_cards(rules, deal, 0)
        events: list[ev.Event] = [ev.GameStarted(0)]
        while state.turn is not None and state.turns < 600:
            happened = decide(state, choose.choice(legal_actions(state, state.turn)))
            events += happened
            fold(state, happened)
        games.append(Played(rules, deal, events, state.turns))
    return games
