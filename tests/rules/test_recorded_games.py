"""Stored games keep their ends: a change of the rules may not change a game that was played."""

from typing import Any

import pytest

from games.rules import actions as act
from games.rules.deal import HiddenDeal, cut, seal_of
from games.rules.decide import decide
from games.rules.encoding import EVENT_TYPES, body_of
from games.rules.events import ENDS, GameStarted
from games.rules.evolve import rebuild
from games.rules.refusal import IllegalAction
from games.rules.replay import replay
from games.rules.sqn_json import from_json, to_json
from games.rules.sqn_text import from_text, to_text
from games.rules.state import outcome
from tests.records import deal_of, events_of, ruleset_of, state_hash, stored_games

GAMES = stored_games()


@pytest.fixture(params=GAMES, name="game")
def stored_game(request: pytest.FixtureRequest) -> dict[str, Any]:
    return GAMES[request.param]


def ends_of(game: dict[str, Any]) -> set[str]:
    bodies = [(kind, body) for kind, body in game["events"] if kind in ("GameEnded", "GameAnnulled")]
    return {body.get("end", "annulled") for _, body in bodies}


def test_every_end_has_a_stored_game() -> None:
    found = set().union(*map(ends_of, GAMES.values()))

    assert set(ENDS) == found, "add the missing kind to tests/records/make.py and run it"


def test_every_kind_of_event_is_in_a_stored_game() -> None:
    found = {kind for game in GAMES.values() for kind, _ in game["events"]}

    assert set(EVENT_TYPES) == found, "add the missing kind to tests/records/make.py and run it"


def test_the_stored_events_lead_to_the_stored_state(game: dict[str, Any]) -> None:
    state = rebuild(ruleset_of(game), events_of(game), deal_of(game))

    assert state_hash(state) == game["state"]
    result = outcome(state)
    assert result is not None
    assert result.end in ends_of(game)


def test_the_stored_events_are_written_as_they_were_read(game: dict[str, Any]) -> None:
    rules = ruleset_of(game)

    assert [[type(event).__name__, body_of(rules, event)] for event in events_of(game)] == game["events"]


def test_the_deal_of_a_stored_game_has_its_seal_and_its_cut(game: dict[str, Any]) -> None:
    rules, deal, started = ruleset_of(game), deal_of(game), events_of(game)[0]

    assert seal_of(deal.secret) == game["seal"]
    assert isinstance(started, GameStarted)
    dealer, rounds = cut(rules.edition, deal.secret, deal.nonces, rules.seats)
    assert started == GameStarted((dealer + 1) % rules.seats, rounds, deal.nonces)


def test_without_the_deal_the_same_events_lead_to_the_same_board(game: dict[str, Any]) -> None:
    rules = ruleset_of(game)

    known = rebuild(rules, events_of(game), deal_of(game))
    public = rebuild(rules, events_of(game), HiddenDeal())

    assert (public.chips, public.locked, public.lines) == (known.chips, known.locked, known.lines)
    assert list(map(len, public.hands)) == list(map(len, known.hands))
    assert len(public.pile) == len(known.pile)
    assert public.outcome == known.outcome


def test_the_record_of_a_stored_game_is_the_same_game(game: dict[str, Any]) -> None:
    record = from_json(game["record"])

    played = replay(record)

    assert list(played.events) == events_of(game)
    assert state_hash(played.state) == game["state"]
    assert to_json(from_text(to_text(record))) == to_json(record)


def test_a_finished_game_refuses_all_but_to_be_annulled(game: dict[str, Any]) -> None:
    state = rebuild(ruleset_of(game), events_of(game), deal_of(game))

    with pytest.raises(IllegalAction) as refused:
        decide(state, act.PassTurn(0))
    assert refused.value.code == "game_over"
