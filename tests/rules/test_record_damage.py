"""Damaged records: refused with the turn, the token and the reason, and never by another exception."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.record import Record, RecordError
from games.rules.replay import replay
from games.rules.sqn_json import from_json, read, to_json
from games.rules.sqn_text import to_text
from tests.rules.record_games import SETUPS, random_game

HEAD = '[SQN "1"][Seats "A=anna:blue B=bo:green"][View "public"]\n'
RECORDS = [
    random_game(number, SETUPS[number], most=60).record(view) for number, view in ((0, "full"), (6, "seat:A"))
]
TEXTS = [to_text(record) for record in RECORDS]
PLAINS = [to_json(record) for record in RECORDS]


def refused(text: str) -> RecordError:
    """Read and replay a record that must be refused."""
    with pytest.raises(RecordError) as error:
        replay(read(text))
    str(error.value).encode("utf-8")
    return error.value


@pytest.mark.parametrize(
    ("turns", "turn", "token", "reason"),
    [
        ("1A 5c@d5", "1A", "5c@d5", "belongs on b2 and d4"),
        ("1A 5x@d4", "1A", "5x@d4", "no card of the classic edition"),
        ("1A 5c@k4", "1A", "5c@k4", "spaces of this board are a1 to j10"),
        ("1A 5c@d99", "1A", "5c@d99", "spaces of this board"),
        ("1A 5c@d4 2B 5c@d4", "2B", "5c@d4", "stands on d4 already"),
        ("1A 5c@d4 3A 6h@d5", "3A", "6h@d5", "the number is 3 where turn 2 is due"),
        ("1B 5c@d4", "1B", "5c@d4", "another seat's turn"),
        ("1C 5c@d4", "1C", "5c@d4", "seats of this game are A to B"),
        ("1A 5c*d4", "1A", "5c*d4", "sign of a two-eyed jack"),
        ("1A Jh-d4", "1A", "Jh-d4", "no chip stands on d4"),
        ("1A 5c@d4=c5g9", "1A", "5c@d4=c5g9", "no line is completed"),
        ("1A 5c@d4=c5g8", "1A", "5c@d4=c5g8", "not the ends of a line"),
        ("1A 5c@d4=c5g9=g9c5", "1A", "5c@d4=c5g9=g9c5", "stands twice"),
        ("1A ~5c+Kd 5c@d4", "1A", "~5c+Kd 5c@d4", "not dead"),
        ("1A 5c@d4+0", "1A", "5c@d4+0", "a card is drawn here"),
        ("1A 5c@d4%R", "1A", "5c@d4%R", "before or after a drawn card"),
        ("1A 5c@d4%R+?", "1A", "5c@d4%R+?", "not reshuffled"),
        ("1A 5c@d4 6h@d5", "1A", "6h@d5", "one act"),
        ("1A", "1A", "1A", "nothing follows"),
        ("1 5c@d4", "1", "5c@d4", "the seat is missing"),
        ("1A draw+Kd", "1A", "draw+Kd", "no card to draw"),
        ("1A draw!", "1A", "draw!", "no draw is offered"),
        ("1A flag{explode}", "1A", "flag{explode}", "policy is one of"),
        ("1B flag{pass}", "1B", "flag{pass}", "seat on turn only"),
        ("1 talk{C}", "1", "talk{C}", "the teams of this game are blue, green"),
        ("1 ruling{red}", "1", "ruling{red}", "ruling is one of"),
        ("1 sub{C=carla}", "1", "sub{C=carla}", "seats of this game"),
        ("1A resign# 2B 5c@d4", "2B", "5c@d4", "the game is over"),
        ("1A 5c@d4 {%clk soon}", "1A", "soon", "time left"),
        ("1A 5c@d4 {%wp 1.5 .5}", "1A", "1.5", "a number from 0 to 1"),
        ("1A 5c@d4 {%wp .5}", "1A", "5c@d4", "one number a team"),
        ("1A 5c@d4 {%at yesterday}", "1A", "5c@d4", "2026-11-30T18:02:11Z"),
        ("1A 5c@d4 {%at 2026-13-30T18:02:11Z}", "1A", "5c@d4", "2026-11-30T18:02:11Z"),
        ("1A 5c@d4 {%eval 3}", "1A", "%eval", "comments of the format"),
        ("1A 5c@d4 {%clk 1s} {%clk 1s}", "1A", "%clk", "twice"),
        ("1A 5c@d4 (never closed", "1A", "(never", "cannot be read"),
        ("1A 5c@d4 ]", "1A", "]", "cannot be read"),
        ("5c@d4", "", "5c@d4", "start with a number"),
        ("1A 5\u0441@d4", "1A", "5\u0441@d4", "no token"),
        ("\u0661A 5c@d4", "", "\u0661A", "start with a number"),
        ("1A 5c@d4\x00", "1A", "5c@d4\\x00", "no token"),
    ],
)
def test_a_damaged_turn_is_named_with_its_token_and_the_reason(
    turns: str, turn: str, token: str, reason: str
) -> None:
    error = refused(HEAD + turns)

    assert error.turn == turn
    assert token in error.token or token in error.reason
    assert reason in str(error)


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("", "nothing"),
        ("hello world", "hello"),
        ('[Event "x"]', "nothing"),
        ('[SQN "2"][Seats "A=:blue B=:green"]', "2"),
        ('[SQN "1"]', "seats"),
        ('[SQN "1"][SQN "1"]', "SQN"),
        ('[SQN "1"][Seats "A=:blue B=:green"', "[Seats"),
        ('[SQN "1"][Seats "A=:blue B=:purple"]', "purple"),
        ('[SQN "1"][Seats "A=:blue C=:green"]', "C"),
        ('[SQN "1"][Seats "A=:blue B:green"]', "B:green"),
        ('[SQN "1"][Seats "A=:blue B=:blue"]', "teams"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Start "C"]', "C"),
        ('[SQN "1"][Seats "A=:blue B=:green"][View "seat:C"]', "seat:C"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Ruleset "lines=2"]', "lines"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Ruleset "lines_to_win=0"]', "lines_to_win"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Ruleset "lines_to_win"]', "lines_to_win"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Ruleset "seats=4"]', "seats"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Hands "A:5c Jd B:?"]', "A:"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Hands "A:5c 5c 6c 6c 7c ? 8c B:?"]', "?"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Hands "5c A:Jd"]', "5c"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Cut "A:5c"]', "cut"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Cut "A:5c 6c B:Kd"]', "A:5c 6c"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Seal "md5:00"]', "md5:00"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Secret "00"]', "00"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Nonces "00"]', "nonces"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Deck "Kd 5s"]', "deck"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Result "purple"]', "purple"),
        ('[SQN "1"][Seats "A=:blue B=:green"][End "lines"]', "End"),
        ('[SQN "1"][Seats "A=:blue B=:green"][Event "a\x07b"]', "Event"),
        ("{", "JSON"),
        ("{}", "None"),
        ("{'sqn': 1}", "JSON"),
        ('{"sqn": NaN}', "NaN"),
        ('{"sqn": 1, "sqn": 1}', "sqn"),
        ('{"sqn": 1, "games": []}', "games"),
        ('{"sqn": true}', "True"),
        ('{"sqn": ' + "[" * 100_000, "JSON"),
        ('{"sqn": ' + "9" * 10_000 + "}", "JSON"),
        ("x" * 1_000_001, "record"),
        ("{" + " " * 1_000_001, "record"),
    ],
)
def test_a_damaged_header_is_named(text: str, token: str) -> None:
    error = refused(text)

    assert error.turn == ""
    assert token in error.token


WEIRD: tuple[Any, ...] = (
    None, True, False, -1, 0, 10**400, 1.5, math.nan, math.inf, "", "?", "\x00", "\ud800", "Ж", "a" * 5000,
    [], {}, [[]], [None], {"a": 1}, ["?"], "A", 12,
)  # fmt: skip


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to every value inside `node`."""
    found = [path] if path else []
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        found += places(child, (*path, key))
    return found


@given(st.sampled_from(PLAINS), st.randoms(use_true_random=False), st.sampled_from(WEIRD))
@settings(max_examples=400, deadline=None)
def test_a_json_record_with_anything_anywhere_is_read_or_refused(plain: Any, lot: Any, weird: Any) -> None:
    copy = json.loads(json.dumps(plain))
    *path, last = lot.choice(places(copy))
    node = copy
    for key in path:
        node = node[key]
    if lot.random() < 0.2:
        del node[last]
    else:
        node[last] = weird

    read_or_refuse(lambda: from_json(copy))


@given(st.sampled_from(TEXTS), st.integers(0, 4000), st.integers(0, 30), st.text(max_size=6))
@settings(max_examples=400, deadline=None)
def test_a_text_with_a_damaged_piece_is_read_or_refused(
    text: str, place: int, length: int, more: str
) -> None:
    place %= len(text)

    read_or_refuse(lambda: read(text[:place] + more + text[place + length :]))


@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_a_text_with_words_exchanged_is_read_or_refused(text: str, lot: Any) -> None:
    words = text.split(" ")
    for _ in range(2):
        words[lot.randrange(len(words))] = lot.choice(words)

    read_or_refuse(lambda: read(" ".join(words)))


@given(st.one_of(st.text(), st.binary().map(lambda data: data.decode("latin-1")), st.text().map("{".__add__)))
@settings(max_examples=200, deadline=None)
def test_garbage_is_refused(text: str) -> None:
    read_or_refuse(lambda: read(text))


@given(
    st.recursive(
        st.sampled_from(WEIRD[:15]), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
@settings(max_examples=100, deadline=None)
def test_any_object_that_is_no_record_is_refused(data: Any) -> None:
    with pytest.raises(RecordError):
        from_json(data)


def test_values_nested_beyond_any_depth_are_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for key in ("tags", "ruleset", "seats", "cut", "hands", "deal", "turns", "result", "sqn", "start"):
        with pytest.raises(RecordError):
            from_json(PLAINS[0] | {key: deep})
        with pytest.raises(RecordError):
            from_json(PLAINS[0] | {key: {"A": deep}})
    with pytest.raises(RecordError):
        from_json(PLAINS[0] | {"ruleset": {"lines_to_win": deep}})


def read_or_refuse(reading: Any) -> None:
    """Read and replay; what is read must be written in both forms alike, and only RecordError may come."""
    try:
        record: Record = reading()
    except RecordError as error:
        str(error).encode("utf-8")
        return
    text = to_text(record)
    assert to_text(read(text)) == text
    assert to_text(from_json(json.loads(json.dumps(to_json(record))))) == text
    try:
        replay(record)
    except RecordError as error:
        str(error).encode("utf-8")
