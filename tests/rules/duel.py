"""Two engines at one table: every action goes to the rules and to the naive model, and both must agree.

Actions are the model's plain dicts, which say everything about themselves, so that a game that went wrong
can be played again and cut down (`shortest`).
"""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from games.rules import actions as act
from games.rules import events as ev
from games.rules.deal import HiddenDeal, SecretDeal
from games.rules.decide import decide
from games.rules.editions import edition_from_data
from games.rules.encoding import body_of, event_from
from games.rules.evolve import fold, rebuild
from games.rules.legal import legal_actions
from games.rules.refusal import IllegalAction
from games.rules.ruleset import Ruleset, make_ruleset
from games.rules.state import State, deal_cards
from tests.model import Model, Refused
from tests.model.options import deal as deal_by_hand

LETTERS = "ABC"
REBUILD_EVERY = 25
BIG_HAND = 9
"""With so many cards the model takes long to list what is legal: looked at in each third turn only."""


class Difference(AssertionError):
    """The two engines disagree, or one of them breaks a promise; `where` names the kind of fault."""

    def __init__(self, where: str, one: Any, other: Any) -> None:
        super().__init__(f"{where}\n  engine: {one}\n  model:  {other}")
        self.where = where


def check(where: str, one: Any, other: Any) -> None:
    if one != other:
        raise Difference(where, one, other)


def same(one: State, other: State) -> bool:
    """Whether two states are equal in all that they hold; the source of the cards aside."""
    return all(
        getattr(one, name) == getattr(other, name)
        for name in State.__slots__
        if name not in ("deal", "board")
    )


@dataclass
class Setup:
    """Everything that settles a game before its first action."""

    seats: int
    teams: int
    options: dict[str, Any]
    secret: bytes
    nonces: tuple[str, ...] = ()
    start: int = 0
    edition: dict[str, Any] | None = None

    def ruleset(self) -> Ruleset:
        edition = "classic" if self.edition is None else edition_from_data(self.edition)
        return make_ruleset(self.seats, self.teams, edition, **self.options)

    def layout(self) -> list[list[str]] | None:
        return self.edition and [row.split() for row in self.edition["layout"]]


def secret_of(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


@dataclass
class Duel:
    """One game on both engines."""

    setup: Setup
    rules: Ruleset = field(init=False)
    state: State = field(init=False)
    model: Model = field(init=False)
    events: list[ev.Event] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        setup = self.setup
        self.rules = setup.ruleset()
        self.deal = SecretDeal(setup.secret, setup.nonces)
        self.state = deal_cards(self.rules, self.deal, setup.start)
        self.events.append(ev.GameStarted(setup.start, (), setup.nonces))
        hands, pile = deal_by_hand(
            self.deal.deck(self.rules.edition), setup.seats, self.rules.hand_size, setup.start
        )
        self.model = Model(
            setup.seats,
            setup.teams,
            setup.options,
            hands,
            pile,
            setup.start,
            reshuffle=self.deal.reshuffle,
            layout=setup.layout(),
        )
        self.deck = Counter(self.rules.edition.deck)
        self.compare()

    def do(self, action: dict[str, Any]) -> str | None:
        """Act on both engines; returns the code of the refusal that both gave, or None."""
        self.actions.append(action)
        refused_there = self.act_on_model(action)
        before = self.state.copy()
        try:
            events = decide(self.state, self.translated(action))
            refused_here = None
        except IllegalAction as illegal:
            events, refused_here = (), illegal.code
        check("refusal", refused_here, refused_there)
        if not same(self.state, before):
            raise Difference("deciding changed the state", self.state, before)
        if refused_here is not None:
            self.refusals[refused_here] += 1
            check("refused, yet changed", self.snapshot(), self.model.snapshot())
            return refused_here
        for event in events:
            body = body_of(self.rules, event)
            again = event_from(self.rules, type(event).__name__, json.loads(json.dumps(body)))
            check("event read back", event, again)
        self.state = fold(self.state.copy(), events)
        self.events += events
        self.compare()
        if len(self.actions) % REBUILD_EVERY == 0 or self.state.over:
            self.compare_rebuilt()
        return None

    def act_on_model(self, action: dict[str, Any]) -> str | None:
        try:
            self.model.act(action)
        except Refused as refused:
            return refused.code
        return None

    def compare(self) -> None:
        mine, theirs = self.snapshot(), self.model.snapshot()
        if mine != theirs:
            wrong = sorted(key for key in theirs if mine[key] != theirs[key])
            raise Difference(
                f"snapshot: {', '.join(wrong)}",
                {key: mine[key] for key in wrong},
                {key: theirs[key] for key in wrong},
            )
        state = self.state
        cards = Counter(state.pile)
        for cards_of_seat in (*state.hands, *state.discards, state.out):
            cards.update(cards_of_seat)
        check("cards", cards, self.deck)
        if state.turn is not None and (len(self.actions) % 3 == 0 or len(state.hands[state.turn]) < BIG_HAND):
            self.compare_legal(state.turn)

    def compare_legal(self, seat: int) -> None:
        check("legal", {self.plain(a) for a in legal_actions(self.state, seat)}, self.model.legal(seat))

    def compare_rebuilt(self) -> None:
        if not same(rebuild(self.rules, self.events, self.deal), self.state):
            raise Difference("rebuild", "the events lead elsewhere", "the live state")
        public = rebuild(self.rules, self.events, HiddenDeal())
        for name in ("chips", "locked", "lines", "turn", "turns", "active", "debts", "outcome", "reshuffles"):
            check(f"rebuild without the deal: {name}", getattr(public, name), getattr(self.state, name))
        check("rebuild without the deal: pile", len(public.pile), len(self.state.pile))

    def names(self, mask: int) -> list[str]:
        return [self.state.board.names[space] for space in self.state.board.spaces_in(mask)]

    def snapshot(self) -> dict[str, Any]:
        """The engine's state in the words of the model's snapshot."""
        state, over = self.state, self.state.over
        teams = range(self.rules.teams)
        board = state.board
        lines = [
            sorted((board.line_by_mask[m] for m in masks), key=lambda n: n.order) for masks in state.lines
        ]
        winner = None
        if state.outcome is not None and state.outcome.end != "annulled":
            winner = "draw" if state.outcome.winner is None else LETTERS[state.outcome.winner]
        return {
            "chips": {LETTERS[t]: sorted(self.names(state.chips[t])) for t in teams},
            "locked": {LETTERS[t]: sorted(self.names(state.locked[t])) for t in teams},
            "lines": {LETTERS[t]: [tuple(board.names[s] for s in n.spaces) for n in lines[t]] for t in teams},
            "hands": [sorted(hand) for hand in state.hands],
            "pile": state.pile[::-1],
            "discards": [sorted(cards) for cards in state.discards],
            "out": sorted(state.out),
            "reshuffles": state.reshuffles,
            "turn": state.turn,
            "swaps_used": 0 if over else state.swaps_used,
            "over": over,
            "winner": winner,
            "reason": state.outcome.end if state.outcome else None,
            "rights": [0 if over else len(rights) for rights in state.rights],
            "debts": list(state.debts),
            "active": list(state.active),
            "no_play_passes": state.no_play_passes,
            "idle_turns": state.idle_turns,
            "clock_passes": list(state.clock_passes),
            "offer": LETTERS[state.offer[0]] if state.offer else None,
            "agreed": sorted(LETTERS[t] for t in state.offer[1]) if state.offer else [],
            "paused": state.paused,
        }

    def plain(self, action: act.SeatAction) -> tuple[str, ...]:
        """An action of the engine as the model lists it."""
        name = self.state.board.names
        match action:
            case act.PlaceChip(_, card, space):
                return "place", card, name[space]
            case act.RemoveChip(_, card, space):
                return "remove", card, name[space]
            case act.SwapCard(_, card):
                return "swap", card
            case act.PayCard(_, card):
                return "pay", card
            case act.DiscardCard(_, card):
                return "discard", card
            case act.PassTurn():
                return ("pass",)
            case act.DrawCard():
                return ("draw",)
        raise ValueError(action)

    def masks(self, lines: list[list[str]] | None) -> tuple[int, ...] | None:
        if lines is None:
            return None
        spaces = self.state.board.space_by_name
        return tuple(sum(1 << spaces[name] for name in set(line)) for line in lines)

    def translated(self, action: dict[str, Any]) -> act.Action:
        """The model's action in the engine's types."""
        seat, card = action.get("seat", 0), action.get("card", "")
        lines = self.masks(action.get("lines"))
        match action["act"]:
            case "place":
                return act.PlaceChip(seat, card, self.state.board.space_by_name[action["space"]], lines)
            case "remove":
                return act.RemoveChip(seat, card, self.state.board.space_by_name[action["space"]], lines)
            case "announce":
                return act.AnnounceLines(seat, lines or ())
            case "table_talk":
                return act.CallTableTalk(LETTERS.index(action["team"]))
            case "expire":
                return act.ExpireTurn(action["policy"])
            case "substitute":
                return act.ReplaceSeat(seat, "somebody")
            case "rule":
                return act.RuleResult(None if action["winner"] == "draw" else LETTERS.index(action["winner"]))
            case "leave" | "resign" as reason:
                return act.LeaveGame(seat, reason)
        simple = {
            "swap": lambda: act.SwapCard(seat, card),
            "pass": lambda: act.PassTurn(seat),
            "discard": lambda: act.DiscardCard(seat, card),
            "draw": lambda: act.DrawCard(seat),
            "pay": lambda: act.PayCard(seat, card),
            "offer_draw": lambda: act.OfferDraw(seat),
            "accept_draw": lambda: act.AnswerDraw(seat, agree=True),
            "decline_draw": lambda: act.AnswerDraw(seat, agree=False),
            "annul": act.AnnulGame,
            "pause": act.PauseClock,
            "resume": act.ResumeClock,
        }
        action_of: act.Action = simple[action["act"]]()
        return action_of


def fault_of(setup: Setup, actions: list[dict[str, Any]]) -> str | None:
    """What goes wrong when a game is played again, None if nothing does."""
    try:
        duel = Duel(setup)
        for action in actions:
            duel.do(action)
    except Difference as difference:
        return difference.where
    except Exception as error:
        return repr(type(error))
    return None


def shortest(setup: Setup, actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A short list of actions that still goes wrong in the same way."""
    wanted = fault_of(setup, actions)
    chunk = max(1, len(actions) // 2)
    while True:
        start = 0
        while start < len(actions):
            fewer = actions[:start] + actions[start + chunk :]
            if fault_of(setup, fewer) == wanted:
                actions = fewer
            else:
                start += chunk
        if chunk == 1:
            return actions
        chunk //= 2
