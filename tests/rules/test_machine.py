"""The engine under any order of actions: what always holds."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.rules import actions as act
from games.rules.deal import SecretDeal
from games.rules.decide import decide
from games.rules.events import Event, GameStarted
from games.rules.evolve import evolve, fold, rebuild
from games.rules.legal import legal_actions
from games.rules.refusal import IllegalAction
from games.rules.ruleset import CHOICES, Ruleset, make_ruleset
from games.rules.state import State, deal_cards
from games.rules.view import view_for
from tests.rules.duel import same

TABLES = [(2, 2), (3, 3), (4, 2), (6, 3), (12, 2)]
rulesets = st.builds(
    lambda table, options, lines: make_ruleset(*table, **options, lines_to_win=lines),
    st.sampled_from(TABLES),
    st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(words) for name, (_, words) in CHOICES.items()}
    ),
    st.integers(1, 6),
)
seats = st.integers(-1, 12)
numbers = st.integers(0, 10**6)


class Game(RuleBasedStateMachine):
    """One game, its events, and the actions that hypothesis thinks of."""

    rules: Ruleset
    state: State

    @initialize(rules=rulesets, secret=st.binary(min_size=32, max_size=32), start=numbers)
    def deal(self, rules: Ruleset, secret: bytes, start: int) -> None:
        self.rules = rules
        self.source = SecretDeal(secret)
        self.state = deal_cards(rules, self.source, start % rules.seats)
        self.events: list[Event] = [GameStarted(self.state.start)]
        self.deck = Counter(rules.edition.deck)

    def ask(self, action: act.Action) -> None:
        """Do what is allowed; what is refused may change nothing."""
        before = self.state.copy()
        try:
            events = decide(self.state, action)
        except IllegalAction:
            events = ()
        assert same(self.state, before)
        for event in events:
            state = evolve(self.state, event)
            assert same(self.state, before)
            self.state, before = state, state.copy()
        self.events += events

    @precondition(lambda self: self.state.turn is not None)
    @rule(choices=st.lists(numbers, min_size=1, max_size=25))
    def turns(self, choices: list[int]) -> None:
        for choice in choices:
            seat = self.state.turn
            if seat is None:
                return
            legal = legal_actions(self.state, seat)
            action = legal[choice % len(legal)]
            decide(self.state, action)
            self.ask(action)

    @rule(seat=seats, card=numbers, space=numbers, kind=st.sampled_from([act.PlaceChip, act.RemoveChip]))
    def play_anything(
        self, seat: int, card: int, space: int, kind: type[act.PlaceChip] | type[act.RemoveChip]
    ) -> None:
        codes = self.rules.edition.codes
        hand = self.state.hands[seat] if 0 <= seat < self.rules.seats else []
        self.ask(kind(seat, (hand or codes)[card % len(hand or codes)], space % 100))

    @rule(seat=seats, card=numbers, kind=st.sampled_from([act.SwapCard, act.DiscardCard, act.PayCard]))
    def give_up_anything(
        self, seat: int, card: int, kind: type[act.SwapCard] | type[act.DiscardCard] | type[act.PayCard]
    ) -> None:
        hand = self.state.hands[seat] if 0 <= seat < self.rules.seats else []
        self.ask(kind(seat, hand[card % len(hand)] if hand else "2c"))

    @rule(seat=seats, kind=st.sampled_from([act.DrawCard, act.PassTurn, act.OfferDraw]))
    def act_without_a_card(
        self, seat: int, kind: type[act.DrawCard] | type[act.PassTurn] | type[act.OfferDraw]
    ) -> None:
        self.ask(kind(seat))

    @rule(seat=seats, agree=st.booleans())
    def answer(self, seat: int, agree: bool) -> None:
        self.ask(act.AnswerDraw(seat, agree))

    @rule(seat=st.integers(0, 40))
    def leave(self, seat: int) -> None:
        self.ask(act.LeaveGame(seat))

    @rule(team=st.integers(0, 3))
    def talk(self, team: int) -> None:
        self.ask(act.CallTableTalk(team))

    @rule(policy=st.sampled_from(["pass", "pass", "pass", "ask", "bot", "forfeit_seat"]))
    def expire(self, policy: str) -> None:
        self.ask(act.ExpireTurn(policy))

    @rule(line=numbers, other=numbers, seat=seats)
    def announce(self, line: int, other: int, seat: int) -> None:
        lines = self.rules.board.lines
        self.ask(act.AnnounceLines(seat, (lines[line % len(lines)].mask, lines[other % len(lines)].mask)))

    @invariant()
    def every_card_is_somewhere(self) -> None:
        state = self.state
        cards = Counter(
            card for pile in (*state.hands, *state.discards, state.pile, state.out) for card in pile
        )
        assert cards == self.deck

    @invariant()
    def chips_stand_apart_and_never_on_corners(self) -> None:
        state = self.state
        assert (
            sum(chips.bit_count() for chips in state.chips)
            == (state.occupied & ~state.board.corner_mask).bit_count()
        )
        together = state.board.corner_mask
        for chips, locked in zip(state.chips, state.locked, strict=True):
            assert not chips & together
            assert locked & ~chips == 0
            together |= chips
        assert state.occupied == together

    @invariant()
    def completed_lines_are_full_and_locked(self) -> None:
        for lines, locked in zip(self.state.lines, self.state.locked, strict=True):
            assert len(set(lines)) == len(lines)
            for line in lines:
                assert line & ~self.state.board.corner_mask & ~locked == 0

    @invariant()
    def a_seat_in_the_game_is_on_turn_until_the_end(self) -> None:
        state = self.state
        assert (state.turn is None) is (state.outcome is not None)
        if state.turn is not None:
            assert state.active[state.turn]
            assert legal_actions(state, state.turn)

    @invariant()
    def nobody_owes_more_than_the_hand(self) -> None:
        for hand, debt in zip(self.state.hands, self.state.debts, strict=True):
            assert 0 <= debt <= len(hand)

    @invariant()
    def views_show_no_hand_but_the_own(self) -> None:
        if self.rules.hands == "open":
            return
        for viewer in (None, *range(self.rules.seats)):
            for seat, hand in enumerate(view_for(self.state, viewer).hands):
                assert (hand is None) is (seat != viewer)

    def teardown(self) -> None:
        if hasattr(self, "events"):
            assert same(rebuild(self.rules, self.events, self.source), self.state)


Game.TestCase.settings = settings(
    max_examples=100,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
TestGame = Game.TestCase


def test_a_fold_over_several_events_is_the_fold_over_each() -> None:
    state = deal_cards(make_ruleset(2), SecretDeal(bytes(32)), 0)
    events = decide(state, act.RuleResult(1))

    assert same(fold(state.copy(), events), evolve(evolve(state, events[0]), events[1]))
    with pytest.raises(IllegalAction):
        decide(fold(state.copy(), events), act.RuleResult(1))
