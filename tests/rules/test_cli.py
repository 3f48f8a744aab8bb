"""The command `python -m games.rules`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.rules.__main__ import main
from games.rules.ascii import board_lines, card_text
from games.rules.recording import redact
from games.rules.ruleset import make_ruleset
from games.rules.sqn_json import to_json
from games.rules.sqn_text import to_text
from games.rules.state import State
from tests.rules.record_games import SETUPS, Game, random_game

ROOT = Path(__file__).parents[2]
GAME = random_game(0, SETUPS[0], trouble=0)
RECORD = GAME.record(clocks={})
KEYS = {
    "turn", "seat_on_turn", "chips", "locked", "lines", "hands", "draw_pile", "discards", "over", "winner",
}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.sqn"
    path.write_text(to_text(RECORD), encoding="utf-8")
    return path


def shown(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def summary(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    out = shown(capsys, *arguments, "--json")
    assert out.count("\n") == 1
    told: dict[str, Any] = json.loads(out)
    assert set(told) == KEYS
    return told


def status(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    assert code == 0 or not captured.out
    return code, captured.err


def test_the_final_state_is_one_json_object(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = summary(capsys, file)

    state, board = GAME.state, GAME.rules.board
    assert told["turn"] == state.turns == 44
    assert (told["seat_on_turn"], told["over"], told["winner"]) == (None, True, "green")
    assert told["chips"]["blue"] == [board.names[space] for space in board.spaces_in(state.chips[0])]
    assert sorted(told["locked"]["green"]) == sorted(["j2", "j3", "j4", "j5", "e6", "d7", "c8", "b9"])
    assert told["lines"] == [
        {"team": "green", "spaces": ["j1", "j2", "j3", "j4", "j5"]},
        {"team": "green", "spaces": ["e6", "d7", "c8", "b9", "a10"]},
    ]
    assert told["hands"] == {"A": state.hands[0], "B": state.hands[1]}
    assert (told["draw_pile"], told["discards"]) == (47, 44)
    assert sum(map(len, told["hands"].values())) + told["draw_pile"] + told["discards"] == 104


def test_turn_0_is_the_deal_and_each_turn_can_be_shown(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dealt = summary(capsys, file, "--turn", 0)
    third = summary(capsys, file, "--turn", 3)

    assert (dealt["turn"], dealt["seat_on_turn"], dealt["draw_pile"]) == (0, "A", 90)
    assert dealt["chips"] == {"blue": [], "green": []}
    assert tuple(dealt["hands"]["A"]) == RECORD.hands[0]  # type: ignore[index]
    assert (third["turn"], third["seat_on_turn"], third["discards"], third["over"]) == (3, "B", 3, False)
    assert third["winner"] is None


def test_a_turn_that_the_record_does_not_have_is_wrong_usage(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, error = status(capsys, file, "--turn", 45)

    assert code == 2
    assert "the record has 44 turns" in error


def test_a_view_hides_the_hands_that_it_may_not_see(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full, public = summary(capsys, file, "--turn", 9), summary(capsys, file, "--turn", 9, "--view", "public")
    seat = summary(capsys, file, "--turn", 9, "--view", "seat:B")

    assert public["hands"] == {"A": ["?"] * 7, "B": ["?"] * 7}
    assert seat["hands"] == {"A": ["?"] * 7, "B": full["hands"]["B"]}
    assert {key: public[key] for key in KEYS - {"hands"}} == {key: full[key] for key in KEYS - {"hands"}}


@pytest.mark.parametrize("view", ["public", "seat:A"])
def test_a_redacted_record_shows_what_it_knows(
    view: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    path = tmp_path / "less.json"
    path.write_text(json.dumps(to_json(redact(RECORD, view))))

    for wish in ([], ["--view", "full"], ["--view", view]):
        assert summary(capsys, path, *wish) == summary(capsys, file, "--view", view)


def test_the_drawing_has_at_most_63_columns_and_tells_the_game(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(capsys, file).splitlines()

    assert max(map(len, lines)) <= 63
    assert lines[0] == "Turn 44: green has won (lines)"
    assert lines[4].startswith(" 2 6♣    5♣")
    assert lines[12].startswith("10 **    A♦    K♦(B) Q♦    10♦(B)9♦")
    assert "10♥(A)10♠[B]" in lines[4]
    assert "Lines of green: j1-j5, e6-a10" in lines
    assert "Hand of B player-b (green): 3♦ 5♣ 6♠ 6♦ 8♣ 2♦" in lines
    assert "Draw pile 47, discards 44" in lines


@pytest.mark.parametrize(
    "game", [random_game(n, setup) for n, setup in enumerate(SETUPS)], ids=range(len(SETUPS))
)
def test_every_game_can_be_drawn(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.sqn"
    path.write_text(to_text(game.record()), encoding="utf-8")

    lines = shown(capsys, path).splitlines()

    assert max(len(line) for line in lines[:14]) <= 63
    told = summary(capsys, path)
    assert told["turn"] == game.state.turns
    assert told["over"] is (game.state.outcome is not None)


def test_a_full_board_stays_within_63_columns() -> None:
    state = State(make_ruleset(3))
    playable = state.board.playable_mask
    state.chips = [playable & (1 << 30) - 1, playable & ~((1 << 30) - 1), 0]
    state.locked[1] = playable & ~((1 << 60) - 1)

    lines = board_lines(state)

    assert {len(line) for line in lines[2:-1]} <= {61, 62, 63}
    assert len(lines) == 11
    assert card_text("Td") == "10♦"


@pytest.mark.parametrize(
    ("old", "new", "turn", "token"),
    [
        ("19A 8s@h1", "19A 8s@c1", "19A", "8s@c1"),
        ("5A 5c@d4+9h", "5A 5c@d4+9c", "5A", "5c@d4+9c"),
        ("6B Ac", "7B Ac", "7B", "Ac@f8"),
        ("6B Ac@f8", "6B Ax@f8", "6B", "Ax@f8"),
        ('Result "green"', 'Result "blue"', "44B", "blue"),
    ],
)
def test_an_illegal_or_damaged_record_exits_with_1_and_the_turn_the_token_and_the_reason(
    old: str, new: str, turn: str, token: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = to_text(RECORD)
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")

    code, error = status(capsys, file)

    assert code == 1
    assert f"turn {turn}, " in error
    assert token in error
    assert status(capsys, file, "--turn", 1, "--json") == (1, error)


def test_bytes_that_are_no_utf_8_are_a_damaged_record(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b'[SQN "1"]\xff')

    code, error = status(capsys, file)

    assert code == 1
    assert "ff: byte 9 is no UTF-8" in error


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-file"],
        ["."],
        ["a\0b"],
        ["FILE", "--turn", "-1"],
        ["FILE", "--turn", "x"],
        ["FILE", "--turn", "٣"],
        ["FILE", "--turn", "9" * 5000],
        ["FILE", "--view", "all"],
        ["FILE", "--view", "seat:"],
        ["FILE", "--view", "seat:C"],
        ["FILE", "--view", "seat:AB"],
        ["FILE", "more"],
        ["FILE", "--unknown"],
    ],
)
def test_wrong_usage_exits_with_2(
    arguments: list[str], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, error = status(capsys, *[str(file) if argument == "FILE" else argument for argument in arguments])

    assert code == 2
    assert "usage: python -m games.rules" in error


def test_the_command_reads_standard_input_without_django_in_any_locale(file: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "games.rules", "-"],
        input=file.read_bytes(),
        capture_output=True,
        cwd=ROOT,
        env={"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"},
        check=False,
    )

    assert run.returncode == 0, run.stderr
    assert "10♦(B)" in run.stdout.decode()
    loaded = "import sys, games.rules.__main__; print('django' in sys.modules)"
    check = subprocess.run([sys.executable, "-c", loaded], capture_output=True, cwd=ROOT, check=True)
    assert check.stdout == b"False\n"


def test_a_damaged_record_on_standard_input_exits_with_1() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "games.rules", "-"],
        input=b"{" + bytes(range(256)),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )

    assert run.returncode == 1
    assert b"Traceback" not in run.stderr
