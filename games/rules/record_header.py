"""The head of a record: everything but its turns, as plain data that text and JSON share."""

import re
from typing import Any

from games.rules.cards import HIDDEN, Card
from games.rules.checked import MAX_TAG, Checked, is_clean, known_keys
from games.rules.deal import SECRET_BYTES, ListedDeal, SecretDeal
from games.rules.encoding import SEAT_LETTERS
from games.rules.events import ENDS
from games.rules.notation import Plain
from games.rules.record import FULL, Record, RecordError, RecordSeat, Result, shown
from games.rules.ruleset import OPTION_NAMES, TEAM_NAMES, BadOption, Ruleset, make_ruleset

VERSION = 1
SEAL_PREFIX = "sha256:"
DRAW = "draw"
ALWAYS_SAID = ("lines_to_win", "max_shared", "dead_swaps_per_turn")
"""Options that a record names even at their defaults: those on which groups differ most."""

MAX_TAGS = 60
MAX_RESHUFFLES = 1_000
MAX_CUTS = 100

_KEYS = (
    "sqn", "tags", "ruleset", "seats", "start", "cut", "view", "seal", "hands", "deal", "turns", "result",
)  # fmt: skip
_TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,39}")
TAGS_OF_FORMAT = (
    "SQN", "Edition", "Ruleset", "Seats", "Start", "Cut", "View", "Hands", "Seal", "Secret", "Nonces",
    "Deck", "Reshuffles", "Result", "End",
)  # fmt: skip
"""Tags of the text form that are no free tags, in the order in which they are written."""


def header_plain(record: Record) -> Plain:
    """Return everything but the turns as plain data."""
    rules = record.ruleset
    plain: Plain = {
        "sqn": VERSION,
        "tags": {**record.tags, "Edition": rules.edition.name},
        "ruleset": options_said(rules),
        "seats": [{"seat": seat.letter, "name": seat.name, "team": seat.colour} for seat in record.seats],
        "start": SEAT_LETTERS[record.start],
    }
    if record.cuts:
        rounds = [dict(zip(SEAT_LETTERS, cards, strict=False)) for cards in record.cuts]
        plain["cut"] = rounds[0] if len(rounds) == 1 else rounds
    plain["view"] = record.view
    if record.seal:
        plain["seal"] = SEAL_PREFIX + record.seal
    if record.hands is not None:
        plain["hands"] = {
            SEAT_LETTERS[seat]: [HIDDEN] * rules.hand_size if hand is None else list(hand)
            for seat, hand in enumerate(record.hands)
        }
    if isinstance(record.deal, SecretDeal):
        plain["deal"] = {"secret": record.deal.secret.hex()}
        if record.deal.nonces:
            plain["deal"]["nonces"] = list(record.deal.nonces)
    elif record.deal is not None:
        plain["deal"] = {"deck": list(record.deal.cards)}
        if record.deal.reshuffles:
            plain["deal"]["reshuffles"] = [list(pile) for pile in record.deal.reshuffles]
    if record.result is not None:
        plain["result"] = {"winner": record.result.winner}
        if record.result.end:
            plain["result"]["end"] = record.result.end
    return plain


def options_said(rules: Ruleset) -> Plain:
    """Return the options that a record names."""
    options = rules.options()
    return {name: options[name] for name in OPTION_NAMES if name in ALWAYS_SAID or name in rules.changed}


def header_from(data: Any) -> Record:
    """Return the record that `data` holds, without its turns; raises RecordError."""
    known_keys(data, _KEYS, "", "a record")
    if data.get("sqn") != VERSION or isinstance(data["sqn"], bool):
        raise RecordError(
            "", data.get("sqn"), f"this is no record: sqn, the version of the format, is {VERSION}"
        )
    tags = _tags(data.get("tags", {}))
    rules, seats = _table(data, tags.pop("Edition", "classic"))
    read = Checked(rules)
    return Record(
        ruleset=rules,
        seats=seats,
        tags=tags,
        start=read.seat(data.get("start", "A")),
        cuts=_cuts(read, data["cut"]) if "cut" in data else (),
        view=read.view(data.get("view", FULL)),
        seal=_seal(read, data["seal"]) if "seal" in data else "",
        hands=_hands(read, data["hands"]) if "hands" in data else None,
        deal=_deal(read, data["deal"]) if "deal" in data else None,
        result=_result(read, data["result"]) if "result" in data else None,
    )


def _tags(data: Any) -> dict[str, str]:
    if not isinstance(data, dict) or len(data) > MAX_TAGS:
        raise RecordError("", "tags", f"tags is an object of at most {MAX_TAGS} tags")
    for name, value in data.items():
        if not isinstance(name, str) or not _TAG_NAME.fullmatch(name):
            raise RecordError("", name, "the name of a tag has up to 40 letters and digits, a letter first")
        if name in TAGS_OF_FORMAT and name != "Edition":
            raise RecordError("", name, "this is no free tag: it has a key of its own")
        if not isinstance(value, str) or len(value) > MAX_TAG or not is_clean(value):
            raise RecordError("", name, f"the value of a tag is one line of at most {MAX_TAG} signs")
    return dict(data)


def _table(data: Plain, edition: str) -> tuple[Ruleset, tuple[RecordSeat, ...]]:
    """Return the ruleset and the seats, which choose the number of teams (R4)."""
    options = data.get("ruleset", {})
    if not isinstance(options, dict):
        raise RecordError("", "ruleset", "ruleset is an object of options")
    options = dict(options)
    teams = options.pop("teams", None)
    for name, value in options.items():
        if name not in OPTION_NAMES:
            raise RecordError("", name, f"no option is called so; there is {', '.join(OPTION_NAMES)}")
        if not _is_option(value):
            raise RecordError(
                "", name, "the value of an option is text, a number, true, false or a list of them"
            )
    seats = data.get("seats")
    if not isinstance(seats, list) or not 2 <= len(seats) <= len(SEAT_LETTERS):
        raise RecordError("", "seats", "seats is a list of the seats, from A on")
    colours = []
    for number, seat in enumerate(seats):
        known_keys(seat, ("seat", "name", "team"), "", "a seat")
        if seat.get("seat") != SEAT_LETTERS[number]:
            raise RecordError(
                "", seat.get("seat"), f"seat {SEAT_LETTERS[number]} comes here: A, B, C round the table"
            )
        if seat.get("team") not in TEAM_NAMES:
            raise RecordError("", seat.get("team"), f"a team is {', '.join(TEAM_NAMES)}")
        colours.append(seat["team"])
    if teams is not None and str(teams) != str(len(set(colours))):
        raise RecordError(
            "", "teams", f"the seats play in {len(set(colours))} teams, not in {shown(teams)}", rule="R4"
        )
    try:
        rules = make_ruleset(len(seats), len(set(colours)), edition, **options)
    except BadOption as error:
        raise RecordError("", error.option, error.detail, code=error.code, rule=error.rule) from None
    read = Checked(rules)
    for number, colour in enumerate(colours):
        due = rules.team_names[rules.team_of[number]]
        if colour != due:
            letter = SEAT_LETTERS[number]
            raise RecordError(
                "", f"{letter}:{colour}", f"seat {letter} plays {due}: the teams sit in turn", rule="R4"
            )
    return rules, tuple(
        RecordSeat(SEAT_LETTERS[number], read.name(seat.get("name", "")), seat["team"])
        for number, seat in enumerate(seats)
    )


def _is_option(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= 104 and all(isinstance(item, str | int) and _is_option(item) for item in value)
    if isinstance(value, str):
        return len(value) <= 400
    return value is None or (isinstance(value, int) and -(10**9) < value < 10**9)


def _cuts(read: Checked, data: Any) -> tuple[tuple[Card, ...], ...]:
    rounds = data if isinstance(data, list) else [data]
    if not 1 <= len(rounds) <= MAX_CUTS:
        raise read.error("cut", "cut is one round of cutting, or a list of them")
    letters = SEAT_LETTERS[: read.rules.seats]
    found = []
    for turned in rounds:
        known_keys(turned, tuple(letters), "", "a round of cutting")
        if len(turned) != len(letters):
            raise read.error("cut", "every seat turns up a card in each round")
        found.append(tuple(read.card(turned[letter]) for letter in letters))
    return tuple(found)


def _seal(read: Checked, value: Any) -> str:
    if not isinstance(value, str) or not value.startswith(SEAL_PREFIX):
        raise read.error(value, f"a seal is {SEAL_PREFIX} and 64 hex digits")
    return read.hex(value.removeprefix(SEAL_PREFIX), "a seal", 64, 64)


def _hands(read: Checked, data: Any) -> tuple[tuple[Card, ...] | None, ...]:
    known_keys(data, tuple(SEAT_LETTERS[: read.rules.seats]), "", "hands")
    hands: list[tuple[Card, ...] | None] = []
    for letter in SEAT_LETTERS[: read.rules.seats]:
        cards = data.get(letter, HIDDEN)
        if cards == HIDDEN or (isinstance(cards, list) and cards and all(card == HIDDEN for card in cards)):
            hands.append(None)
            continue
        hand = tuple(read.cards(cards, "a hand"))
        if len(hand) != read.rules.hand_size:
            raise read.error(f"{letter}:", f"a hand has {read.rules.hand_size} cards here, not {len(hand)}")
        hands.append(hand)
    return tuple(hands)


def _deal(read: Checked, data: Any) -> SecretDeal | ListedDeal:
    known_keys(data, ("secret", "nonces", "deck", "reshuffles"), "", "a deal")
    if "secret" in data:
        if "deck" in data or "reshuffles" in data:
            raise read.error("deck", "a deal is either a secret or a deck")
        nonces = data.get("nonces", [])
        if not isinstance(nonces, list) or len(nonces) > read.rules.seats:
            raise read.error("nonces", "nonces is a list, at most one a seat")
        secret = read.hex(data["secret"], "the secret", 64, 2 * SECRET_BYTES)
        return SecretDeal(bytes.fromhex(secret), tuple(read.hex(nonce, "a nonce", 128) for nonce in nonces))
    if "nonces" in data:
        raise read.error("nonces", "nonces go with a secret")
    deck = read.cards(data.get("deck"), "the deck")
    edition = read.rules.edition
    if sorted(deck) != sorted(edition.deck):
        raise read.error(
            "deck", f"the deck is not the {len(edition.deck)} cards of the {edition.name} edition"
        )
    piles = data.get("reshuffles", [])
    if not isinstance(piles, list) or len(piles) > MAX_RESHUFFLES:
        raise read.error("reshuffles", "reshuffles is a list of piles")
    return ListedDeal(deck, [read.cards(pile, "a pile") for pile in piles])


def _result(read: Checked, data: Any) -> Result:
    known_keys(data, ("winner", "end"), "", "result")
    end = read.word(data["end"], "end", ENDS) if "end" in data else ""
    winner = data.get("winner")
    if winner is not None:
        winner = read.word(winner, "winner", (*read.rules.team_names, DRAW))
    elif end != "annulled":
        winner = DRAW
    return Result(winner, end)
