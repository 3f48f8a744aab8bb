"""Damaged events: refused as what they are, never by an accident of Python."""

import copy
from typing import Any

import pytest

from games.rules import events as ev
from games.rules.deal import HiddenDeal, ListedDeal
from games.rules.editions import load_edition
from games.rules.encoding import BadEvent, event_from
from games.rules.evolve import CorruptEvents, evolve, rebuild
from games.rules.ruleset import make_ruleset
from games.rules.state import State
from tests.records import deal_of, ruleset_of, state_hash, stored_games
from tests.rules.boards import mask, position

ODD_VALUES: list[Any] = [
    "", "Z", "a", "k11", "a1", "e5", "Zz", "Js", "?", "yellow", "draw", None, 0, -1, 7, 10**30, 1.5, True,
    [], ["A", "A"], [["a1", "e1"]], [["a1", "j9"]], [["a1"]], {}, {"a": 1},
]  # fmt: skip
GAMES = stored_games()


def outcome_of(game: dict[str, Any], events: list[list[Any]]) -> str:
    """What becomes of these events: a state's hash, or a refusal; any other exception goes through."""
    rules = ruleset_of(game)
    try:
        return state_hash(rebuild(rules, [event_from(rules, *event) for event in events], deal_of(game)))
    except (BadEvent, CorruptEvents):
        return "refused"


@pytest.mark.parametrize(
    "name", ["lines-12-seats-announced", "lines-4-seats-busy", "last-team-9-seats-forfeit"]
)
def test_whatever_stands_in_an_event_it_is_read_or_refused(name: str) -> None:
    game = GAMES[name]
    refused = 0
    last_of_kind = {kind: number for number, (kind, _) in enumerate(game["events"])}
    for number in last_of_kind.values():
        kind, body = game["events"][number]
        for key in (*body, "lines", "locked", "lapsed", "drew", "reshuffled", "next_seat"):
            for value in ODD_VALUES:
                events = copy.deepcopy(game["events"][: number + 1])
                events[number] = [kind, {**body, key: value}]
                refused += outcome_of(game, events) == "refused"

    assert refused > 300


@pytest.mark.parametrize("name", ["lines-2-seats", "lines-6-seats-manual"])
def test_an_event_that_is_missing_doubled_or_out_of_place_is_seen(name: str) -> None:
    game = GAMES[name]
    events = game["events"]
    plays = [n for n, (kind, _) in enumerate(events) if kind in ("ChipPlaced", "ChipRemoved")]

    for number in plays[:-1]:
        assert outcome_of(game, [*events[:number], *events[number + 1 :]]) == "refused"
        assert outcome_of(game, [*events[: number + 1], *events[number:]]) == "refused"
    assert outcome_of(game, events[1:]) == "refused"
    assert outcome_of(game, [events[0], *events]) == "refused"
    assert outcome_of(game, []) == "refused"


def test_an_unknown_kind_of_event_is_refused() -> None:
    with pytest.raises(BadEvent, match="ChipEaten"):
        event_from(make_ruleset(2), "ChipEaten", {})


def placed(state: State, card: str, space: str, **changes: Any) -> ev.ChipPlaced:
    values = {
        "lines": (),
        "locked": 0,
        "drew": False,
        "reshuffled": 0,
        "lapsed": (),
        "next_seat": 1,
        "seat": 0,
    }
    return ev.ChipPlaced(card=card, space=state.board.space_by_name[space], **{**values, **changes})


def test_a_placement_that_the_rules_do_not_know_is_corrupt() -> None:
    state = position("Td Js 2c", "3c")
    row = mask(state, "a5-e5")

    for event in [
        placed(state, "Td", "a2"),
        placed(state, "Js", "h6"),
        placed(state, "3c", "d2"),
        placed(state, "Td", "h6", seat=1),
        placed(state, "Td", "h6", lines=(row,)),
        placed(state, "Td", "h6", lines=(3,)),
    ]:
        with pytest.raises(CorruptEvents):
            evolve(state, event)
    assert evolve(state, placed(state, "Td", "h6")).turn == 1


def test_a_draw_from_an_empty_pile_is_corrupt() -> None:
    state = position("Td", "3c", pile="")

    with pytest.raises(CorruptEvents, match="empty pile"):
        evolve(state, placed(state, "Td", "h6", drew=True))


def test_a_reshuffle_that_the_deal_does_not_know_is_corrupt() -> None:
    state = position("Td", "3c", pile="")
    state.deal = ListedDeal(load_edition("classic").deck)

    with pytest.raises(CorruptEvents, match="does not say how reshuffle 1 fell"):
        evolve(state, placed(state, "Td", "h6", drew=True, reshuffled=ev.BEFORE))


def test_nothing_happens_after_the_end() -> None:
    rules = make_ruleset(2)
    start, end = ev.GameStarted(0), ev.GameEnded(None, "ruling")

    for event in (ev.TurnPassed(0, 1), ev.CardSwapped(0, "2c", 0), ev.TurnExpired(0, "pass", 1)):
        with pytest.raises(CorruptEvents, match="not on turn"):
            rebuild(rules, [start, end, event], HiddenDeal())


def test_debts_rights_and_offers_that_are_not_there_are_corrupt() -> None:
    state = position("Td", "3c")

    for event in (ev.CardPaid(0, "Td"), ev.CardDrawn(0, 0, ()), ev.DrawAgreed(1)):
        with pytest.raises(CorruptEvents):
            evolve(state, event)


def test_a_seat_leaves_once() -> None:
    state = evolve(position("Td", "3c", "4c"), ev.SeatLeft(1, "leave", 0))

    for event in (ev.SeatLeft(1, "leave", 0), ev.SeatReplaced(1, "carla")):
        with pytest.raises(CorruptEvents, match="has left"):
            evolve(state, event)
