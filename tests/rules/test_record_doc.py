"""`docs/record-format.md` says what the code does: its example, its vectors, its check in JavaScript."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from games.rules.actions import EXPIRY_POLICIES
from games.rules.deal import SecretDeal, cut, seal_of, shuffled
from games.rules.editions import load_edition
from games.rules.encoding import DRAW
from games.rules.record import ACTS, RULINGS
from games.rules.record_header import TAGS_OF_FORMAT
from games.rules.recording import complete
from games.rules.sqn_json import from_json, to_json
from games.rules.sqn_text import from_text, to_text
from tests.rules.record_games import SETUPS, random_game

DOC = (Path(__file__).parents[2] / "docs" / "record-format.md").read_text(encoding="utf-8")
CLASSIC = load_edition("classic")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", DOC, re.DOTALL)
    assert found
    return found[1]


VECTORS = dict(line.split(": ") for line in block("vectors").splitlines())
SECRET = bytes.fromhex(VECTORS["secret"])


def test_the_example_is_a_complete_record_in_canonical_form() -> None:
    example = block("sqn")

    assert to_text(complete(from_text(example))) == example
    assert to_text(from_json(to_json(from_text(example)))) == example


def test_the_seal_and_the_cut_are_those_of_the_document() -> None:
    dealer, (turned,) = cut(CLASSIC, SECRET, (), 4)

    assert seal_of(SECRET) == VECTORS["seal"]
    assert " ".join(turned) == VECTORS["cut 0"]
    assert dealer == 1


@pytest.mark.parametrize(("name", "nonces"), [("deal", ()), ("deal with nonces 00ff,a1", ("00ff", "a1"))])
def test_the_deals_are_those_of_the_document(name: str, nonces: tuple[str, ...]) -> None:
    deck = " ".join(SecretDeal(SECRET, nonces).deck(CLASSIC))

    assert deck.startswith(VECTORS[name])
    assert hashlib.sha256(deck.encode()).hexdigest() == VECTORS[f"{name} sha256"]


def test_the_reshuffle_is_that_of_the_document() -> None:
    cards = sorted(CLASSIC.deck[:20], key=lambda card: CLASSIC.order[card])

    given = VECTORS["reshuffle 1 of the first twenty canonical cards"]
    assert " ".join(SecretDeal(SECRET).reshuffle(1, cards)) == given
    assert shuffled(CLASSIC.deck[:20], SECRET, "reshuffle", 1, ()) == given.split()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_check_in_javascript_tells_a_fair_deal_from_another(tmp_path: Path) -> None:
    script = tmp_path / "check.mjs"
    script.write_text(block("js"), encoding="utf-8")
    for number, setup in ((0, SETUPS[0]), (5, SETUPS[9])):
        game = to_json(random_game(number, setup, most=8).record())
        other = json.loads(json.dumps(game))
        hand = other["hands"]["B"]
        hand[0] = next(card for card in CLASSIC.codes if card != hand[0])

        assert checked(script, game) == "the deal is fair\n"
        assert checked(script, other) == "the deal is NOT what was sealed\n"
        assert checked(script, game | {"seal": "sha256:" + "0" * 64}) == "the deal is NOT what was sealed\n"


def checked(script: Path, game: dict[str, object]) -> str:
    path = script.with_name("game.json")
    path.write_text(json.dumps(game))
    run = subprocess.run(["node", script, path], capture_output=True, text=True, check=True)
    return run.stdout


def test_the_check_has_twenty_lines() -> None:
    assert len(block("js").splitlines()) == 20
    assert max(map(len, block("js").splitlines())) <= 120


def test_every_tag_act_policy_and_ruling_is_in_the_document() -> None:
    quoted = set(re.findall(r"`([^`\n]+)`", DOC))

    assert set(TAGS_OF_FORMAT) <= quoted
    assert set(ACTS) <= quoted
    grammar = block("ebnf")
    assert all(f'"{word}"' in grammar for word in (*EXPIRY_POLICIES, *RULINGS, DRAW))
