"""The engine against the naive model, which shares no line of code with it.

MODEL_TURNS sets how many turns are played (100,000 before a release), MODEL_SEED what they are.
"""

import os
import random  # noqa: TID251 - chosen plays of tests, never the order of cards
import re
from collections import Counter
from pathlib import Path
from pprint import pformat

import games.rules.decide
from games.rules.events import ENDS
from tests.rules.chance import Player, random_setup, random_temper
from tests.rules.duel import Duel, shortest

TURNS = int(os.environ.get("MODEL_TURNS", "20000"))
SEED = os.environ.get("MODEL_SEED", "1")
LONGEST_GAME = 700


def refusals_known() -> set[str]:
    """Every code that `decide` can raise, as its modules write them."""
    found: set[str] = set()
    folder = Path(games.rules.decide.__file__).parent
    for name in ("decide", "plays", "table", "endings"):
        found |= set(re.findall(r'refuse\(\s*"(\w+)"', (folder / f"{name}.py").read_text()))
    return found


def play(number: int, ends: Counter[str], refusals: Counter[str]) -> int:
    """Play one game on both engines and return its turns."""
    name = f"{SEED}/{number}"
    dice = random.Random(name)
    duel = Duel(random_setup(dice, name, number))
    player = Player(duel, dice, random_temper(dice, number))
    try:
        for _ in range(LONGEST_GAME):
            duel.do(player.action())
            if dice.random() < 0.2:
                duel.compare_legal(dice.randrange(duel.setup.seats))
            if duel.state.outcome is not None:
                ends[duel.state.outcome.end] += 1
                break
        if duel.state.over:
            for _ in range(3):
                duel.do(player.anything())
            if dice.random() < 0.1:
                duel.do({"act": "annul"})
                duel.do({"act": "annul"})
        duel.compare_rebuilt()
    except Exception as error:
        short = shortest(duel.setup, duel.actions)
        text = f"game {name} of MODEL_SEED={SEED}: {error}\n{duel.setup}\n{pformat(short, width=108)}"
        raise AssertionError(text) from error
    refusals += duel.refusals
    return duel.state.turns


def test_engine_and_model_agree_on_every_turn_of_random_games() -> None:
    ends: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    turns = games = 0

    while turns < TURNS:
        turns += play(games, ends, refusals)
        games += 1

    if TURNS >= 20000:
        assert set(ENDS) == set(ends), f"endings of {games} games: {ends}"
        assert refusals_known() == set(refusals), refusals
