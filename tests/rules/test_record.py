"""Records of random whole games: text and JSON, the three views, and playing them again."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import HIDDEN
from games.rules.deal import ListedDeal, SecretDeal
from games.rules.events import GameStarted
from games.rules.evolve import rebuild
from games.rules.record import Record, RecordError
from games.rules.recording import HiddenView, complete, record_of, redact
from games.rules.replay import KnownDeal, replay
from games.rules.ruleset import make_ruleset
from games.rules.sqn_json import from_json, read, to_json
from games.rules.sqn_text import from_text, to_text
from games.rules.state import State, deal_cards
from tests.rules.case_format import load
from tests.rules.record_games import SETUPS, Game, mixed_setup, random_game

WITHOUT_MEANING = {"board", "deal", "hands", "ruleset"}
CASES = [game for _, game in load("sequence-games/1", "games")]


def facts(state: State) -> dict[str, Any]:
    """Return all that makes two states the same, the order of the cards in a hand aside."""
    told = {name: getattr(state, name) for name in State.__slots__ if name not in WITHOUT_MEANING}
    return told | {"hands": [sorted(hand) for hand in state.hands]}


def seen(state: State) -> dict[str, Any]:
    """Return what everybody at the table sees."""
    told = facts(state)
    for name in ("hands", "pile", "discards", "out"):
        del told[name]
    return told | {
        "hands": [len(hand) for hand in state.hands],
        "pile": len(state.pile),
        "discards": [len(pile) for pile in state.discards],
    }


GAMES = [random_game(number, setup) for number, setup in enumerate(SETUPS)] + [
    random_game(number, mixed_setup(number)) for number in range(100, 106)
]


@pytest.fixture(params=GAMES, ids=range(len(GAMES)))
def game(request: pytest.FixtureRequest) -> Game:
    played: Game = request.param
    return played


def test_text_to_json_to_text_is_the_same_text(game: Game) -> None:
    for view in ("full", "public", "seat:B"):
        text = to_text(game.record(view))

        plain = json.loads(json.dumps(to_json(from_text(text))))

        assert to_text(from_json(plain)) == text
        assert to_json(from_json(plain)) == plain


def test_importing_an_export_gives_the_same_final_state(game: Game) -> None:
    for text in (to_text(game.record()), json.dumps(to_json(game.record()))):
        replayed = replay(read(text))

        assert facts(replayed.state) == facts(game.state)
        assert facts(rebuild(replayed.rules, replayed.events, replayed.deal)) == facts(game.state)


def test_the_three_views_show_the_same_board(game: Game) -> None:
    for view in ("public", "seat:A", "seat:B"):
        replayed = replay(from_text(to_text(game.record(view))))

        assert seen(replayed.state) == seen(game.state)


def test_a_seat_reads_its_own_hand_and_no_other_from_its_record(game: Game) -> None:
    hands = replay(game.record("seat:B")).state.hands

    if game.rules.hands == "open":
        assert [sorted(hand) for hand in hands] == [sorted(hand) for hand in game.state.hands]
    else:
        assert sorted(hands[1]) == sorted(game.state.hands[1])
        assert all(card == HIDDEN for seat, hand in enumerate(hands) if seat != 1 for card in hand)


def test_the_events_and_the_deal_of_a_hidden_record_rebuild_its_state(game: Game) -> None:
    for view in ("public", "seat:A"):
        replayed = replay(game.record(view))

        assert facts(rebuild(replayed.rules, replayed.events, replayed.deal)) == facts(replayed.state)


def test_redaction_is_idempotent_and_the_same_from_events_or_from_a_record(game: Game) -> None:
    full = game.record()
    for view in ("full", "public", "seat:A"):
        once = redact(from_text(to_text(full)), view)

        assert to_text(once) == to_text(game.record(view))
        assert to_text(redact(once, view)) == to_text(once)
    assert to_text(redact(redact(full, "seat:A"), "public")) == to_text(redact(full, "public"))


def test_redaction_only_turns_cards_over(game: Game) -> None:
    full, public = to_text(game.record()), to_text(game.record("public"))

    words, fewer = full[full.index("\n\n") :].split(), public[public.index("\n\n") :].split()

    assert len(words) == len(fewer)
    for word, shown in zip(words, fewer, strict=True):
        assert word == shown or shown.split("+")[0].removesuffix("%R") == word.split("+")[0].removesuffix(
            "%R"
        )
    assert "Secret" not in public
    assert game.rules.hands == "open" or all(f"+{card}" not in public for card in game.rules.edition.codes)


def test_a_redacted_record_cannot_be_turned_back(game: Game) -> None:
    for view, wish in (("public", "full"), ("public", "seat:A"), ("seat:A", "seat:B")):
        with pytest.raises(HiddenView):
            redact(game.record(view), wish)
    with pytest.raises(HiddenView):
        redact(game.record(), "seat:Z")


def bare(record: Record) -> Record:
    """Return the record without anything that follows from its deal."""
    turns = tuple(
        replace(
            turn,
            draw=None,
            reshuffled=0,
            over=False,
            swaps=tuple(replace(swap, drawn=None, reshuffled=0) for swap in turn.swaps),
        )
        for turn in record.turns
    )
    return replace(record, turns=turns, hands=None, result=None)


def test_what_follows_from_the_deal_may_be_left_out(game: Game) -> None:
    full = game.record()

    text = to_text(bare(full))

    assert "+" not in text[text.index("\n\n") :]
    assert to_text(complete(from_text(text))) == to_text(full)


def test_every_beginning_of_a_record_is_a_record(game: Game) -> None:
    full = game.record()
    for count in range(0, len(full.turns), 7):
        begun = replace(full, turns=full.turns[:count], result=None)

        replayed = replay(from_text(to_text(begun)))

        assert len(replayed.turns) == count


def test_a_record_is_shown_after_any_turn(game: Game) -> None:
    record = game.record()
    total = game.state.turns
    for turns in range(0, total, 5):
        assert replay(record, turns).state.turns == turns
    assert facts(replay(record, total + 1).state) == facts(game.state)


def test_a_full_record_without_its_deal_still_knows_every_hand(game: Game) -> None:
    record = replace(game.record(), deal=None)

    replayed = replay(from_text(to_text(record)))

    assert isinstance(replayed.deal, KnownDeal)
    assert [sorted(hand) for hand in replayed.state.hands] == [sorted(hand) for hand in game.state.hands]


@given(st.integers(1000, 10**6))
@settings(max_examples=25, deadline=None)
def test_any_mixed_game_survives_its_record(number: int) -> None:
    game = random_game(number, mixed_setup(number), trouble=6, most=150)
    text = to_text(game.record())

    replayed = replay(from_json(to_json(from_text(text))))

    assert facts(replayed.state) == facts(game.state)
    assert to_text(replace(from_text(text), turns=replayed.turns)) == text
    for view in ("public", "seat:A"):
        assert seen(replay(game.record(view)).state) == seen(game.state)


def test_the_games_hold_every_kind_of_act() -> None:
    acts = {turn.act for game in GAMES for turn in game.record().turns}
    reshuffles = {turn.reshuffled for game in GAMES for turn in game.record().turns}

    assert acts >= {
        "place", "remove", "pass", "draw", "announce", "resign", "discard", "leave", "offer_draw",
        "accept_draw", "decline_draw", "table_talk", "forfeit_card", "flag", "ruling", "substitute",
    }  # fmt: skip
    assert reshuffles >= {0, 1, 2}


# Games recorded over the board


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_a_whole_game_of_the_cases_is_a_record_with_a_deck(case: dict[str, Any]) -> None:
    text = json.dumps(over_the_board(case))

    record = complete(read(text))
    state = replay(read(to_text(record))).state

    final = case["final"]
    assert record.result is not None
    assert record.result.winner == {"A": "blue", "B": "green", "C": "red", "draw": "draw"}[final["winner"]]
    assert [sorted(hand) for hand in state.hands] == [
        sorted(record.ruleset.edition.parse_card(card) for card in hand) for hand in final["hands"]
    ]
    assert len(state.pile) == final["draw_size"]
    assert seen(replay(redact(record, "public")).state) == seen(state)


def over_the_board(case: dict[str, Any]) -> dict[str, Any]:
    """Write a game of the cases down as somebody at the table would, without what follows from the deck."""
    colours = ["blue", "green", "red"][: case["teams"]]
    letters = "ABCDEFGHIJKL"[: case["seats"]]
    turns: list[dict[str, Any]] = []
    number, swaps = 1, []
    for kind, card, *cell in case["actions"]:
        seat = letters[(number - 1) % len(letters)]
        if kind == "swap":
            swaps.append({"out": card})
            continue
        row, column = cell[0]
        turn = {
            "n": number,
            "seat": seat,
            "card": card,
            "act": kind,
            "space": f"{'abcdefghij'[column]}{row + 1}",
        }
        turns.append(turn | ({"swap": swaps} if swaps else {}))
        number, swaps = number + 1, []
    deal: dict[str, Any] = {"deck": case["deck_top_first"]}
    if case["reshuffles"]:
        deal["reshuffles"] = [shuffle["new_draw_pile"] for shuffle in case["reshuffles"]]
    return {
        "sqn": 1,
        "tags": {"Event": "At the kitchen table"},
        "seats": [
            {"seat": letter, "name": f"player {letter}", "team": colours[number % len(colours)]}
            for number, letter in enumerate(letters)
        ],
        "deal": deal,
        "turns": turns,
    }


def test_a_listed_deal_is_kept_by_record_of() -> None:
    game = GAMES[0]
    deck = game.deal.deck(game.rules.edition)
    state = deal_cards(game.rules, ListedDeal(deck), game.state.start)

    record = record_of(game.rules, game.events[:1], ListedDeal(deck))

    assert isinstance(record.deal, ListedDeal)
    assert record.hands == tuple(map(tuple, state.hands))
    assert from_text(to_text(record)).deal is not None


def test_a_record_of_a_running_game_holds_no_secret() -> None:
    game = GAMES[0]

    record = record_of(game.rules, game.events[:20], game.deal, seal="00" * 32)

    assert record.deal is None
    assert game.secret.hex() not in to_text(record)
    assert record.seal == "00" * 32
    assert not isinstance(replay(record).deal, SecretDeal)


def test_a_ruleset_may_name_the_teams_if_the_seats_agree() -> None:
    data = to_json(record_of(make_ruleset(6, 3), [GameStarted(0)], None))

    assert from_json(data | {"ruleset": {"teams": 3}}).ruleset.teams == 3
    with pytest.raises(RecordError, match="3 teams, not in 2"):
        from_json(data | {"ruleset": {"teams": 2}})
