"""Judging an action: the events it causes, or the rule that refuses it."""

from collections.abc import Callable
from typing import Any

from games.rules import actions as act
from games.rules import plays, table
from games.rules.endings import Events
from games.rules.refusal import refuse
from games.rules.state import State


def decide(state: State, action: act.Action) -> Events:
    """Return the events that `action` causes, leaving `state` as it is; raises IllegalAction."""
    if state.outcome is not None and not (
        isinstance(action, act.AnnulGame) and state.outcome.end != "annulled"
    ):
        refuse("game_over", "R7", "the game is over")
    events: Events = _DECIDE[type(action)](state, action)
    return events


_DECIDE: dict[type, Callable[[State, Any], Events]] = {
    act.PlaceChip: plays.place,
    act.RemoveChip: plays.remove,
    act.SwapCard: plays.swap,
    act.DrawCard: plays.draw,
    act.PassTurn: plays.pass_turn,
    act.DiscardCard: plays.discard,
    act.AnnounceLines: plays.announce,
    act.PayCard: plays.pay_card,
    act.LeaveGame: table.leave,
    act.OfferDraw: table.offer_draw,
    act.AnswerDraw: table.answer_draw,
    act.CallTableTalk: table.table_talk,
    act.ReplaceSeat: table.replace,
    act.ExpireTurn: table.expire,
    act.RuleResult: table.rule_result,
    act.AnnulGame: table.annul,
    act.PauseClock: table.pause,
    act.ResumeClock: table.resume,
}
