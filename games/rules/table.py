"""Judging what happens around the cards: leaving, the clock, draws by agreement, rulings (R17, R21-R23)."""

from games.rules import actions as act
from games.rules import events as ev
from games.rules.endings import Events, followed_by, idle_end, seat_in_play
from games.rules.evolve import evolve
from games.rules.refusal import refuse
from games.rules.state import State


def table_talk(state: State, action: act.CallTableTalk) -> Events:
    rules = state.ruleset
    if rules.table_talk != "penalty":
        refuse("no_penalty_due", "R17", "table talk costs nothing in this game")
    if not state.team_active(action.team):
        refuse("not_active", "R21", "this team is not in the game any more")
    owing = tuple(
        seat
        for seat, hand in enumerate(state.hands)
        if state.team_of[seat] == action.team
        and state.active[seat]
        and state.debts[seat] < len(hand) - rules.hand_floor
    )
    return (ev.TableTalkCalled(action.team, owing),)


def leave(state: State, action: act.LeaveGame) -> Events:
    seat_in_play(state, action.seat)
    return _leaving(state, action.seat, action.reason)


def _leaving(state: State, seat: int, reason: str, *, with_team: bool | None = None) -> Events:
    """Return the events by which a seat, and where the rules say so its team, leaves (R21)."""
    team = state.team_of[seat]
    if with_team is None:
        with_team = state.ruleset.withdraw == "team_forfeits"
    leaving = [seat]
    if with_team:
        leaving += [
            s for s in range(len(state.active)) if s != seat and state.team_of[s] == team and state.active[s]
        ]
    after = state.copy()
    events: list[ev.Event] = []
    turn = state.turn
    for number, gone in enumerate(leaving):
        after.active[gone] = False
        if turn == gone:
            turn = after.seat_after(gone)
        events.append(ev.SeatLeft(gone, reason if number == 0 else "team", turn))
    teams = [t for t in range(state.ruleset.teams) if after.team_active(t)]
    if len(teams) == 1:
        events.append(ev.GameEnded(teams[0], "last_team"))
    elif state.offer is not None and state.offer[0] in teams and set(teams) <= state.offer[1]:
        events.append(ev.GameEnded(None, "agreed"))
    return tuple(events)


def replace(state: State, action: act.ReplaceSeat) -> Events:
    seat_in_play(state, action.seat)
    return (ev.SeatReplaced(action.seat, action.player),)


EXPIRED_PASSES = 3
"""Passes by the clock in a row after which a seat is withdrawn (R22)."""


def expire(state: State, action: act.ExpireTurn) -> Events:
    if action.policy not in act.EXPIRY_POLICIES:
        raise ValueError(f"there is no expiry policy {action.policy!r}")
    seat = state.turn
    if seat is None:
        refuse("not_active", "R22", "no seat is on turn")
    if state.paused:
        refuse("not_active", "R22", "the clock stands")
    if action.policy in ("ask", "bot"):
        return (ev.TurnExpired(seat, action.policy, seat),)
    if action.policy != "pass":
        expired = ev.TurnExpired(seat, action.policy, seat)
        whole_team = True if action.policy == "forfeit_team" else None
        return (expired, *_leaving(state, seat, "expiry", with_team=whole_team))
    ending = idle_end(state, 0)
    expired = ev.TurnExpired(seat, "pass", None if ending else state.seat_after(seat))
    if ending is None and state.clock_passes[seat] + 1 >= EXPIRED_PASSES:
        return (expired, *_leaving(evolve(state, expired), seat, "expiry"))
    return followed_by(expired, ending)


def offer_draw(state: State, action: act.OfferDraw) -> Events:
    seat_in_play(state, action.seat)
    if state.offer is not None:
        refuse("offer_stands", "R23", "a draw is offered already: agree to it or decline it")
    return (ev.DrawOffered(action.seat),)


def answer_draw(state: State, action: act.AnswerDraw) -> Events:
    seat_in_play(state, action.seat)
    if state.offer is None:
        refuse("no_offer", "R23", "no draw is offered now")
    if not action.agree:
        return (ev.DrawDeclined(action.seat),)
    agreed = state.offer[1] | {state.team_of[action.seat]}
    teams = {t for t in range(state.ruleset.teams) if state.team_active(t)}
    return followed_by(ev.DrawAgreed(action.seat), ev.GameEnded(None, "agreed") if teams <= agreed else None)


def rule_result(state: State, action: act.RuleResult) -> Events:
    if action.winner is not None and not 0 <= action.winner < state.ruleset.teams:
        raise ValueError(f"there is no team {action.winner} in this game")
    return (ev.ResultRuled(action.winner, action.reason_hash), ev.GameEnded(action.winner, "ruling"))


def annul(state: State, action: act.AnnulGame) -> Events:
    return (ev.GameAnnulled(action.reason_hash),)


def pause(state: State, action: act.PauseClock) -> Events:
    if state.paused:
        refuse("not_active", "R23", "the clock stands already")
    return (ev.ClockPaused(action.reason_hash),)


def resume(state: State, action: act.ResumeClock) -> Events:
    if not state.paused:
        refuse("not_active", "R23", "the clock runs already")
    return (ev.ClockResumed(action.reason_hash),)
