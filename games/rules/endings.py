"""What several kinds of action share: seats in play and the ends of a game (R15, R21)."""

from games.rules import events as ev
from games.rules.refusal import refuse
from games.rules.state import State

Events = tuple[ev.Event, ...]


def seat_in_play(state: State, seat: int) -> None:
    if not 0 <= seat < len(state.active) or not state.active[seat]:
        refuse("not_active", "R21", "this seat is not in the game any more")


def idle_end(state: State, no_play_passes: int) -> ev.GameEnded | None:
    """Return the end that one more turn without a chip brings (R15)."""
    rules = state.ruleset
    seats = sum(state.active)
    if no_play_passes >= seats:
        end = "no_play"
    elif rules.idle_rounds is not None and state.idle_turns + 1 >= rules.idle_rounds * seats:
        end = "idle_rounds"
    else:
        return None
    return most_lines(state, end) if rules.end == "full_board" else ev.GameEnded(None, end)


def most_lines(state: State, end: str, team: int = 0, more: int = 0) -> ev.GameEnded:
    counts = [len(lines) + (more if t == team else 0) for t, lines in enumerate(state.lines)]
    counts = [number if state.team_active(t) else -1 for t, number in enumerate(counts)]
    best = max(counts)
    return ev.GameEnded(counts.index(best) if counts.count(best) == 1 else None, end)


def followed_by(event: ev.Event, ending: ev.GameEnded | None) -> Events:
    return (event,) if ending is None else (event, ending)
