"""The worked cases and whole games of the directory that CASES_DIR names (default tests/cases)."""

from collections.abc import Callable
from typing import Any

import pytest

from games.rules import actions as act
from games.rules.claims import full_lines, largest_sets, open_lines
from games.rules.deal import ListedDeal
from games.rules.decide import decide
from games.rules.evolve import fold
from games.rules.legal import legal_actions
from games.rules.refusal import IllegalAction
from games.rules.ruleset import BadOption, make_ruleset
from games.rules.state import State, deal_cards
from tests.rules.case_format import DIRECTORY, Position, load, ruleset_of

CASES = load("sequence-cases/1", "cases")
GAMES = load("sequence-games/1", "games")


def result(state: State) -> str | None:
    if state.outcome is None:
        return None
    return "draw" if state.outcome.winner is None else "ABC"[state.outcome.winner]


@pytest.mark.parametrize(("data", "case"), CASES, ids=[case["id"] for _, case in CASES])
def test_case(data: dict[str, Any], case: dict[str, Any]) -> None:
    if case["setup_error"]:
        with pytest.raises(BadOption) as refused:
            ruleset_of(case)
        assert refused.value.code == case["setup_error"]
        return
    position = Position(data, case)
    for key, value in case["check"].items():
        assert CHECKS[key](position, value) == value, key
    for step in case["steps"]:
        take(position, step["do"], step["expect"])


def take(position: Position, do: dict[str, Any], expect: dict[str, Any]) -> None:
    before = position.state
    action = position.action(do)
    if not expect.get("legal", True):
        with pytest.raises(IllegalAction) as refused:
            decide(before, action)
        assert refused.value.code == expect["error"]
        return
    if "choices" in expect:
        assert count_choices(before, action) == expect["choices"]
    events = decide(before, action)
    after = position.state = fold(before.copy(), events)
    for key, value in expect.items():
        if key not in ("legal", "choices"):
            assert EXPECTED[key](position, before, after, value) == value, key


def count_choices(state: State, action: act.Action) -> int:
    assert isinstance(action, act.PlaceChip)
    team = state.team_of[action.seat]
    chips = state.chips[team] | 1 << action.space
    return len(largest_sets(state, team, full_lines(state, team, chips, action.space)))


def count(state: State) -> dict[str, int]:
    return {"ABC"[team]: len(lines) for team, lines in enumerate(state.lines)}


def locked_cells(position: Position) -> list[list[int]]:
    bits = 0
    for locked in position.state.locked:
        bits |= locked
    return [position.cell(space) for space in position.board.spaces_in(bits)]


def chip(position: Position, value: list[Any]) -> list[Any]:
    space = position.space(value[0])
    owners = [team for team, chips in enumerate(position.state.chips) if chips >> space & 1]
    return [value[0], "ABC"[owners[0]] if owners else None]


def legal_count(position: Position, kind: type) -> int:
    state = position.state
    assert state.turn is not None
    return sum(isinstance(action, kind) for action in legal_actions(state, state.turn))


EXPECTED: dict[str, Callable[[Position, State, State, Any], Any]] = {
    "new": lambda p, b, a, v: sum(map(len, a.lines)) - sum(map(len, b.lines)),
    "seq": lambda p, b, a, v: count(a),
    "protected": lambda p, b, a, v: v if sorted(locked_cells(p)) == sorted(v) else locked_cells(p),
    "chip": lambda p, b, a, v: chip(p, v),
    "next": lambda p, b, a, v: a.turn,
    "hand_size": lambda p, b, a, v: {seat: len(a.hands[int(seat)]) for seat in v},
    "draw_size": lambda p, b, a, v: len(a.pile),
    "discard_size": lambda p, b, a, v: a.discarded(),
    "over": lambda p, b, a, v: a.over,
    "winner": lambda p, b, a, v: result(a),
    "n_place": lambda p, b, a, v: legal_count(p, act.PlaceChip),
    "n_remove": lambda p, b, a, v: legal_count(p, act.RemoveChip),
    "n_swap": lambda p, b, a, v: legal_count(p, act.SwapCard),
    "can_pass": lambda p, b, a, v: legal_count(p, act.PassTurn) == 1,
}


def printed_often(position: Position) -> int:
    edition = position.rules.edition
    counts = {len(edition.spaces_for(code)) for code in edition.codes if edition.spaces_for(code)}
    assert len(counts) == 1
    return counts.pop()


def fewest_open_lines(position: Position) -> int:
    return min(open_lines(position.state, team, blocked=False) for team in range(position.rules.teams))


CHECKS: dict[str, Callable[[Position, Any], Any]] = {
    "hand_sizes": lambda p, v: [len(hand) for hand in p.state.hands],
    "draw_size": lambda p, v: len(p.state.pile),
    "need": lambda p, v: p.rules.lines_to_win,
    "team_order": lambda p, v: "".join("ABC"[team] for team in p.rules.team_of),
    "each_nonjack_on_board": lambda p, v: printed_often(p),
    "free_cells": lambda p, v: [p.cell(space) for space in sorted(p.board.corners)],
    "deck": lambda p, v: len(p.rules.edition.deck),
    "wild": lambda p, v: sum(card in p.rules.wild for card in p.rules.edition.deck),
    "anti": lambda p, v: sum(card in p.rules.anti for card in p.rules.edition.deck),
    "lines": lambda p, v: len(p.board.lines),
    "lines_with_corner": lambda p, v: sum(bool(line.mask & p.board.corner_mask) for line in p.board.lines),
    "frozen": lambda p, v: fewest_open_lines(p) == 0,
    "open_lines_min": lambda p, v: v if fewest_open_lines(p) >= v else fewest_open_lines(p),
    "n_place": lambda p, v: legal_count(p, act.PlaceChip),
    "n_remove": lambda p, v: legal_count(p, act.RemoveChip),
    "n_swap": lambda p, v: legal_count(p, act.SwapCard),
    "can_pass": lambda p, v: legal_count(p, act.PassTurn) == 1,
}


@pytest.mark.parametrize(
    ("data", "game"), GAMES, ids=[f"{i}-{g['seats']}p{g['teams']}t" for i, (_, g) in enumerate(GAMES)]
)
def test_whole_game(data: dict[str, Any], game: dict[str, Any]) -> None:
    rules = make_ruleset(game["seats"], game["teams"])
    card = rules.edition.parse_card
    deck = [card(code) for code in game["deck_top_first"]]
    piles = [[card(code) for code in shuffle["new_draw_pile"]] for shuffle in game["reshuffles"]]
    state = deal_cards(rules, ListedDeal(deck, piles), 0)
    kinds: dict[str, Callable[..., act.Action]] = {"place": act.PlaceChip, "remove": act.RemoveChip}
    reshuffled_after = []

    for number, (kind, code, *cell) in enumerate(game["actions"]):
        assert state.turn is not None
        where = [r * 10 + c for r, c in filter(None, cell)]
        make = kinds[kind] if where else {"swap": act.SwapCard}[kind]
        known = state.reshuffles
        fold(state, decide(state, make(state.turn, card(code), *where)))
        if state.reshuffles > known:
            reshuffled_after.append(number)

    final = game["final"]
    board = rules.board
    assert reshuffled_after == [shuffle["after_action"] for shuffle in game["reshuffles"]]
    assert state.over is final["over"]
    assert result(state) == final["winner"]
    assert len(game["actions"]) == final["plies"]
    lines = sorted((t, sorted(board.spaces_in(m))) for t, masks in enumerate(state.lines) for m in masks)
    assert lines == sorted(
        ("ABC".index(line["team"]), sorted(r * 10 + c for r, c in line["cells"]))
        for line in final["sequences"]
    )
    for letter, cells in final["chips"].items():
        assert board.spaces_in(state.chips["ABC".index(letter)]) == tuple(
            sorted(r * 10 + c for r, c in cells)
        )
    assert [sorted(hand) for hand in state.hands] == [sorted(map(card, hand)) for hand in final["hands"]]
    assert len(state.pile) == final["draw_size"]


def test_the_directory_holds_cases_or_games() -> None:
    assert CASES or GAMES, f"no file of a known format in {DIRECTORY}"
