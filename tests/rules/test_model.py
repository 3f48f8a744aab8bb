"""The worked cases and whole games of the specification against the naive model, and its own books."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.model import Model, Refused
from tests.model.board import CLASSIC, Board, canonical, card_name, classic_deck, space_name
from tests.model.options import deal

CASES = Path(__file__).parent.parent / "cases"
RULES = json.loads((CASES / "rules.json").read_text())
GAMES = json.loads((CASES / "games.json").read_text())["games"]
DEFAULT_HANDS = ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Qc", "Kc", "Ac"]
DEFAULT_PILE = ["2h", "3h", "4h", "5h", "6h", "Th"]
ACTS = {"withdraw": "leave", "penalty": "table_talk", "forfeit": "pay"}


# From the format of the cases


def names(cells):
    return [space_name(*cell) for cell in cells]


def model_of(case):
    setup = case["setup"]
    if setup["deal"]:
        empty = Model(case["seats"], case["teams"], case["options"], [[]] * case["seats"], [])
        hands, pile = deal(classic_deck(), case["seats"], empty.options["hand_size"])
        return Model(case["seats"], case["teams"], case["options"], hands, pile)
    hands = [[card] for card in DEFAULT_HANDS[: case["seats"]]]
    for seat, cards in setup["hands"].items():
        hands[int(seat)] = [card_name(card) for card in cards]
    pile = DEFAULT_PILE if setup["draw"] is None else [card_name(card) for card in setup["draw"]]
    lines = {}
    for line in setup["sequences"]:
        lines.setdefault(line["team"], []).append(names(line["cells"]))
    return Model(
        case["seats"],
        case["teams"],
        case["options"],
        hands,
        pile,
        setup["turn"],
        layout=setup["layout"],
        chips={team: names(cells) for team, cells in setup["chips"].items()},
        lines=lines,
        discards={
            int(seat): [card_name(card) for card in cards] for seat, cards in setup["discards"].items()
        },
        swaps_used=setup["swaps_used"],
    )


def action_of(do, model):
    action = {"act": ACTS.get(do["type"], do["type"]), "seat": do.get("seat", model.turn)}
    if "card" in do:
        action["card"] = card_name(do["card"])
    if "cell" in do:
        action["space"] = space_name(*do["cell"])
    if "team" in do:
        action["team"] = do["team"]
    for key in ("claim", "announce", "lines"):
        if key in do:
            action["lines"] = [names(cells) for cells in do[key]]
    return action


def events_of(model, action, expect):
    """Act as the case says it ends; a refusal must change nothing."""
    if expect.get("legal", True):
        return model.act(action)
    before = model.snapshot()
    with pytest.raises(Refused) as refused:
        model.act(action)
    assert refused.value.code == expect["error"]
    assert model.snapshot() == before
    return []


def check_step(model, step):
    expect = step["expect"]
    action = action_of(step["do"], model)
    seen = {"legal": expect.get("legal", True), "error": expect.get("error")}
    if "choices" in expect:
        seen["choices"] = len(model.choices(action["seat"], action["space"]))

    events = events_of(model, action, expect)

    snapshot = model.snapshot()
    cards = model.cards
    seen |= {
        "new": sum(event["event"] == "line" for event in events),
        "seq": {team: len(lines) for team, lines in snapshot["lines"].items()},
        "protected": {space for spaces in snapshot["locked"].values() for space in spaces},
        "next": snapshot["turn"],
        "draw_size": len(cards.pile),
        "discard_size": sum(len(pile) for pile in cards.discards),
        "over": model.over,
        "winner": model.winner,
    }
    for key, value in expect.items():
        if key == "protected":
            assert seen[key] == set(names(value))
        elif key == "chip":
            assert model.chips.get(space_name(*value[0])) == value[1]
        elif key == "hand_size":
            assert {seat: len(cards.hands[int(seat)]) for seat in value} == value
        else:
            assert seen[key] == value, key


def facts_of(model):
    board = model.board
    deck = Counter(card for cards in [*model.cards.hands, model.cards.pile] for card in cards)
    legal = Counter(action[0] for action in model.legal(model.turn))
    return {
        "hand_sizes": [len(hand) for hand in model.cards.hands],
        "draw_size": len(model.cards.pile),
        "need": model.options["lines_to_win"],
        "team_order": "".join(model.team_of),
        "each_nonjack_on_board": 2
        if all((len(board.printed.get(card, [])) == 2) == (card[0] != "J") for card in deck)
        else None,
        "free_cells": [[0, 0], [0, 9], [9, 0], [9, 9]]
        if board.corners == {"a1", "j1", "a10", "j10"}
        else board.corners,
        "deck": deck.total(),
        "wild": sum(deck[card] for card in model.wild),
        "anti": sum(deck[card] for card in model.anti),
        "lines": len(board.lines),
        "lines_with_corner": sum(bool(set(line) & board.corners) for line in board.lines),
        "n_place": legal["place"],
        "n_remove": legal["remove"],
        "n_swap": legal["swap"],
        "can_pass": legal["pass"] == 1,
        "frozen": not any(model.open_lines(team, "locked") for team in model.teams),
    }


# The specification


def test_the_board_has_the_published_checksum():
    digest = hashlib.sha256(CLASSIC.encode()).hexdigest()

    assert digest == "eddfe2c4f2e17dbd88f65f322ca163bc1b590b9ddc2d6864d9b99f28dc074f99"
    assert [[card_name(card) for card in row] for row in RULES["layout"]] == Board(None, 5).layout


def test_every_case_is_there():
    assert len(RULES["cases"]) == 116
    assert len(GAMES) == 12


@pytest.mark.parametrize("case", RULES["cases"], ids=lambda case: case["id"])
def test_the_model_answers_a_worked_case_as_written(case):
    if case["setup_error"]:
        with pytest.raises(Refused) as refused:
            model_of(case)
        assert refused.value.code == case["setup_error"]
        return

    model = model_of(case)

    facts = facts_of(model)
    for key, value in case["check"].items():
        if key == "open_lines_min":
            assert all(len(model.open_lines(team, "locked")) >= value for team in model.teams)
        else:
            assert facts[key] == value, key
    for step in case["steps"]:
        check_step(model, step)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['seats']}-seats-{game['teams']}-teams")
def test_the_model_plays_a_whole_game_to_its_recorded_end(game):
    done, shuffled_at = [], []

    def reshuffle(n, cards):
        pile = [card_name(card) for card in game["reshuffles"][n - 1]["new_draw_pile"]]
        assert sorted(pile, key=canonical) == cards
        shuffled_at.append(len(done))
        return pile

    deck = [card_name(card) for card in game["deck_top_first"]]
    size = Model(game["seats"], game["teams"], {}, [[]] * game["seats"], []).options["hand_size"]
    hands, pile = deal(deck, game["seats"], size)
    model = Model(game["seats"], game["teams"], {}, hands, pile, reshuffle=reshuffle)
    for act, card, cell in game["actions"]:
        action = {"act": act, "seat": model.turn, "card": card_name(card)}
        if cell:
            action["space"] = space_name(*cell)
        assert (act, *list(action.values())[2:]) in model.legal(model.turn)
        model.act(action)
        done.append(action)

    final = game["final"]
    assert (model.over, model.winner, model.reason) == (True, final["winner"], "lines")
    assert shuffled_at == [shuffle["after_action"] for shuffle in game["reshuffles"]]
    snapshot = model.snapshot()
    assert snapshot["chips"] == {team: sorted(names(cells)) for team, cells in final["chips"].items()}
    lines = {(team, frozenset(line)) for team in model.teams for line in model.lines[team]}
    assert lines == {(line["team"], frozenset(names(line["cells"]))) for line in final["sequences"]}
    hands = [sorted(card_name(card) for card in hand) for hand in final["hands"]]
    assert snapshot["hands"] == hands
    assert len(snapshot["pile"]) == final["draw_size"]


# The model's own books

TABLES = [
    (2, 2, {}),
    (3, 3, {"draw_mode": "manual", "idle_rounds": 2, "stalemate": "locked"}),
    (4, 2, {"reshuffle": "lazy", "no_play": "discard_draw", "end": "full_board", "idle_rounds": 3}),
    (6, 3, {"claim": "announce", "draw_mode": "manual", "loss_of_card": "never", "withdrawn_hand": "out"}),
    (12, 2, {"reshuffle": "never", "dead_swaps_per_turn": "unlimited", "jacks_can_be_dead": True}),
]


class Chance:
    """Numbers that look random and are the same in every run."""

    def __init__(self, name):
        self.name, self.count = name, 0

    def below(self, limit):
        self.count += 1
        digest = hashlib.sha256(f"{self.name}/{self.count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def shuffled(self, cards):
        cards = list(cards)
        return [cards.pop(self.below(len(cards))) for _ in range(len(cards))]


def full_lines(model, seat):
    team = model.team_of[seat]
    return [
        list(line)
        for line in model.board.lines
        if line not in model.lines[team] and model.board.is_full(line, team, model.chips)
    ]


def random_action(model, chance):
    """Mostly a turn act, now and then anything else that the rules know."""
    seat = model.turn
    kind = chance.below(40)
    someone = chance.below(len(model.active))
    if kind == 0:
        return {"act": "table_talk", "team": model.team_of[seat]}
    if kind == 1:
        return {"act": "expire", "policy": ["pass", "pass", "ask", "bot"][chance.below(4)]}
    if kind == 2:
        return {"act": ["offer_draw", "decline_draw"][chance.below(2)], "seat": someone}
    if kind == 3 and chance.below(8) == 0:
        return {"act": "leave", "seat": someone}
    if kind == 4:
        return {"act": "announce", "seat": seat, "lines": full_lines(model, seat)[:1]}
    owner = someone if kind < 12 and model.legal(someone) else seat
    choices = sorted(model.legal(owner))
    name, *rest = choices[chance.below(len(choices))]
    return {"act": name, "seat": owner, **dict(zip(["card", "space"], rest, strict=False))}


@pytest.mark.parametrize(("seats", "teams", "options"), TABLES)
def test_no_card_is_ever_lost_or_made_in_random_play(seats, teams, options):
    chance = Chance(f"{seats}/{teams}")
    size = Model(seats, teams, options, [[]] * seats, []).options["hand_size"]
    hands, pile = deal(chance.shuffled(classic_deck()), seats, size)
    model = Model(seats, teams, options, hands, pile, reshuffle=lambda _n, cards: chance.shuffled(cards))

    for _ in range(400):
        if model.over:
            break
        before = model.snapshot()
        try:
            model.act(random_action(model, chance))
        except Refused:
            assert model.snapshot() == before
        after = model.snapshot()
        piles = [*after["hands"], *after["discards"], after["pile"], after["out"]]
        assert Counter(card for cards in piles for card in cards) == Counter(classic_deck())
        for team in model.teams:
            assert set(before["locked"][team]) <= set(after["locked"][team]) <= set(after["chips"][team])


# What no case covers


def quiet_table(seats=2, **options):
    """Seats that each hold one live card, and nothing on the board."""
    hands = [[card, card] for card in DEFAULT_HANDS[:seats]]
    return Model(seats, None, options, hands, DEFAULT_PILE)


def test_the_third_pass_by_the_clock_in_a_row_withdraws_the_seat():
    model = quiet_table()

    for space in ["d2", "f4"]:
        model.act({"act": "expire", "policy": "pass"})
        model.act({"act": "place", "seat": 1, "card": "3c", "space": space})
    model.act({"act": "expire", "policy": "pass"})

    assert model.snapshot()["active"] == [False, True]
    assert (model.winner, model.reason) == ("B", "last_team")


def test_an_offer_falls_with_the_next_play_of_its_team_only():
    model = quiet_table()
    model.act({"act": "offer_draw", "seat": 1})

    model.act({"act": "place", "seat": 0, "card": "2c", "space": "e2"})
    assert model.offer == "B"
    model.act({"act": "place", "seat": 1, "card": "3c", "space": "d2"})
    assert model.offer is None


def test_a_draw_is_agreed_when_the_last_team_that_had_not_agreed_leaves():
    model = quiet_table(3)
    model.act({"act": "offer_draw", "seat": 0})
    model.act({"act": "accept_draw", "seat": 1})
    assert not model.over

    model.act({"act": "resign", "seat": 2})

    assert (model.winner, model.reason) == ("draw", "agreed")


def test_a_finished_game_can_only_be_annulled():
    model = quiet_table()
    model.act({"act": "rule", "winner": "A"})

    with pytest.raises(Refused, match="game_over"):
        model.act({"act": "pause"})
    model.act({"act": "annul"})

    assert (model.winner, model.reason) == (None, "annulled")


@pytest.mark.parametrize(
    "options",
    [
        {"colour": "red"},
        {"max_shared": 5},
        {"max_shared": True},
        {"lines_to_win": 0},
        {"overlap": "some"},
        {"jacks_can_be_dead": 1},
        {"chip_limit": {"A": 3}},
        {"hand_size": 53},
    ],
    ids=str,
)
def test_an_option_outside_the_table_is_refused(options):
    with pytest.raises(Refused, match="bad_option"):
        quiet_table(**options)
