"""Random whole games with every kind of event, for the tests of records."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.rules import actions as act
from games.rules import events as ev
from games.rules.deal import SecretDeal, cut, numbers
from games.rules.decide import decide
from games.rules.evolve import fold
from games.rules.legal import legal_actions, unclaimed_lines
from games.rules.record import Record
from games.rules.recording import Stamp, record_of
from games.rules.refusal import IllegalAction
from games.rules.ruleset import CHOICES, Ruleset, make_ruleset
from games.rules.state import State, deal_cards

Setup = tuple[int, int, dict[str, Any]]

SETUPS: tuple[Setup, ...] = (
    (2, 2, {}),
    (2, 2, {"draw_mode": "manual", "protect": "run"}),
    (2, 2, {"claim": "announce", "lines_to_win": 3}),
    (2, 2, {"end": "full_board", "reshuffle": "lazy", "dead_swaps_per_turn": "unlimited"}),
    (
        2,
        2,
        {
            "no_play": "discard_draw",
            "protect": "run",
            "lines_to_win": 9,
            "hand_size": 1,
            "dead_swaps_per_turn": 0,
        },
    ),
    (3, 3, {"lines_to_win": 2, "stalemate": "blocked"}),
    (3, 3, {"claim": "announce", "draw_mode": "manual", "loss_of_card": "next_play", "lines_to_win": 2}),
    (4, 2, {"table_talk": "penalty", "withdraw": "team_forfeits"}),
    (4, 2, {"hands": "open", "overlap": "total", "lines_to_win": 4, "chip_limit": [30, 28]}),
    (6, 3, {"withdrawn_hand": "out", "reshuffle": "lazy", "lines_to_win": 3, "stalemate": "locked"}),
    (6, 2, {"draw_mode": "manual", "loss_of_card": "never", "jacks_can_be_dead": True, "lines_to_win": 4}),
    (
        12,
        3,
        {
            "reshuffle": "never",
            "must_swap_before_pass": False,
            "lines_to_win": 2,
            "wild": "JC",
            "anti": "JD,JS,JH",
        },
    ),
)


NAMES = {letter: f"player-{letter.lower()}" for letter in "ABCDEFGHIJKL"} | {
    "player-x": "Ona Karin",
    "player-1": "ß",
}
TAGS = {"Event": 'Tuesday "League" \\o/', "Matchday": "3"}


def mixed_setup(number: int) -> Setup:
    """Return a set-up whose options are drawn by lot."""
    choices = Choices(number)
    seats, teams, _ = SETUPS[choices.below(len(SETUPS))]
    options: dict[str, Any] = {
        name: words[choices.below(len(words))] for name, (_, words) in CHOICES.items() if choices.one_in(2)
    }
    options["lines_to_win"] = choices.below(4) + 1
    options["max_shared"] = choices.below(3)
    options["dead_swaps_per_turn"] = (0, 1, 3, "unlimited")[choices.below(4)]
    options["hand_floor"] = choices.below(3)
    return seats, teams, options


@dataclass
class Game:
    """A game as it would be stored, with its live state."""

    rules: Ruleset
    secret: bytes
    nonces: tuple[str, ...]
    events: list[ev.Event]
    state: State

    @property
    def deal(self) -> SecretDeal:
        return SecretDeal(self.secret, self.nonces)

    def record(self, view: str = "full", **more: Any) -> Record:
        """Return the record that the site would make of this game."""
        given: dict[str, Any] = {"names": NAMES, "tags": TAGS, "secret": self.secret, "clocks": self.clocks()}
        return record_of(self.rules, self.events, self.deal, view=view, **given | more)

    def clocks(self) -> dict[int, Stamp]:
        """Return times for every third event."""
        return {
            number: Stamp(f"2026-11-30T18:{number // 60 % 60:02d}:{number % 60:02d}Z", number * 977)
            for number in range(1, len(self.events), 3)
        }


class Choices:
    """Repeatable choices from one number."""

    def __init__(self, number: int) -> None:
        self.stream = numbers(number.to_bytes(8, "big"), "test", 0, ())

    def below(self, limit: int) -> int:
        return next(self.stream) % limit

    def one_in(self, times: int) -> bool:
        return self.below(times) == 0


def random_game(number: int, setup: Setup, *, trouble: int = 12, most: int = 260) -> Game:
    """Play game `number`: one event in `trouble` is none of the cards'; 0 for none at all."""
    seats, teams, options = setup
    rules = make_ruleset(seats, teams, **options)
    secret = hashlib.sha256(f"game {number}".encode()).digest()
    nonces = ("00ff", "a1") if number % 2 else ()
    dealer, cuts = cut(rules.edition, secret, nonces, seats)
    started = ev.GameStarted((dealer + 1) % seats, cuts, nonces)
    state = deal_cards(rules, SecretDeal(secret, nonces), started.start)
    game = Game(rules, secret, nonces, [started], state)
    choices = Choices(number)
    while len(game.events) < most and state.turn is not None:
        for action in _wishes(state, choices, trouble):
            try:
                events = decide(state, action)
            except IllegalAction:
                continue
            fold(state, events)
            game.events += events
            break
    if trouble and choices.one_in(6) and state.outcome is not None and state.outcome.end != "annulled":
        events = decide(state, act.AnnulGame())
        fold(state, events)
        game.events += events
    return game


def _wishes(state: State, choices: Choices, trouble: int) -> Iterator[act.Action]:
    """Yield actions in the order in which they are tried, one that is legal among them."""
    seat = state.turn
    assert seat is not None
    if trouble and choices.one_in(trouble):
        yield _trouble(state, choices)
    if state.offer is not None and choices.one_in(3):
        yield act.AnswerDraw(choices.below(len(state.hands)), agree=choices.one_in(2))
    owing = [other for other, debt in enumerate(state.debts) if debt]
    if owing:
        yield act.PayCard(owing[0], state.hands[owing[0]][0])
    others = [s for s in range(len(state.hands)) if state.rights[s]]
    if others and choices.below(3):
        yield act.DrawCard(others[choices.below(len(others))])
    if state.ruleset.claim == "announce" and choices.below(2):
        full = unclaimed_lines(state, seat)
        if full:
            yield act.AnnounceLines(seat, full[:1])
    legal = list(legal_actions(state, seat))
    swaps = [action for action in legal if isinstance(action, act.SwapCard)]
    if swaps and choices.below(4):
        yield swaps[0]
    if state.ruleset.claim == "auto":
        yield from _best(state, legal, choices)
    yield legal[choices.below(len(legal))]
    yield from legal


def _best(state: State, legal: list[act.SeatAction], choices: Choices) -> Iterator[act.Action]:
    """Yield a placement that completes a line, so that games end."""
    if choices.one_in(5):
        return
    for action in legal:
        if isinstance(action, act.PlaceChip):
            event = decide(state, action)[0]
            if isinstance(event, ev.ChipPlaced) and event.lines:
                yield action
                return


def _trouble(state: State, choices: Choices) -> act.Action:
    seat = choices.below(len(state.hands))
    team = choices.below(state.ruleset.teams)
    kinds = (
        act.OfferDraw(seat),
        act.AnswerDraw(seat, agree=choices.one_in(2)),
        act.AnswerDraw(seat, agree=False),
        act.CallTableTalk(team),
        act.ReplaceSeat(seat, f"player-{seat}"),
        act.ExpireTurn(("pass", "pass", "ask", "bot", "pass")[choices.below(5)]),
        act.PauseClock("h"),
        act.ResumeClock("h"),
        act.CallTableTalk(team),
        act.OfferDraw(seat),
        act.ReplaceSeat(seat, "player-x"),
        _rare(seat, choices),
    )
    return kinds[choices.below(len(kinds))]


def _rare(seat: int, choices: Choices) -> act.Action:
    kinds: tuple[act.Action, ...] = (
        act.LeaveGame(seat, "resign"),
        act.LeaveGame(seat),
        act.ExpireTurn("forfeit_seat"),
        act.ExpireTurn("forfeit_team"),
        act.RuleResult(None, "h"),
        act.RuleResult(1, "h"),
        act.AnnulGame("h"),
        act.LeaveGame(seat),
        act.LeaveGame(seat),
    )
    return kinds[choices.below(len(kinds))]
