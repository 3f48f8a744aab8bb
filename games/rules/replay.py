"""Playing a record through the rules: what it says of the consequences is checked, never trusted."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from games.rules import actions as act
from games.rules import events as ev
from games.rules.cards import HIDDEN, Card
from games.rules.deal import Deal, SecretDeal, cut, seal_of
from games.rules.decide import decide
from games.rules.editions import Edition
from games.rules.encoding import SEAT_LETTERS
from games.rules.evolve import CorruptEvents, fold
from games.rules.notation import text_of
from games.rules.record import NO_CARD, TURN_ACTS, Record, RecordError, RecordTurn, Result, Swap
from games.rules.refusal import IllegalAction
from games.rules.ruleset import Ruleset
from games.rules.state import Outcome, State, deal_cards


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record played to some turn: `turns` are the record's with everything derived filled in."""

    rules: Ruleset
    deal: Deal
    events: tuple[ev.Event, ...]
    state: State
    turns: tuple[RecordTurn, ...]
    result: Result | None


class KnownDeal:
    """An order of which only the cards that a record shows are known, the others being hidden.

    While a record is played, `learn` puts each known card where it is drawn from; afterwards the same
    events lead to the same state again.
    """

    def __init__(self, rules: Ruleset, start: int, hands: tuple[tuple[Card, ...] | None, ...]) -> None:
        self.cards: list[Card] = [HIDDEN] * len(rules.edition.deck)
        self.piles: list[list[Card]] = []
        for seat, hand in enumerate(hands):
            for place, card in enumerate(hand or ()):
                self.cards[place * rules.seats + (seat - start) % rules.seats] = card

    def deck(self, edition: Edition) -> list[Card]:
        return list(self.cards)

    def reshuffle(self, number: int, discards: list[Card]) -> list[Card]:
        if len(self.piles) < number:
            self.piles.append([])
        pile = self.piles[number - 1]
        pile += [HIDDEN] * (len(discards) - len(pile))
        return list(pile)

    def learn(self, state: State, card: Card, reshuffled: int) -> None:
        """Put `card` on top of the pile from which it is about to be drawn."""
        if reshuffled & ev.BEFORE:
            self.piles.append([card])
            return
        source = self.piles[state.reshuffles - 1] if state.reshuffles else self.cards
        source[len(source) - len(state.pile)] = card
        state.pile[-1] = card


def replay(record: Record, upto: int | None = None) -> Replayed:
    """Return the game that `record` holds, or its state after `upto` turns; raises RecordError.

    After n turns means: when the n-th has ended, with what happened before the next one began (draws by
    hand, offers, leaving). The whole record is judged only without `upto`.
    """
    player = _Player(record)
    for turn in record.turns:
        if upto is not None and player.state.turns >= upto and player.begins_turn(turn):
            break
        player.play(turn)
    if upto is None:
        player.check_result()
    return player.replayed()


def result_of(rules: Ruleset, outcome: Outcome | None) -> Result | None:
    """Return an outcome in the words of a record."""
    if outcome is None:
        return None
    if outcome.is_draw:
        return Result("draw", outcome.end)
    return Result(None if outcome.winner is None else rules.team_names[outcome.winner], outcome.end)


class _Player:
    """Plays the turns of one record one after another."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.rules = record.ruleset
        self.deal = self._checked_deal()
        self.state = deal_cards(self.rules, self.deal, record.start)
        self._check_hands()
        nonces = record.deal.nonces if isinstance(record.deal, SecretDeal) else ()
        self.events: list[ev.Event] = [ev.GameStarted(record.start, record.cuts, nonces)]
        self.turns: list[RecordTurn] = []
        self.taken = [0] * self.rules.seats
        self.label = self.words = ""

    def replayed(self) -> Replayed:
        result = result_of(self.rules, self.state.outcome)
        return Replayed(self.rules, self.deal, tuple(self.events), self.state, tuple(self.turns), result)

    def error(self, reason: str, *, code: str = "bad_record", rule: str = "") -> RecordError:
        return RecordError(self.label, self.words, reason, code=code, rule=rule)

    # The deal

    def _checked_deal(self) -> Deal:
        record, deal = self.record, self.record.deal
        self._check_cut()
        if deal is None:
            return KnownDeal(self.rules, record.start, record.hands or (None,) * self.rules.seats)
        if isinstance(deal, SecretDeal):
            if record.seal and seal_of(deal.secret) != record.seal:
                raise RecordError("", record.seal, "this is not the seal of the secret")
            if record.cuts:
                _, rounds = cut(self.rules.edition, deal.secret, deal.nonces, self.rules.seats)
                if rounds != record.cuts:
                    turned = " | ".join(" ".join(cards) for cards in rounds)
                    raise RecordError("", "cut", f"the secret gives another cut: {turned}", rule="R6")
        elif sorted(deal.cards) != sorted(self.rules.edition.deck):
            raise RecordError("", "deck", "the deck does not hold the cards of the edition")
        return deal

    def _check_cut(self) -> None:
        """Check that the cut sends the seat to start that the record says, ties cutting again (R6)."""
        cuts, ranks = self.record.cuts, self.rules.edition.cut_ranks
        for number, turned in enumerate(cuts, 1):
            heights = [ranks[card] for card in turned]
            tie = heights.count(min(heights)) > 1
            if tie is (number == len(cuts)):
                raise RecordError(
                    "", "cut", "cutting goes on while the lowest cards tie, no longer", rule="R6"
                )
            start = (heights.index(min(heights)) + 1) % self.rules.seats
            if not tie and start != self.record.start:
                letter = SEAT_LETTERS[self.record.start]
                reason = f"the seat left of the lowest card starts: {SEAT_LETTERS[start]}"
                raise RecordError("", letter, reason, rule="R6")

    def _check_hands(self) -> None:
        for seat, hand in enumerate(self.record.hands or ()):
            if hand is not None and sorted(hand) != sorted(self.state.hands[seat]):
                dealt = " ".join(self.state.hands[seat])
                given = f"{SEAT_LETTERS[seat]}:{' '.join(hand)}"
                raise RecordError("", given, f"the deal gives {dealt}", rule="R6")
        if isinstance(self.deal, KnownDeal):
            for card in {card for card in self.deal.cards if card != HIDDEN}:
                if self.deal.cards.count(card) > self.rules.edition.packs:
                    raise RecordError(
                        "", card, "the hands hold this card more often than the deck", rule="R2"
                    )

    # The turns

    def begins_turn(self, turn: RecordTurn) -> bool:
        """Return whether `turn` is the next seat's own, not something between two turns."""
        leaving = turn.act in ("resign", "leave") and turn.seat == self.state.turn
        return bool(turn.swaps) or turn.act in TURN_ACTS or leaving

    def play(self, turn: RecordTurn) -> None:
        self.label, self.words = turn.label, text_of(self.rules, turn)
        self._check_number(turn)
        before = self.state.turn, self.state.turns
        swaps = tuple(self._swap(turn, swap) for swap in turn.swaps)
        done = replace(turn, swaps=swaps)
        if turn.act is not None:
            done = self._act(done)
        if before[0] is not None and self.state.turns > before[1]:
            self.taken[before[0]] += 1
        self.turns.append(done)

    def _check_number(self, turn: RecordTurn) -> None:
        """Check that a turn carries its number, or that of its round; see docs/record-format.md."""
        state = self.state
        due = {state.turns + 1}
        if state.turn is not None:
            due.add(self.taken[state.turn] + 1)
        if not self.begins_turn(turn):
            due |= {state.turns, max(self.taken)}
            if turn.seat is not None:
                due.add(self.taken[turn.seat])
        if turn.n not in due - {0}:
            raise self.error(f"the number is {turn.n} where turn {state.turns + 1} is due")

    def _swap(self, turn: RecordTurn, swap: Swap) -> Swap:
        seat = turn.seat or 0
        events = self._decide(act.SwapCard(seat, swap.out))
        reshuffled = sum(event.reshuffled for event in events if isinstance(event, ev.CardSwapped))
        drawn = self._fold(events, seat, swap.drawn, reshuffled)
        self._check_reshuffled(swap.reshuffled, reshuffled)
        self._check_count(swap.out, drawn)
        return Swap(swap.out, drawn, reshuffled)

    def _act(self, turn: RecordTurn) -> RecordTurn:
        if turn.act == "flag" and turn.seat != self.state.turn:
            raise self.error("the clock runs for the seat on turn only", rule="R22")
        events = self._decide(_ACTION[turn.act or ""](self.rules, turn.seat or 0, turn))
        event = events[0]
        done = turn
        if isinstance(event, ev.ChipPlaced | ev.ChipRemoved | ev.LinesAnnounced):
            done = replace(done, lines=event.lines or None)
        if isinstance(event, ev.CardDrawn) or (
            isinstance(event, ev.ChipPlaced | ev.ChipRemoved | ev.CardDiscarded) and event.drew
        ):
            drawn = self._fold(events, event.seat, turn.draw, event.reshuffled)
            self._check_reshuffled(turn.reshuffled, event.reshuffled)
            self._check_count(turn.card, drawn)
            done = replace(done, draw=drawn, reshuffled=event.reshuffled)
        else:
            if turn.draw not in (None, NO_CARD):
                raise self.error("no card is drawn here", rule="R12")
            self._fold(events)
            self._check_count(turn.card)
            if isinstance(event, ev.ChipPlaced | ev.ChipRemoved | ev.CardDiscarded):
                done = replace(done, draw=turn.draw if self.rules.draw_mode == "manual" else NO_CARD)
        if turn.over and not self.state.over:
            raise self.error("# says that the game is over, and it is not")
        return replace(done, over=self.state.over)

    def _decide(self, action: act.Action) -> tuple[ev.Event, ...]:
        try:
            return decide(self.state, action)
        except IllegalAction as error:
            raise self.error(error.detail, code=error.code, rule=error.rule) from None

    def _fold(
        self,
        events: tuple[ev.Event, ...],
        drawer: int | None = None,
        said: Card | None = None,
        reshuffled: int = 0,
    ) -> Card:
        """Fold `events` and return the card that `drawer` draws in the first, checked against `said`."""
        if said == NO_CARD:
            raise self.error("a card is drawn here", rule="R12")
        if drawer is not None and said not in (None, HIDDEN) and isinstance(self.deal, KnownDeal):
            self.deal.learn(self.state, said or HIDDEN, reshuffled)
        try:
            fold(self.state, events)
        except CorruptEvents as error:
            raise self.error(str(error)) from None
        self.events += events
        if drawer is None:
            return NO_CARD
        drawn = self.state.hands[drawer][-1]
        if said not in (None, HIDDEN, drawn):
            raise self.error(f"the deal gives {drawn}, not {said}", rule="R12")
        return drawn

    def _check_reshuffled(self, said: int, derived: int) -> None:
        if said and said != derived:
            raise self.error("%R stands where the discards are not reshuffled", rule="R12")

    def _check_count(self, *cards: Card) -> None:
        """Check that no card shows more often than the deck has it; a known deal cannot fail this."""
        if not isinstance(self.deal, KnownDeal):
            return
        state = self.state
        for card in cards:
            seen = sum(pile.count(card) for pile in (*state.hands, *state.discards, state.out))
            if card and card != HIDDEN and seen > self.rules.edition.packs:
                raise self.error(f"{card} shows more often than the deck has it", rule="R2")

    def check_result(self) -> None:
        """Check the result that the record gives against the one that it plays to."""
        said, derived = self.record.result, result_of(self.rules, self.state.outcome)
        if said is None:
            return
        if not self.turns:
            self.label = self.words = ""
        if derived is None:
            raise RecordError(
                self.label, said.winner or said.end, "a result is given, and the game is not over"
            )
        if said.winner != derived.winner:
            raise RecordError(
                self.label, said.winner or "none", f"the game ends with {derived.winner or 'no result'}"
            )
        if said.end and said.end != derived.end:
            raise RecordError(self.label, said.end, f"the game ends by {derived.end}")


def _ruling(rules: Ruleset, turn: RecordTurn) -> act.Action:
    if turn.ruling in rules.team_names:
        return act.RuleResult(rules.team_names.index(turn.ruling))
    return _RULING[turn.ruling]


_RULING: dict[str, act.Action] = {
    "draw": act.RuleResult(None),
    "annulled": act.AnnulGame(),
    "paused": act.PauseClock(),
    "resumed": act.ResumeClock(),
}
_ACTION: dict[str, Callable[[Ruleset, int, RecordTurn], act.Action]] = {
    "place": lambda rules, seat, turn: act.PlaceChip(seat, turn.card, turn.space or 0, turn.lines),
    "remove": lambda rules, seat, turn: act.RemoveChip(seat, turn.card, turn.space or 0, turn.lines),
    "pass": lambda rules, seat, turn: act.PassTurn(seat),
    "draw": lambda rules, seat, turn: act.DrawCard(seat),
    "announce": lambda rules, seat, turn: act.AnnounceLines(seat, turn.lines or ()),
    "resign": lambda rules, seat, turn: act.LeaveGame(seat, "resign"),
    "leave": lambda rules, seat, turn: act.LeaveGame(seat),
    "discard": lambda rules, seat, turn: act.DiscardCard(seat, turn.card),
    "offer_draw": lambda rules, seat, turn: act.OfferDraw(seat),
    "accept_draw": lambda rules, seat, turn: act.AnswerDraw(seat, agree=True),
    "decline_draw": lambda rules, seat, turn: act.AnswerDraw(seat, agree=False),
    "table_talk": lambda rules, seat, turn: act.CallTableTalk(turn.team or 0),
    "forfeit_card": lambda rules, seat, turn: act.PayCard(seat, turn.card),
    "flag": lambda rules, seat, turn: act.ExpireTurn(turn.policy),
    "ruling": lambda rules, seat, turn: _ruling(rules, turn),
    "substitute": lambda rules, seat, turn: act.ReplaceSeat(seat, turn.name),
}
"""What each act of a record asks of the rules; the seat is 0 for acts of no seat."""
