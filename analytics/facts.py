"""Counting what happened in a game: a pure function of its events."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from games.rules import events as ev
from games.rules.ruleset import Ruleset


@dataclass(slots=True)
class Facts:
    """Counts of one game; `lines` holds completed lines by team colour, `winner` a colour, `draw` or ''.

    A turn is a seat's whole go: a play, a pass, a discard, a turn that the clock passed, or the turn in
    which a seat left.
    """

    turns: int = 0
    placements: int = 0
    removals: int = 0
    swaps: int = 0
    passes: int = 0
    two_eyed_jacks: int = 0
    one_eyed_jacks: int = 0
    reshuffles: int = 0
    lines: dict[str, int] = field(default_factory=dict)
    first_line_turn: int | None = None
    winner: str = ""
    end: str = ""


def count_facts(rules: Ruleset, events: Iterable[ev.Event]) -> Facts:
    """Return the facts of the game that `events` tell."""
    facts = Facts(lines=dict.fromkeys(rules.team_names, 0))
    on_turn: int | None = None
    for event in events:
        _count(facts, rules, event, on_turn)
        if isinstance(event, ev.GameStarted):
            on_turn = event.start
        elif hasattr(event, "next_seat"):
            on_turn = event.next_seat
    return facts


def _count(facts: Facts, rules: Ruleset, event: Any, on_turn: int | None) -> None:
    match event:
        case ev.ChipPlaced():
            facts.turns += 1
            facts.placements += 1
            facts.two_eyed_jacks += event.card in rules.wild
        case ev.ChipRemoved():
            facts.turns += 1
            facts.removals += 1
            facts.one_eyed_jacks += 1
        case ev.TurnPassed():
            facts.turns += 1
            facts.passes += 1
        case ev.CardDiscarded():
            facts.turns += 1
        case ev.TurnExpired():
            facts.turns += event.policy == "pass"
        case ev.SeatLeft():
            facts.turns += event.seat == on_turn
        case ev.CardSwapped():
            facts.swaps += 1
        case ev.GameEnded():
            facts.winner = "draw" if event.winner is None else rules.team_names[event.winner]
            facts.end = event.end
    facts.reshuffles += getattr(event, "reshuffled", 0).bit_count()
    lines = getattr(event, "lines", ())
    if lines:
        facts.lines[rules.team_names[rules.team_of[event.seat]]] += len(lines)
        if facts.first_line_turn is None:
            # A line that is announced alone falls into the turn that is not over yet.
            facts.first_line_turn = facts.turns + isinstance(event, ev.LinesAnnounced)
