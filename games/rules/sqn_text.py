"""A record as SQN text: tags, then numbered turns (docs/record-format.md)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from games.rules.cards import HIDDEN
from games.rules.encoding import SEAT_LETTERS
from games.rules.notation import Plain, plain_of, text_of
from games.rules.record import Record, RecordError, RecordTurn
from games.rules.record_header import TAGS_OF_FORMAT, VERSION, header_from, header_plain
from games.rules.sqn_turns import turn_from

MAX_TEXT = 1_000_000
MAX_TURNS = 20_000
WIDTH = 79
NO_WINNER = "none"
NO_CARDS = "none"
UNFINISHED = "*"

_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\\n]|\\["\\])*)"\s*\]')
_PIECE = re.compile(
    r"(?P<blank>\s+)|(?P<remark>\([^()]*\))|(?P<comment>\{[^{}]*\})|\$(?P<mark>[0-9]{1,3})(?=[\s(]|$)"
    r"|(?P<number>[0-9]{1,6})(?P<letter>[A-Z]?)(?=\s|$)"
    r"|(?P<word>[^\s(){}\[\]$\"]+(?:\{[^{}]*\}\#?)?)"
)
_SEATS = re.compile('([A-Z])=([^:="]*):([a-z]+)(?:\\s+|$)')
_CLOCK_UNITS = (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))
_CLOCK = re.compile("(?:([0-9]{1,5})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,7})m)?(?:([0-9]{1,9})s)?")
_CHANCE = re.compile("[0-9]?\\.[0-9]{1,9}|[01]")


def to_text(record: Record) -> str:
    """Return the record as SQN text."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in _tags_of(record).items()]
    if record.turns:
        lines.append("")
    line = ""
    for piece in _pieces(record):
        if line and len(line) + len(piece) >= WIDTH:
            lines.append(line)
            line = piece
        else:
            line = f"{line} {piece}" if line else piece
    return "\n".join([*lines, line] if line else lines) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _tags_of(record: Record) -> dict[str, str]:
    """Return all tags in the order of writing."""
    plain = header_plain(record)
    tags = {"SQN": str(VERSION), **plain["tags"]}
    tags["Ruleset"] = " ".join(f"{name}={_option(value)}" for name, value in plain["ruleset"].items())
    tags["Seats"] = " ".join(f"{seat['seat']}={seat['name']}:{seat['team']}" for seat in plain["seats"])
    tags["Start"] = plain["start"]
    if "cut" in plain:
        rounds = plain["cut"] if isinstance(plain["cut"], list) else [plain["cut"]]
        tags["Cut"] = " | ".join(" ".join(f"{seat}:{card}" for seat, card in cut.items()) for cut in rounds)
    tags["View"] = plain["view"]
    if "hands" in plain:
        tags["Hands"] = " ".join(
            f"{seat}:{HIDDEN if HIDDEN in hand else ' '.join(hand)}" for seat, hand in plain["hands"].items()
        )
    if "seal" in plain:
        tags["Seal"] = plain["seal"]
    deal = plain.get("deal", {})
    if "secret" in deal:
        tags["Secret"] = deal["secret"]
    if "nonces" in deal:
        tags["Nonces"] = ",".join(deal["nonces"])
    if "deck" in deal:
        tags["Deck"] = " ".join(deal["deck"])
    if "reshuffles" in deal:
        tags["Reshuffles"] = " | ".join(" ".join(pile) for pile in deal["reshuffles"])
    if "result" in plain:
        tags["Result"] = plain["result"]["winner"] or NO_WINNER
        if "end" in plain["result"]:
            tags["End"] = plain["result"]["end"]
    return tags


def _option(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return (",".join(map(str, value)) or NO_CARDS) if isinstance(value, list) else str(value)


def _pieces(record: Record) -> Iterator[str]:
    for turn in record.turns:
        label = str(turn.n) if turn.act == "substitute" else turn.label
        yield f"{label} {text_of(record.ruleset, turn)}"
        yield from (f"${mark}" for mark in turn.marks)
        if turn.at:
            yield f"{{%at {turn.at}}}"
        if turn.clk is not None:
            yield f"{{%clk {clock_text(turn.clk)}}}"
        if turn.wp:
            yield f"{{%wp {' '.join(map(_chance_text, turn.wp))}}}"


def clock_text(seconds: int) -> str:
    """Return a time left as the record writes it: `2d03h`, `1m30s`, `0s`."""
    parts = ""
    for unit, size in _CLOCK_UNITS:
        count, rest = divmod(seconds, size)
        if count or (parts and seconds):
            parts += f"{count:02d}{unit}" if parts else f"{count}{unit}"
        seconds = rest
    return parts or "0s"


def _chance_text(chance: float) -> str:
    text = f"{chance:.4f}".rstrip("0").rstrip(".")
    return text[1:] if text.startswith("0.") else text


def from_text(text: str) -> Record:
    """Return the record that SQN text holds, not yet replayed; raises RecordError."""
    if len(text) > MAX_TEXT:
        raise RecordError("", "record", f"a record has at most {MAX_TEXT} signs")
    tags, body = _split(text.lstrip("\ufeff"))
    record = header_from(_header(tags))
    items = _items(body)
    if len(items) > MAX_TURNS:
        raise RecordError("", "turns", f"a record has at most {MAX_TURNS} turns")
    return replace(record, turns=tuple(_turn(record, item, place) for place, item in enumerate(items, 1)))


def _split(text: str) -> tuple[dict[str, str], str]:
    """Return the tags and what follows them."""
    tags: dict[str, str] = {}
    place = 0
    while True:
        while place < len(text) and text[place].isspace():
            place += 1
        if not text.startswith("[", place):
            break
        match = _TAG.match(text, place)
        if match is None:
            raise RecordError("", _until_blank(text, place), 'a tag is written [Name "value"]')
        if match[1] in tags:
            raise RecordError("", match[1], "this tag stands twice")
        tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        place = match.end()
    if "SQN" not in tags:
        raise RecordError("", _until_blank(text, place), 'a record starts with the tag [SQN "1"]')
    return tags, text[place:]


def _until_blank(text: str, place: int) -> str:
    words = text[place : place + 80].split()
    return words[0] if words else "nothing"


def _header(tags: dict[str, str]) -> Plain:
    """Return the JSON keys that the tags say, their values not yet judged."""
    free = {name: value for name, value in tags.items() if name not in TAGS_OF_FORMAT or name == "Edition"}
    plain: Plain = {"sqn": VERSION if tags["SQN"] == str(VERSION) else tags["SQN"], "tags": free}
    plain["ruleset"] = _options(tags.get("Ruleset", ""))
    plain["seats"] = _seats(tags.get("Seats", ""))
    for name, key in (("Start", "start"), ("View", "view"), ("Seal", "seal")):
        if name in tags:
            plain[key] = tags[name]
    if "Cut" in tags:
        plain["cut"] = [_by_seat("Cut", cut, only_one=True) for cut in tags["Cut"].split("|")]
    if "Hands" in tags:
        plain["hands"] = _by_seat("Hands", tags["Hands"], only_one=False)
    deal: Plain = {}
    if "Secret" in tags:
        deal["secret"] = tags["Secret"]
    if "Nonces" in tags:
        deal["nonces"] = tags["Nonces"].split(",")
    if "Deck" in tags:
        deal["deck"] = tags["Deck"].split()
    if "Reshuffles" in tags:
        deal["reshuffles"] = [pile.split() for pile in tags["Reshuffles"].split("|")]
    if deal:
        plain["deal"] = deal
    if "Result" in tags and tags["Result"] != UNFINISHED:
        winner = tags["Result"]
        plain["result"] = {"winner": None if winner == NO_WINNER else winner}
        if "End" in tags:
            plain["result"]["end"] = tags["End"]
    elif "End" in tags:
        raise RecordError("", "End", "an end goes with a result")
    return plain


def _options(text: str) -> Plain:
    options: Plain = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or not value or name in options:
            raise RecordError("", word, "an option is written name=value, each once")
        options[name] = [] if name in ("wild", "anti") and value == NO_CARDS else value
    return options


def _seats(text: str) -> list[Plain]:
    seats: list[Plain] = []
    place = 0
    text = text.strip()
    while place < len(text):
        match = _SEATS.match(text, place)
        if match is None:
            raise RecordError("", _until_blank(text, place), "a seat is written A=anna:blue")
        seats.append({"seat": match[1], "name": match[2], "team": match[3]})
        place = match.end()
    return seats


def _by_seat(tag: str, text: str, *, only_one: bool) -> Plain:
    """Return the cards that follow each `A:`."""
    found: dict[str, list[str]] = {}
    cards: list[str] | None = None
    for word in text.split():
        letter, colon, card = word.rpartition(":")
        if colon:
            if letter in found or len(letter) != 1 or letter not in SEAT_LETTERS:
                raise RecordError("", word, f"{tag} gives each seat once, as in A:5c")
            cards = found.setdefault(letter, [])
        if cards is None:
            raise RecordError("", word, f"{tag} names the seat first, as in A:5c")
        if card:
            cards.append(card)
    if only_one:
        for letter, turned in found.items():
            if len(turned) != 1:
                raise RecordError("", f"{letter}:{' '.join(turned)}", "a seat cuts one card")
        return {letter: turned[0] for letter, turned in found.items()}
    return dict(found)


@dataclass
class _Item:
    """What stands behind one number of the text."""

    n: int
    letter: str
    words: list[str] = field(default_factory=list)
    notes: Plain = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.n}{self.letter}"


def _items(body: str) -> list[_Item]:
    items: list[_Item] = []
    place = 0
    while place < len(body):
        match = _PIECE.match(body, place)
        if match is None:
            raise RecordError(
                items[-1].label if items else "", _until_blank(body, place), "this cannot be read"
            )
        place = match.end()
        if match["blank"] or match["remark"]:
            continue
        if match["number"]:
            items.append(_Item(int(match["number"]), match["letter"]))
        elif not items:
            raise RecordError("", match[0], "turns start with a number and a seat, as in 1A")
        elif match["comment"]:
            _note(items[-1], match["comment"][1:-1].strip())
        elif match["mark"]:
            items[-1].notes.setdefault("marks", []).append(int(match["mark"]))
        else:
            items[-1].words.append(match["word"])
    return items


def _note(item: _Item, text: str) -> None:
    """Take in a comment such as `%clk 2d03h`; one without % is a remark and is not kept."""
    if not text.startswith("%"):
        return
    command, _, value = text[1:].partition(" ")
    read = {"clk": _clock, "wp": _chances, "at": _moment}.get(command)
    if read is None:
        raise RecordError(item.label, text, "comments of the format are %clk, %wp and %at")
    if command in item.notes:
        raise RecordError(item.label, text, "this stands twice")
    item.notes[command] = read(item, value.strip())


def _clock(item: _Item, text: str) -> Any:
    match = _CLOCK.fullmatch(text)
    if match is None or not text:
        raise RecordError(item.label, text or "%clk", "a time left is written 2d03h, or 1m30s")
    return sum(int(count or 0) * size for count, (_, size) in zip(match.groups(), _CLOCK_UNITS, strict=True))


def _chances(item: _Item, text: str) -> Any:
    words = text.split()
    for word in words:
        if not _CHANCE.fullmatch(word):
            raise RecordError(item.label, word, "a chance is written .54")
    return [float(word) for word in words]


def _moment(item: _Item, text: str) -> Any:
    return text


def _turn(record: Record, item: _Item, place: int) -> RecordTurn:
    """Return the turn of one item; what is wrong with it is said of the whole token."""
    words = " ".join(item.words) or item.label
    try:
        plain = plain_of(record.ruleset, item.label, item.words)
        if item.letter and plain.setdefault("seat", item.letter) != item.letter:
            raise RecordError(item.label, words, "the seat is another one")
        return turn_from(record.ruleset, {"n": item.n} | plain | item.notes, place)
    except RecordError as error:
        reason = error.reason if error.token == words else f"{error.token}: {error.reason}"
        raise RecordError(item.label, words, reason, code=error.code, rule=error.rule) from None
