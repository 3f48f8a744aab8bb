"""Rulesets: seats and teams, every option with good and bad values, what differs from the default."""

from typing import Any

import pytest

from games.rules.editions import edition_from_data
from games.rules.ruleset import CHOICES, OPTION_NAMES, SWITCHES, BadOption, Ruleset, make_ruleset
from tests.rules.invented import INVENTED


def refusal(*table: Any, **options: Any) -> BadOption:
    with pytest.raises(BadOption) as refused:
        make_ruleset(*table, **options)
    return refused.value


# Seats and teams (R4, R5, R7)


@pytest.mark.parametrize(
    ("seats", "teams", "hand_size", "lines_to_win"),
    [
        (2, 2, 7, 2),
        (3, 3, 6, 1),
        (4, 2, 6, 2),
        (6, 2, 5, 2),
        (6, 3, 5, 1),
        (8, 2, 4, 2),
        (9, 3, 4, 1),
        (10, 2, 3, 2),
        (12, 2, 3, 2),
        (12, 3, 3, 1),
    ],
)
def test_each_table_has_its_hand_and_its_number_of_lines(
    seats: int, teams: int, hand_size: int, lines_to_win: int
) -> None:
    rules = make_ruleset(seats, teams)

    assert (rules.hand_size, rules.lines_to_win) == (hand_size, lines_to_win)
    assert rules.team_of == tuple(seat % teams for seat in range(seats))
    assert [rules.team_of.count(team) for team in range(teams)] == [seats // teams] * teams
    assert rules.team_names == ("blue", "green", "red")[:teams]


@pytest.mark.parametrize("seats", [2, 3, 4, 8, 9, 10])
def test_most_tables_need_not_be_told_their_teams(seats: int) -> None:
    assert make_ruleset(seats).teams == (3 if seats in (3, 9) else 2)


@pytest.mark.parametrize("seats", [0, 1, 5, 7, 11, 13, 14, -2, True, None, "2", 2.0])
def test_other_numbers_of_seats_are_refused_with_the_allowed_ones(seats: Any) -> None:
    bad = refusal(seats)

    assert (bad.code, bad.rule, bad.option) == ("bad_player_count", "R4", "seats")
    assert "2, 3, 4, 6, 8, 9, 10, 12" in bad.detail


@pytest.mark.parametrize("seats", [6, 12])
def test_six_and_twelve_seats_must_choose_their_teams(seats: int) -> None:
    bad = refusal(seats)

    assert (bad.code, bad.rule, bad.option) == ("bad_team_count", "R4", "teams")
    assert "2 or 3" in bad.detail


@pytest.mark.parametrize(
    ("seats", "teams", "allowed"),
    [
        (2, 3, "2"),
        (3, 2, "3"),
        (4, 3, "2"),
        (6, 4, "2 or 3"),
        (9, 2, "3"),
        (8, "2", "2"),
        (4, True, "2"),
        (2, 2.0, "2"),
    ],
)
def test_other_numbers_of_teams_are_refused_with_the_allowed_ones(
    seats: int, teams: Any, allowed: str
) -> None:
    bad = refusal(seats, teams)

    assert (bad.code, bad.rule, bad.option) == ("bad_team_count", "R4", "teams")
    assert f"play in {allowed} teams" in bad.detail


# Options one by one

WHOLE = {
    "hand_size": ("R5", 1, 51),
    "lines_to_win": ("R7", 1, 20),
    "line_length": ("R9", 2, 10),
    "max_shared": ("R10", 0, 4),
    "collinear_shared": ("R10", 0, 4),
    "dead_swaps_per_turn": ("R13", 0, 104),
    "idle_rounds": ("R15", 1, 100),
    "hand_floor": ("R17", 0, 20),
}
WORDS = {"collinear_shared": "none", "dead_swaps_per_turn": "unlimited", "idle_rounds": "none"}


@pytest.mark.parametrize("name", WHOLE)
def test_a_number_is_taken_between_its_bounds_and_as_text(name: str) -> None:
    _, least, most = WHOLE[name]

    for value in (least, most):
        assert getattr(make_ruleset(2, **{name: value}), name) == value
        assert getattr(make_ruleset(2, **{name: str(value)}), name) == value


@pytest.mark.parametrize("name", WHOLE)
def test_a_number_outside_its_bounds_or_of_another_kind_is_refused(name: str) -> None:
    rule, least, most = WHOLE[name]

    for value in (least - 1, most + 1, True, 1.0, "", "one", "-1", "1.0", "٣", "9" * 400, [1], {}):
        bad = refusal(2, **{name: value})
        assert (bad.code, bad.rule, bad.option) == ("bad_option", rule, name)
        assert f"from {least} to {most}" in bad.detail


@pytest.mark.parametrize("name", WORDS)
def test_a_number_that_may_be_absent_has_a_word_for_it(name: str) -> None:
    for value in (WORDS[name], None):
        assert getattr(make_ruleset(2, **{name: value}), name) is None
    assert WORDS[name] in refusal(2, **{name: "never"}).detail


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_is_one_of_its_words_and_the_first_is_the_default(name: str) -> None:
    rule, words = CHOICES[name]

    assert getattr(make_ruleset(2), name) == words[0]
    for word in words:
        assert getattr(make_ruleset(2, **{name: word}), name) == word
    for value in ("", words[0].upper(), f" {words[0]}", None, True, 1, [words[0]]):
        bad = refusal(2, **{name: value})
        assert (bad.code, bad.rule, bad.option) == ("bad_option", rule, name)
        assert ", ".join(words) in bad.detail


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_true_or_false_in_json_or_as_text(name: str) -> None:
    rule, default = SWITCHES[name]

    assert getattr(make_ruleset(2), name) is default
    for value, meant in ((True, True), (False, False), ("true", True), ("false", False)):
        assert getattr(make_ruleset(2, **{name: value}), name) is meant
    for value in (0, 1, None, "yes", "True", []):
        bad = refusal(2, **{name: value})
        assert (bad.code, bad.rule, bad.option) == ("bad_option", rule, name)


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("none", None),
        (None, None),
        ("box", (50, 50, 35)),
        ([9, 8, 7], (9, 8, 7)),
        ((9, 8, 7), (9, 8, 7)),
        ("9,8,7", (9, 8, 7)),
        ("50/50/35", (50, 50, 35)),
    ],
)
def test_a_chip_limit_is_none_the_box_or_a_number_for_each_team(value: Any, meant: Any) -> None:
    assert make_ruleset(3, chip_limit=value).chip_limit == meant


@pytest.mark.parametrize(
    "value", [50, [50, 50], "50/50", [50, 50, 0], [50, 50, True], "boxes", [50, 50, "x"], {}]
)
def test_another_chip_limit_is_refused(value: Any) -> None:
    bad = refusal(3, chip_limit=value)

    assert (bad.code, bad.rule, bad.option) == ("bad_option", "R3", "chip_limit")


def test_the_box_has_two_colours_for_two_teams() -> None:
    assert make_ruleset(2, chip_limit="box").chip_limit == (50, 50)


@pytest.mark.parametrize("wild", [["Js", "Jh"], "js,JH", ("Js", "Jh")])
def test_jacks_may_change_their_parts(wild: Any) -> None:
    rules = make_ruleset(2, wild=wild, anti=["Jc", "Jd"])

    assert rules.wild == {"Js", "Jh"}
    assert rules.anti == {"Jc", "Jd"}


def test_all_jacks_may_be_wild() -> None:
    rules = make_ruleset(2, wild=["Jc", "Jd", "Js", "Jh"], anti=[])

    assert rules.anti == frozenset()


@pytest.mark.parametrize(
    "options",
    [
        {"wild": ["Jc"]},
        {"wild": ["Jc", "Jd", "Js"]},
        {"wild": ["Jc", "Jd", "Ts"]},
        {"wild": ["Jc", "Jx"]},
        {"wild": "JcJd"},
        {"wild": 3},
        {"wild": None},
        {"wild": [["Jc"], ["Jd"]]},
        {"anti": []},
        {"anti": ["Js", "Jh", "2c"]},
    ],
    ids=str,
)
def test_wild_and_anti_must_part_the_jacks_between_them(options: dict[str, Any]) -> None:
    bad = refusal(2, **options)

    assert (bad.code, bad.rule) == ("bad_option", "R2")
    assert bad.option in ("wild", "anti")


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    bad = refusal(2, colour="red")

    assert (bad.code, bad.rule, bad.option) == ("bad_option", "R20", "colour")
    for name in OPTION_NAMES:
        assert name in bad.detail


@pytest.mark.parametrize("edition", ["dice", "", "../classic"])
def test_an_unknown_edition_is_refused(edition: str) -> None:
    bad = refusal(2, edition=edition)

    assert (bad.code, bad.rule, bad.option) == ("bad_option", "R1", "edition")


def test_no_hand_is_dealt_that_leaves_no_pile() -> None:
    assert make_ruleset(12, 2, hand_size=8).hand_size == 8
    assert "from 1 to 8" in refusal(12, 2, hand_size=9).detail


# What differs from the default (R20)


def test_a_game_without_options_is_the_default_game() -> None:
    rules = make_ruleset(4)

    assert rules.is_default
    assert rules.changed == {}


def test_options_at_their_defaults_change_nothing() -> None:
    rules = make_ruleset(2)

    again = make_ruleset(2, **rules.options())

    assert again.is_default
    assert again.options() == rules.options()


def test_what_differs_is_kept_as_plain_data() -> None:
    rules = make_ruleset(
        3,
        lines_to_win="2",
        dead_swaps_per_turn=None,
        chip_limit="box",
        anti="Jh,Js",
        idle_rounds=2,
        hand_size=6,
    )

    assert rules.changed == {
        "lines_to_win": 2,
        "dead_swaps_per_turn": "unlimited",
        "chip_limit": [50, 50, 35],
        "idle_rounds": 2,
    }
    assert not rules.is_default


def test_an_edition_brings_defaults_of_its_own() -> None:
    rules = make_ruleset(2, edition=edition_from_data(INVENTED), dead_swaps_per_turn=1)

    assert rules.changed == {"dead_swaps_per_turn": 1}
    assert rules.line_length == 4
    assert not make_ruleset(2, edition=edition_from_data(INVENTED)).is_default


OTHER: dict[str, Any] = {
    **{name: words[-1] for name, (_, words) in CHOICES.items()},
    **{name: not default for name, (_, default) in SWITCHES.items()},
    "hand_size": 3,
    "lines_to_win": 4,
    "line_length": 4,
    "wild": ["Jd", "Js"],
    "anti": ["Jc", "Jh"],
    "chip_limit": [40, 30],
    "max_shared": 2,
    "collinear_shared": 0,
    "dead_swaps_per_turn": "unlimited",
    "idle_rounds": 3,
    "hand_floor": 2,
}


def as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def values_of(rules: Ruleset) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in OPTION_NAMES}


@pytest.mark.parametrize("name", OPTION_NAMES)
def test_every_option_goes_out_and_comes_back(name: str) -> None:
    pair = {"wild": ("wild", "anti"), "anti": ("wild", "anti")}.get(name, (name,))
    rules = make_ruleset(2, **{option: OTHER[option] for option in pair})

    assert set(rules.changed) == set(pair)
    assert rules.options()[name] == OTHER[name]
    assert values_of(make_ruleset(2, **rules.options())) == values_of(rules)
    assert values_of(make_ruleset(2, **rules.changed)) == values_of(rules)
    as_words = {option: as_text(value) for option, value in rules.changed.items()}
    assert values_of(make_ruleset(2, **as_words)) == values_of(rules)


def test_all_options_together_go_out_and_come_back() -> None:
    rules = make_ruleset(2, **OTHER)

    assert set(OTHER) == set(OPTION_NAMES)
    assert rules.changed == OTHER
    assert values_of(make_ruleset(2, **rules.options())) == values_of(rules)
