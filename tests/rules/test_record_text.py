"""Reading and writing SQN: notation by example, numbering, header, comments."""

import json
from dataclasses import replace

import pytest

from games.rules.cards import HIDDEN
from games.rules.deal import ListedDeal, SecretDeal, seal_of
from games.rules.editions import Edition, edition_from_data
from games.rules.record import NO_CARD, Record, RecordError, Result
from games.rules.recording import complete, redact
from games.rules.replay import replay
from games.rules.ruleset import make_ruleset
from games.rules.sqn_json import from_json, read, to_json
from games.rules.sqn_text import clock_text, from_text, to_text
from games.rules.state import deal_cards

HEAD = '[SQN "1"] [Ruleset "{options}"] [Seats "A=anna:blue B=bo:green"] [View "public"]\n'


def sqn(turns: str, options: str = "") -> Record:
    return from_text(HEAD.format(options=options) + turns)


def test_a_record_written_by_hand_is_read_and_written_in_its_proper_form() -> None:
    record = from_text(
        '[SQN "1"] [Event "Tuesday League"][Seats "A=anna:blue  B=bo:green"] [Cut "A:3c B:Qd"]\n'
        '[Start "B"] [View "public"]\n'
        "1B 10D@E10 {%clk 2d03h}  1A 5C@d4+? $3 (a quiet start)\n"
        "2B jh-D4 {%wp .54 .46} 2A JC*e5+0 {we shall see}"
    )

    assert to_text(record) == (
        '[SQN "1"]\n[Event "Tuesday League"]\n[Edition "classic"]\n'
        '[Ruleset "lines_to_win=2 max_shared=1 dead_swaps_per_turn=1"]\n'
        '[Seats "A=anna:blue B=bo:green"]\n[Start "B"]\n[Cut "A:3c B:Qd"]\n[View "public"]\n\n'
        "1B Td@e10 {%clk 2d03h} 1A 5c@d4+? $3 2B Jh-d4 {%wp .54 .46} 2A Jc*e5+0\n"
    )


def test_the_json_twin_says_the_same() -> None:
    record = sqn("12A ~Td+4c 9h@e7=c5g9+Ac $1 $2 {%at 2026-11-30T18:02:11Z} {%clk 2d03h} {%wp .54 .4625}")

    assert to_json(record)["turns"] == [
        {
            "n": 12,
            "seat": "A",
            "swap": [{"out": "Td", "in": "4c"}],
            "card": "9h",
            "act": "place",
            "space": "e7",
            "lines": [["c5", "g9"]],
            "draw": "Ac",
            "marks": [1, 2],
            "at": "2026-11-30T18:02:11Z",
            "clk": 183600,
            "wp": [0.54, 0.4625],
        }
    ]


@pytest.mark.parametrize(
    ("token", "keys"),
    [
        ("3A 5c@d4", {"act": "place", "card": "5c", "space": "d4"}),
        (
            "3A 5c@d4%R+Kd",
            {"act": "place", "card": "5c", "space": "d4", "draw": "Kd", "reshuffled": "before"},
        ),
        ("3A 5c@d4+?%R", {"act": "place", "card": "5c", "space": "d4", "draw": "?", "reshuffled": "after"}),
        (
            "3A 5c@d4%R+Kd%R",
            {"act": "place", "card": "5c", "space": "d4", "draw": "Kd", "reshuffled": "both"},
        ),
        ("3A 5c@d4+0#", {"act": "place", "card": "5c", "space": "d4", "draw": None, "over": True}),
        ("3A Jh-d4+?", {"act": "remove", "card": "Jh", "space": "d4", "draw": "?"}),
        (
            "3A Jc*e5=e1e5=a1e5+?",
            {"act": "place", "card": "Jc", "space": "e5", "lines": [["e1", "e5"], ["a1", "e5"]], "draw": "?"},
        ),
        ("3A ~Td", {"swap": [{"out": "Td"}]}),
        (
            "3A ~Td+4c%R ~4c+?",
            {"swap": [{"out": "Td", "in": "4c", "reshuffled": "after"}, {"out": "4c", "in": "?"}]},
        ),
        ("3A --", {"act": "pass"}),
        ("3A ~Td+? --", {"act": "pass", "swap": [{"out": "Td", "in": "?"}]}),
        ("3A draw+Ac", {"act": "draw", "draw": "Ac"}),
        ("3A draw%R+?", {"act": "draw", "draw": "?", "reshuffled": "before"}),
        ("3A draw", {"act": "draw"}),
        ("3A draw?", {"act": "offer_draw"}),
        ("3A draw!#", {"act": "accept_draw", "over": True}),
        ("3A draw-", {"act": "decline_draw"}),
        ("3A resign#", {"act": "resign", "over": True}),
        ("3A leaves", {"act": "leave"}),
        ("3A !Ts", {"act": "forfeit_card", "card": "Ts"}),
        ("3A discards Ts+Ac", {"act": "discard", "card": "Ts", "draw": "Ac"}),
        ("3A flag{forfeit_team}", {"act": "flag", "policy": "forfeit_team"}),
        ("3 talk{B}", {"act": "table_talk", "team": "green"}),
        ("3 ruling{blue}#", {"act": "ruling", "ruling": "blue", "over": True}),
        ("3 ruling{annulled}#", {"act": "ruling", "ruling": "annulled", "over": True}),
        ("3 ruling{paused}", {"act": "ruling", "ruling": "paused"}),
        ("3 sub{A=carla}", {"act": "substitute", "seat": "A", "name": "carla"}),
    ],
)
def test_each_token_has_its_keys(token: str, keys: dict[str, object]) -> None:
    record = sqn(token)
    seat = {"seat": "A"} if token.startswith("3A") else {}

    assert to_json(record)["turns"] == [{"n": 3} | seat | keys]
    assert to_text(record).rstrip().endswith("\n" + token)
    assert to_text(from_json(to_json(record))) == to_text(record)


def test_announced_lines_have_a_sign_of_their_own() -> None:
    tokens = "3A 9h@e7^c5g9+? 4B ^a1a5^e1e5"
    record = sqn(tokens, "claim=announce")

    assert [turn["act"] for turn in to_json(record)["turns"]] == ["place", "announce"]
    assert tokens in to_text(record)
    with pytest.raises(RecordError, match="marked by \\^"):
        sqn("3A 9h@e7=c5g9+?", "claim=announce")
    with pytest.raises(RecordError, match="marked by ="):
        sqn("3A 9h@e7^c5g9+?")


def test_a_bare_flag_is_a_pass_by_the_clock_and_a_talk_may_name_the_colour() -> None:
    assert "3A flag{pass} 3 talk{B}" in to_text(sqn("3A flag 3 talk{green}"))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0s"), (59, "59s"), (90, "1m30s"), (3600, "1h"), (86_460, "1d00h01m"), (183_600, "2d03h")],
)
def test_clocks_are_written_in_days_hours_minutes_and_seconds(seconds: int, text: str) -> None:
    assert clock_text(seconds) == text
    assert sqn(f"1A -- {{%clk {text}}}").turns[0].clk == seconds


# Numbers


@pytest.mark.parametrize(
    "numbers",
    ["1A 2B 3A 4B", "1A 1B 2A 2B", "1A 1B 3A 2B"],
    ids=["turns", "rounds", "mixed"],
)
def test_turns_are_numbered_by_turn_or_by_round(numbers: str) -> None:
    plays = ["5c@d4", "6h@d5", "7c@a3", "Kd@c10"]
    text = " ".join(f"{number} {play}" for number, play in zip(numbers.split(), plays, strict=True))

    assert replay(sqn(text)).state.turns == 4
    assert text in to_text(sqn(text))


@pytest.mark.parametrize("text", ["2A 5c@d4", "1A 5c@d4 3B 6h@d5", "1A 5c@d4 2B 6h@d5 1A 7c@a3"])
def test_any_other_number_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="the number is"):
        replay(sqn(text))


@pytest.mark.parametrize("number", ["1A", "2A"])
def test_a_card_drawn_by_hand_carries_the_number_of_the_turn_before_or_in_progress(number: str) -> None:
    record = sqn(f"1A 5c@d4 {number} draw+? 2B 6h@d5", "draw_mode=manual")

    assert replay(record).state.turns == 2


# The header


def test_the_seats_choose_the_number_of_teams() -> None:
    six = "A=:blue B=:green C=:red D=:blue E=:green F=:red"

    assert from_text(f'[SQN "1"][Seats "{six}"]').ruleset.teams == 3
    with pytest.raises(RecordError, match="seat C plays blue"):
        from_text('[SQN "1"][Seats "A=:blue B=:green C=:green D=:blue"]')
    with pytest.raises(RecordError, match="allowed are 2, 3, 4"):
        from_text('[SQN "1"][Seats "A=:blue B=:green C=:blue D=:green E=:blue"]')


def test_names_may_have_blanks_but_no_sign_of_the_format() -> None:
    record = from_text('[SQN "1"][Seats "A=Anna Karin:blue B=Åse:green"]')

    assert [seat.name for seat in record.seats] == ["Anna Karin", "Åse"]
    plain = to_json(record)
    plain["seats"][0]["name"] = "a:blue B=b"
    with pytest.raises(RecordError, match="a name has"):
        from_json(plain)


def test_options_that_differ_are_named_and_three_always() -> None:
    rules = "chip_limit=40,30 wild=Jc,Jd,Js,Jh anti=none stalemate=locked jacks_can_be_dead=true"

    record = sqn("", rules)

    assert record.ruleset.anti == frozenset()
    assert record.ruleset.chip_limit == (40, 30)
    assert to_json(record)["ruleset"] == {
        "lines_to_win": 2,
        "wild": ["Jc", "Jd", "Jh", "Js"],
        "anti": [],
        "chip_limit": [40, 30],
        "max_shared": 1,
        "dead_swaps_per_turn": 1,
        "jacks_can_be_dead": True,
        "stalemate": "locked",
    }
    assert to_text(from_text(to_text(record))) == to_text(record)


def test_ties_are_cut_again() -> None:
    text = '[SQN "1"][Seats "A=:blue B=:green"][Start "A"][Cut "A:Qd B:Qc | A:Kd B:3c"]'

    record = from_text(text)

    assert replay(record).state.turn == 0
    assert to_json(record)["cut"] == [{"A": "Qd", "B": "Qc"}, {"A": "Kd", "B": "3c"}]
    for wrong in (text.replace("Kd", "2d"), text.replace("A:Qd", "A:Jd"), text.replace("| A:Kd B:3c", "")):
        with pytest.raises(RecordError, match="R6"):
            replay(from_text(wrong))


def test_an_unknown_edition_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RecordError, match="there is classic"):
        from_text('[SQN "1"][Edition "letters"][Seats "A=:blue B=:green"]')


def tiny_edition() -> Edition:
    return edition_from_data(
        {
            "name": "tiny",
            "title": "Tiny",
            "layout": ["** 1 2 3", "4 5 6 7", "1 2 3 4", "5 6 7 **"],
            "codes": "1 2 3 4 5 6 7 joker thief",
            "packs": 2,
            "wild": ["joker"],
            "anti": ["thief"],
            "line_length": 3,
            "lines_to_win": {"2": 1},
            "tables": {"2": {"teams": [2], "hand_size": 2}},
            "chips_in_box": [9, 9, 9],
        }
    )


def test_nothing_is_wired_to_the_classic_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = tiny_edition()
    monkeypatch.setattr("games.rules.ruleset.load_edition", {"tiny": tiny}.__getitem__)
    deck = [
        "joker",
        "1",
        "2",
        "3",
        *["thief", "4", "4", "5", "5", "6", "6", "7", "7", "1", "2", "3", "thief", "joker"],
    ]
    rules = make_ruleset(2, 2, tiny)
    assert sorted(deck) == sorted(tiny.deck)
    text = (
        f'[SQN "1"][Edition "tiny"][Seats "A=:blue B=:green"][Deck "{" ".join(deck)}"]\n'
        "1A 2@c1 2B 3@d1 3A Joker*b1 "
    )

    record = complete(from_text(text))

    assert record.hands == tuple(map(tuple, deal_cards(rules, ListedDeal(deck), 0).hands))
    assert to_text(record).endswith("1A 2@c1+thief 2B 3@d1+4 3A joker*b1=a1c1+0#\n")
    assert record.result == Result("blue", "lines")


# What follows is checked


SECRET = bytes(range(32))


def secret_record(**changes: object) -> Record:
    """A record of three turns with the secret of the published vectors."""
    text = (
        f'[SQN "1"][Seats "A=anna:blue B=bo:green"][Seal "sha256:{seal_of(SECRET)}"][Secret "{SECRET.hex()}"]'
        '[Start "A"][Cut "A:Qd B:3c"]\n1A 6h@d5 2B 8c@c6'
    )
    return replace(from_text(text), **changes)  # type: ignore[arg-type]


def test_the_deal_of_the_published_vectors_starts_at_its_cut() -> None:
    record = complete(secret_record())

    assert record.hands is not None
    assert record.hands[0][:3] == ("Jh", "Jc", "3h")  # type: ignore[index]
    assert isinstance(record.deal, SecretDeal)


@pytest.mark.parametrize(
    ("old", "new", "token"),
    [
        ("+9d", "+8d", "+8d"),
        ("B:7s", "B:7d", "B:7d"),
        ("sha256:5c", "sha256:6c", "6ce55e"),
        ("A:Qd", "A:Kd", "cut"),
        ("6h@d5+", "6h@d5=a1a5+", "6h@d5=a1a5"),
        ("6h@d5+", "6h@d5%R+", "%R"),
        ("+", "+0", "+0"),
    ],
)
def test_what_is_said_of_the_consequences_is_never_trusted(old: str, new: str, token: str) -> None:
    text = to_text(complete(secret_record()))
    drawn = text[text.index("6h@d5+") + 6 :][:2]
    old, new, token = (part.replace("+9d", f"+{drawn}") for part in (old, new, token))
    damaged = text.replace("6h@d5" + f"+{drawn}", "6h@d5+0") if new == "+0" else text.replace(old, new, 1)
    assert damaged != text

    with pytest.raises(RecordError) as refused:
        replay(from_text(damaged))

    assert token in str(refused.value)


def test_a_result_that_was_not_reached_is_refused() -> None:
    for result in (Result("blue", "lines"), Result("draw", "")):
        with pytest.raises(RecordError, match="not over") as refused:
            replay(secret_record(result=result))
        assert refused.value.turn == "2B"
    over = from_text(to_text(secret_record()) + " 3A resign#")
    assert replay(replace(over, result=Result("green", "last_team"))).result == Result("green", "last_team")
    with pytest.raises(RecordError, match="ends with green"):
        replay(replace(over, result=Result("blue", "last_team")))
    with pytest.raises(RecordError, match="ends by last_team"):
        replay(replace(over, result=Result("green", "lines")))


def test_an_end_that_was_not_reached_is_refused() -> None:
    with pytest.raises(RecordError, match="and it is not"):
        replay(sqn("1A 5c@d4+?#"))


def test_lines_against_the_default_are_kept_when_named() -> None:
    plays = (
        "1A 2s@b1 2B 6c@a2 3A 3s@c1 4B 7c@a3 5A 5s@e1 6B 8c@a4 7A 6s@f1 8B Kc@a8 9A 7s@g1 10B Qc@a7 11A 4s@d1"
    )
    board = make_ruleset(2).board

    by_default = replay(sqn(plays))
    named = replay(sqn(plays + "=c1g1"))

    assert [board.ends(mask) for mask in by_default.state.lines[0]] == [("b1", "f1")]
    assert [board.ends(mask) for mask in named.state.lines[0]] == [("c1", "g1")]
    assert complete(sqn(plays)).turns[-1].lines == tuple(by_default.state.lines[0])
    with pytest.raises(RecordError, match="cannot be claimed") as refused:
        replay(sqn(plays + "=d1h1"))
    assert (refused.value.turn, refused.value.rule) == ("11A", "R11")


def test_a_card_cannot_show_more_often_than_the_deck_has_it() -> None:
    with pytest.raises(RecordError, match="more often") as refused:
        replay(sqn("1A Jc*d4+? 2B Jc*d5+? 3A Jc*d6+?"))
    assert refused.value.token == "Jc*d6+?"

    hands = '[SQN "1"][Seats "A=:blue B=:green"][View "seat:A"][Hands "A:5c 5c 5c Jd Jd 2c 3c B:?"]'
    with pytest.raises(RecordError, match="more often"):
        replay(from_text(hands))


def test_a_seat_cannot_play_what_its_shown_hand_does_not_hold() -> None:
    text = (
        '[SQN "1"][Seats "A=:blue B=:green"][View "seat:A"][Hands "A:5c 6c 7c Jd Jh 2c 3c B:?"]\n1A 9c@a5+Kd'
    )

    with pytest.raises(RecordError, match="not in the hand") as refused:
        replay(from_text(text))

    assert (refused.value.turn, refused.value.token, refused.value.code) == ("1A", "9c@a5+Kd", "not_in_hand")


def test_cards_that_a_record_shows_are_drawn_though_the_pile_is_hidden() -> None:
    text = (
        '[SQN "1"][Seats "A=:blue B=:green"][View "seat:A"][Hands "A:5c 6c 7c Jd Jh 2c 3c B:?"]\n'
        "1A 5c@d4+Kd 2B 6h@d5+? 3A Kd@c10+?"
    )

    hands = replay(from_text(text)).state.hands

    assert hands[0] == ["6c", "7c", "Jd", "Jh", "2c", "3c", HIDDEN]
    assert hands[1] == [HIDDEN] * 7


def test_both_forms_are_read_by_one_reader() -> None:
    record = secret_record()

    assert to_text(read("\ufeff" + to_text(record))) == to_text(record)
    assert to_text(read("\n " + json.dumps(to_json(record)))) == to_text(record)


def test_redacting_a_record_without_hands_takes_them_from_the_deal() -> None:
    shown = redact(secret_record(), "seat:A")

    assert shown.hands is not None
    assert shown.hands[0] is not None
    assert shown.hands[1] is None
    assert [turn.draw for turn in shown.turns] == [complete(secret_record()).turns[0].draw, HIDDEN]
    assert NO_CARD not in {turn.draw for turn in shown.turns}
