"""The docs say what the code does: every event, every link, the hash chain, the words of the house."""

import ast
import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from games.play import log
from games.play.catalogue import ALL_EVENTS, GAME_PROPOSED, RECORD_IMPORTED, TABLE_EVENTS
from games.play.folding import ruleset_of
from games.play.models import Game
from games.play.services.importing import import_record
from games.play.services.proposing import leave_seat, propose_game, take_seat, withdraw_proposal
from games.play.services.upkeep import verify_game
from games.rules.actions import EXPIRY_POLICIES
from games.rules.encoding import EVENT_TYPES, body_of, event_from
from games.rules.events import ENDS
from games.rules.ruleset import OPTION_NAMES
from games.rules.sqn_json import from_json
from tests.api.builders import address, client_of
from tests.builders import NOW, make_club, make_member, make_user
from tests.conftest import PROJECT
from tests.faults.dying_server import POINTS
from tests.play.builders import make_game, play_to_the_end

DOCS = PROJECT / "docs"
PAGES = sorted([*PROJECT.glob("*.md"), *DOCS.rglob("*.md")])
EVENTS = (DOCS / "events.md").read_text(encoding="utf-8")
DECISIONS = sorted((DOCS / "adr").glob("*.md"))

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
EVENT = re.compile(
    r"^### (?P<name>\w+)\n(?P<text>.*?)^Fields: (?P<fields>.*?)\n```json\n(?P<body>.*?)\n```", re.M | re.S
)
CODE = re.compile(r"^```.*?^```|^ {4}.*?$|`[^`\n]+`|\"[^\"\n]*\"", re.M | re.S)

NEVER = {
    r"\b(a|the|his|her|one's|every|each|next|last|legal|illegal) moves?\b": "turn",
    r"\bseed(s|ed)?\b": "secret",
    r"\bcells?\b": "space",
    r"\bsquares?\b": "space",
    r"\bpieces?\b": "chip",
    r"\bplay(ing)? tokens?\b": "chip",
    r"\badmin(s|istrators?)?\b": "organiser",
    r"\banti-wild\b": "one-eyed jack",
    r"\baction log\b": "event log",
    r"\bfixtures?\b(?= for)": "record or builder",
}
PRODUCT = ("games", "analytics", "sequence_site")
MOST_LINES = 400


def name_of(page: Path) -> str:
    return str(page.relative_to(PROJECT))


def documented() -> dict[str, "re.Match[str]"]:
    return {found["name"]: found for found in EVENT.finditer(EVENTS)}


def fields_of(entry: "re.Match[str]") -> list[str]:
    return re.findall(r"`(\w+)`", entry["fields"])


def test_every_event_has_its_entry_and_no_other_has() -> None:
    headings = re.findall(r"^### (\w+)$", EVENTS, re.M)

    assert sorted(headings) == sorted(ALL_EVENTS)
    assert list(documented()) == headings, "an entry lacks its fields or its example"


def test_the_fields_of_every_event_of_the_rules_are_those_of_the_code() -> None:
    for name, event_type in EVENT_TYPES.items():
        assert fields_of(documented()[name]) == [field.name for field in fields(event_type)], name


def test_every_example_is_the_canonical_body_of_an_event() -> None:
    entries = documented()
    rules = ruleset_of(entries[GAME_PROPOSED]["body"])
    for name, entry in entries.items():
        body = json.loads(entry["body"])

        assert entry["body"] == log.canonical(body), name
        assert set(body) <= set(fields_of(entry)), name
        if name in EVENT_TYPES:
            assert body_of(rules, event_from(rules, name, body)) == body, name
        elif "options" in body:
            assert ruleset_of(entry["body"]).options().keys() == body["options"].keys() == set(OPTION_NAMES)


def test_the_words_of_ends_and_policies_are_explained() -> None:
    entries = documented()

    ends, policies = entries["GameEnded"]["text"], entries["TurnExpired"]["text"]

    assert [end for end in ENDS if f"`{end}`" not in ends] == ["annulled"]  # GameAnnulled says so itself
    assert [policy for policy in EXPIRY_POLICIES if f"`{policy}`" not in policies] == []


def whole_games() -> list[Game]:
    """Return games that between them hold every event of the table."""
    organiser = make_user()
    club = make_club(organiser=organiser)
    other = make_member(club).user
    left = propose_game(proposer=organiser, club=club, seats=3, now=NOW, nonce="00ff")
    take_seat(member=other, game_id=left.pk, now=NOW)
    leave_seat(member=other, game_id=left.pk, now=NOW)
    withdraw_proposal(member=organiser, game_id=left.pk, now=NOW)
    seats = [{"seat": "A", "name": "ann", "team": "blue"}, {"seat": "B", "name": "bob", "team": "green"}]
    record = from_json({"sqn": 1, "tags": {"Edition": "classic"}, "ruleset": {}, "seats": seats})
    return [
        left,
        import_record(member=organiser, club=club, record=record, now=NOW),
        play_to_the_end(make_game(2)),
    ]


@pytest.mark.django_db
def test_real_games_store_no_field_that_is_not_documented() -> None:
    entries = documented()
    games = whole_games()

    rows = list(log.Event.objects.filter(game__in=games))

    assert {row.type for row in rows} >= set(TABLE_EVENTS)
    for row in rows:
        assert set(json.loads(row.body)) <= set(fields_of(entries[row.type])), row.type
    firsts = [row for row in rows if row.type in (GAME_PROPOSED, RECORD_IMPORTED)]
    assert len(firsts) == len(games)


@pytest.fixture
def head_of() -> Any:
    """Return the function that the page gives to its readers."""
    (code,) = re.findall(r"^```python\n(.*?)^```", EVENTS, re.M | re.S)
    names: dict[str, Any] = {}
    exec(code, names)
    return names["head_of"]


@pytest.mark.django_db
def test_the_pages_own_check_of_the_chain_holds_for_real_games(head_of: Any) -> None:
    for game in whole_games():
        game.refresh_from_db()
        client = client_of(game.club.memberships.earliest("pk").user)
        shown = client.get(address(game)).json()
        events: list[dict[str, Any]] = []
        while len(events) < shown["version"]:
            answer = client.get(address(game, "events"), {"after": len(events), "limit": 200})
            events += answer.json()["results"]

        assert head_of(shown["uuid"], events) == shown["head_hash"]


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["body", "recorded_at", "actor", "seat", "type"])
def test_the_pages_own_check_finds_what_was_changed(what: str, head_of: Any) -> None:
    game = make_game(2)
    client = client_of(game.places.get(number=0).member)
    events = client.get(address(game, "events")).json()["results"]
    others = {
        "body": {},
        "recorded_at": "2026-11-30T18:00:00.000001Z",
        "actor": None,
        "seat": "C",
        "type": "X",
    }

    events[2][what] = others[what]

    with pytest.raises(ValueError, match="event 3"):
        head_of(str(game.uuid), events)


@pytest.mark.django_db
def test_a_game_still_verifies_when_a_member_was_erased() -> None:
    game = play_to_the_end(make_game(2))
    member = game.places.get(number=1).member
    assert member is not None

    member.delete()

    assert game.places.get(number=1).member is None
    assert verify_game(game.pk) == []


def test_the_architecture_names_every_point_at_which_a_turn_can_die() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| ([a-z ]+) \| (?:nothing|the whole turn) \|$", page, re.M) == list(POINTS)


@pytest.mark.parametrize("source", PAGES, ids=name_of)
def test_every_relative_link_leads_somewhere(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    broken = []
    for target in LINK.findall(text):
        path, _, anchor = target.partition("#")
        if "://" in path or path.startswith("mailto:"):
            continue
        found = (source.parent / path).resolve() if path else source
        if not found.exists() or (anchor and anchor not in anchors(found)):
            broken.append(target)

    assert broken == []


def anchors(page: Path) -> set[str]:
    """Return what a `#` can name in a page: its headings as forges write them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("source", PAGES, ids=name_of)
def test_every_path_that_a_page_names_exists(source: Path) -> None:
    named = re.findall(
        r"`((?:games|analytics|sequence_site|tests|docs)/[\w/.-]+)`", source.read_text(encoding="utf-8")
    )

    assert [path for path in named if not (PROJECT / path).exists()] == []


@pytest.mark.parametrize("source", DECISIONS, ids=name_of)
def test_every_decision_says_why_what_and_at_which_cost(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    number = int(source.name[:4])

    assert text.startswith(f"# {number}. ")
    assert re.findall(r"^## (.*)$", text, re.M) == ["Context", "Choice", "Cost"]


def test_decisions_are_numbered_without_gaps_and_those_that_code_names_exist() -> None:
    numbers = [int(page.name[:4]) for page in DECISIONS]
    code = "".join(path.read_text(encoding="utf-8") for path in product_modules())
    named = {int(number) for number in re.findall(r"\bADR (\d+)", code)}

    assert numbers == list(range(1, len(numbers) + 1))
    assert named
    assert named <= set(numbers)


@pytest.mark.parametrize("source", PAGES, ids=name_of)
def test_the_docs_use_the_words_of_the_house(source: Path) -> None:
    prose = CODE.sub("", source.read_text(encoding="utf-8"))

    wrong = [
        f"{found[0]!r}: say {word}"
        for never, word in NEVER.items()
        for found in re.finditer(never, prose, re.I)
    ]

    assert wrong == []


def product_modules() -> list[Path]:
    return [
        path
        for room in PRODUCT
        for path in sorted((PROJECT / room).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def test_no_module_of_the_product_is_long_without_saying_why() -> None:
    long = []
    for path in product_modules():
        source = path.read_text(encoding="utf-8")
        reason = ast.get_docstring(ast.parse(source)) or ""
        if source.count("\n") > MOST_LINES and f"{MOST_LINES} lines" not in reason:
            long.append(name_of(path))

    assert long == []
