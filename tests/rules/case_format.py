"""Reads the worked cases: `sequence-cases/1` and `sequence-games/1`, with words and spaces of their own."""

import json
import os
from pathlib import Path
from typing import Any

from games.rules import actions as act
from games.rules.cards import fold_code
from games.rules.deal import HiddenDeal, ListedDeal
from games.rules.editions import Edition, edition_from_data
from games.rules.ruleset import Ruleset, make_ruleset
from games.rules.state import State, deal_cards

DIRECTORY = Path(os.environ.get("CASES_DIR") or Path(__file__).parent.parent / "cases")


def load(format_name: str, key: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return (file, item) for every item of the files of one format in the directory."""
    found = []
    for path in sorted(DIRECTORY.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.get("format") == format_name:
            found += [(data, item) for item in data[key]]
    return found


def edition_of(case: dict[str, Any]) -> Edition | str:
    """Return the edition that a case's own layout describes, else the classic one."""
    layout = case["setup"].get("layout")
    if layout is None:
        return "classic"
    options = case["options"]
    wild, anti = options["wild"], options["anti"]
    codes = list(dict.fromkeys(code for row in layout for code in row if code != "**")) + wild + anti
    return edition_from_data(
        {
            "name": "case",
            "title": case["name"],
            "layout": [" ".join(row) for row in layout],
            "codes": " ".join(codes),
            "packs": 2,
            "wild": wild,
            "anti": anti,
            "line_length": options["line_length"],
            "lines_to_win": {"2": 2, "3": 1},
            "tables": {"2": {"teams": [2], "hand_size": 3}, "3": {"teams": [3], "hand_size": 3}},
            "chips_in_box": [50, 50, 35],
        }
    )


def ruleset_of(case: dict[str, Any]) -> Ruleset:
    """Return the ruleset of a case; its chip limits go by team letter."""
    options = dict(case["options"])
    if isinstance(options.get("chip_limit"), dict):
        options["chip_limit"] = [options["chip_limit"][letter] for letter in sorted(options["chip_limit"])]
    return make_ruleset(case["seats"], case["teams"], edition_of(case), **options)


class Position:
    """A state set up from a case, spoken to in the words of the case file."""

    def __init__(self, data: dict[str, Any], case: dict[str, Any]) -> None:
        self.rules = ruleset_of(case)
        self.board = self.rules.board
        setup = case["setup"]
        if setup.get("deal"):
            self.state = deal_cards(self.rules, ListedDeal(self.rules.edition.deck), 0)
        else:
            self.state = self._set_up(data, case, setup)

    def _set_up(self, data: dict[str, Any], case: dict[str, Any], setup: dict[str, Any]) -> State:
        state = State(self.rules)
        defaults = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "QC", "KC", "AC"]
        for seat in range(case["seats"]):
            given = setup["hands"].get(str(seat))
            if given is None and case["setup"].get("layout") is None:
                given = [defaults[seat]]
            state.hands[seat] = [self.card(code) for code in given or []]
            state.discards[seat] = [self.card(code) for code in setup["discards"].get(str(seat), [])]
        draw = setup["draw"]
        if draw is None and setup.get("layout") is None:
            draw = data["defaults"]["draw"]
        state.pile = [self.card(code) for code in draw or []][::-1]
        for letter, cells in setup["chips"].items():
            state.chips[self.team(letter)] |= sum(1 << self.space(cell) for cell in cells)
        for line in setup["sequences"]:
            team, mask = self.team(line["team"]), self.mask(line["cells"])
            state.lines[team].append(mask)
            chips = mask & ~self.board.corner_mask
            state.chips[team] |= chips
            state.locked[team] |= chips
        for chips in state.chips:
            state.occupied |= chips
        state.turn = setup["turn"]
        state.swaps_used = setup["swaps_used"]
        state.deal = PartialDeal()
        return state

    def card(self, code: str) -> str:
        return self.rules.edition.code_by_fold[fold_code(code)]

    def space(self, cell: list[int]) -> int:
        return cell[0] * self.board.width + cell[1]

    def cell(self, space: int) -> list[int]:
        return list(divmod(space, self.board.width))

    def team(self, letter: str) -> int:
        return "ABC".index(letter)

    def mask(self, cells: list[list[int]]) -> int:
        return sum(1 << self.space(cell) for cell in cells)

    def masks(self, lines: list[Any] | None) -> tuple[int, ...] | None:
        return None if lines is None else tuple(self.mask(cells) for cells in lines)

    def action(self, do: dict[str, Any]) -> act.Action:
        """Return the action that a step asks for."""
        turn = self.state.turn
        seat = do.get("seat", turn if turn is not None else 0)
        card = self.card(do["card"]) if "card" in do else ""
        kind = do["type"]
        if kind in ("place", "remove"):
            named = do.get("announce") if self.rules.claim == "announce" else do.get("claim")
            make = act.PlaceChip if kind == "place" else act.RemoveChip
            return make(seat, card, self.space(do["cell"]), self.masks(named))
        simple: dict[str, Any] = {
            "swap": lambda: act.SwapCard(seat, card),
            "pass": lambda: act.PassTurn(seat),
            "discard": lambda: act.DiscardCard(seat, card),
            "draw": lambda: act.DrawCard(seat),
            "announce": lambda: act.AnnounceLines(seat, self.masks(do.get("lines")) or ()),
            "penalty": lambda: act.CallTableTalk(self.team(do["team"])),
            "forfeit": lambda: act.PayCard(seat, card),
            "withdraw": lambda: act.LeaveGame(seat),
        }
        action: act.Action = simple[kind]()
        return action


class PartialDeal(HiddenDeal):
    """Reshuffles a partial set-up by leaving the discards in canonical order."""

    def reshuffle(self, number: int, discards: list[str]) -> list[str]:
        return list(discards)
