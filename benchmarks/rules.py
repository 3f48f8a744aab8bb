"""Folding decoded events in plain Python, beside the tests' naive engine."""

from typing import Any

from benchmarks.games import Played, random_games
from benchmarks.measure import alternate, row
from games.rules import events as ev
from games.rules.evolve import fold
from games.rules.state import deal_cards
from tests.model import Model

GAMES = 60
REACH = 150_000


def fold_turns() -> dict[str, Any]:
    """Turns folded in a second on one core; every event is checked against the state as it is applied."""
    games = random_games(GAMES)
    turns = sum(game.turns for game in games)
    few = games[:4]

    def ours() -> None:
        for game in games:
            fold(deal_cards(game.rules, game.deal, 0), game.events[1:])

    ours_s, naive_s = alternate(ours, lambda: [naive(game) for game in few], 7)
    rate = turns / ours_s
    reference = sum(game.turns for game in few) / naive_s
    return row(
        "fold decoded events, validated",
        rate,
        "turns/s",
        reference,
        ratio=rate / reference,
        reach=f"{REACH} turns/s",
        ok=rate >= REACH,
    )


def naive(game: Played) -> None:
    """Play the same turns through the model engine."""
    rules, board = game.rules, game.rules.board
    deck = game.deal.deck(rules.edition)
    dealt = rules.seats * rules.hand_size
    model = Model(
        rules.seats,
        rules.teams,
        {},
        [deck[seat : dealt : rules.seats] for seat in range(rules.seats)],
        deck[dealt:],
        start=0,
        reshuffle=game.deal.reshuffle,
    )
    for event in game.events[1:]:
        match event:
            case ev.ChipPlaced() | ev.ChipRemoved():
                kind = "place" if isinstance(event, ev.ChipPlaced) else "remove"
                model.act(
                    {"act": kind, "seat": event.seat, "card": event.card, "space": board.names[event.space]}
                )
            case ev.CardSwapped():
                model.act({"act": "swap", "seat": event.seat, "card": event.card})
            case ev.TurnPassed():
                model.act({"act": "pass", "seat": event.seat})
