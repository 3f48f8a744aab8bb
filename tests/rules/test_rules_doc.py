"""docs/rules.md says all that the engine does: every option, value, end and refusal."""

import re
from pathlib import Path

import games.rules
from games.rules.actions import EXPIRY_POLICIES
from games.rules.editions import KEYS, load_edition
from games.rules.events import ENDS
from games.rules.refusal import CODES_OF_THE_MOMENT
from games.rules.ruleset import CHOICES, OPTION_NAMES, make_ruleset

FOLDER = Path(games.rules.__file__).parent
TEXT = (FOLDER.parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")


def table(heading: str) -> dict[str, list[str]]:
    """The rows of the table below a heading, by each code in their first column."""
    part = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [
        [field.strip() for field in line.strip("|").split("|")] for line in part.splitlines() if "|" in line
    ]
    return {code: row for row in rows for code in re.findall(r"`(\w+)`", row[0])}


def raised() -> dict[str, set[str]]:
    """Every code with the rules that the engine's modules give it."""
    found: dict[str, set[str]] = {}
    for path in FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for code, rule in re.findall(r'\b(?:refuse|BadOption)\(\s*"(\w+)",\s*(?:"(R\d+)"|\w+)', text):
            found.setdefault(code, set()).add(rule)
    return found


def test_every_rule_is_there_in_order() -> None:
    assert [int(number) for number in re.findall(r"^\*\*R(\d+) ", TEXT, re.MULTILINE)] == list(range(1, 24))


def test_every_refusal_is_listed_with_its_rules_and_no_other() -> None:
    refusals = table("Refusals")
    codes = raised()

    assert {"must_play", "bad_option", "bad_player_count", "not_active"} <= set(codes)
    assert set(refusals) == {*codes, "not_started"}
    for code, rules in codes.items():
        if code != "bad_option":
            assert rules - {""} <= {*re.findall(r"R\d+", refusals[code][2])} | {"R22"}, code


def test_refusals_of_the_moment_have_status_409_and_all_others_422() -> None:
    assert {code for code, row in table("Refusals").items() if row[1] == "409"} == set(CODES_OF_THE_MOMENT)
    assert {row[1] for row in table("Refusals").values()} == {"409", "422"}


def test_every_option_is_listed_with_its_values_and_its_default_first() -> None:
    options = table("Options")

    assert set(options) == {"edition", "teams", *OPTION_NAMES}
    for name, (rule, words) in CHOICES.items():
        assert re.findall(r"`(\w+)`", options[name][1])[: len(words)] == list(words)
        assert rule in options[name][2]


def test_every_end_is_listed() -> None:
    assert set(table("Ends")) == set(ENDS)


def test_every_key_of_an_edition_is_listed() -> None:
    assert set(table("Editions")) == set(KEYS)


def test_every_expiry_policy_is_explained() -> None:
    rule = TEXT.split("**R22 Time.**")[1].split("**R23")[0]

    for policy in EXPIRY_POLICIES:
        assert f"`{policy}`:" in rule


def test_the_board_of_the_doc_is_the_board_of_the_engine() -> None:
    rows = re.findall(r"^ ?\d+   ((?:\S\S ?){10})$", TEXT, re.MULTILINE)
    edition = load_edition("classic")

    codes = [code for row in rows for code in row.split()]
    assert codes == ["**" if card is None else card.upper() for card in edition.printed]


def test_the_numbers_of_the_doc_are_those_of_the_engine() -> None:
    options = make_ruleset(2).options()

    for name in ("max_shared", "hand_floor", "dead_swaps_per_turn", "line_length"):
        assert table("Options")[name][1].startswith(str(options[name]))
