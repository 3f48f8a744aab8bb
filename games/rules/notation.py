"""The tokens of one turn in SQN text: from a record's turn, and to the keys of its JSON twin."""

import re
from collections.abc import Callable
from typing import Any

from games.rules.encoding import SEAT_LETTERS
from games.rules.events import AFTER, BEFORE
from games.rules.record import RecordError, RecordTurn
from games.rules.ruleset import Ruleset

Plain = dict[str, Any]

RESHUFFLED = {"before": BEFORE, "after": AFTER, "both": BEFORE | AFTER}
"""When the discards became a new pile, seen from the draw of the same act."""
RESHUFFLED_WORD = {when: word for word, when in RESHUFFLED.items()}

_CARD = "[0-9A-Za-z]{1,8}"
_SPACE = "[A-Za-z][0-9]{1,2}"
_DRAWN = rf"(?P<before>%R)?(?:\+(?P<draw>\?|{_CARD}))?(?P<after>%R)?"
_OVER = "(?P<over>#)?"
_LINE = re.compile(rf"([=^])({_SPACE})({_SPACE})")
_SWAP = re.compile(rf"~(?P<card>{_CARD}){_DRAWN}")
_PLAY = re.compile(
    rf"(?P<card>{_CARD})(?P<sign>[@*-])(?P<space>{_SPACE})(?P<lines>(?:[=^]{_SPACE}{_SPACE})*){_DRAWN}{_OVER}"
)
_DISCARD = re.compile(rf"(?P<card>{_CARD}){_DRAWN}{_OVER}")

_FIXED = {
    "pass": "--",
    "resign": "resign",
    "leave": "leaves",
    "offer_draw": "draw?",
    "accept_draw": "draw!",
    "decline_draw": "draw-",
}
_ACT_BY_WORD = {word: act for act, word in _FIXED.items()}


def text_of(rules: Ruleset, turn: RecordTurn) -> str:
    """Return the tokens of `turn` without its number, such as `~Td+4c 9h@e7=c5g9+Ac`."""
    words = [f"~{swap.out}{_drawn(swap.drawn, swap.reshuffled)}" for swap in turn.swaps]
    if turn.act is not None:
        word = _FIXED.get(turn.act) or _WRITE[turn.act](rules, turn)
        words.append(word + ("#" if turn.over else ""))
    return " ".join(words)


def _drawn(card: str | None, reshuffled: int) -> str:
    if card is None:
        return ""
    return f"{'%R' if reshuffled & BEFORE else ''}+{card}{'%R' if reshuffled & AFTER else ''}"


def _lines(rules: Ruleset, turn: RecordTurn) -> str:
    sign = "^" if rules.claim == "announce" else "="
    return "".join(sign + "".join(rules.board.ends(mask)) for mask in turn.lines or ())


def _play(rules: Ruleset, turn: RecordTurn) -> str:
    sign = "-" if turn.act == "remove" else "*" if turn.card in rules.wild else "@"
    space = rules.board.name(turn.space or 0)
    return f"{turn.card}{sign}{space}{_lines(rules, turn)}{_drawn(turn.draw, turn.reshuffled)}"


_WRITE: dict[str, Callable[[Ruleset, RecordTurn], str]] = {
    "place": _play,
    "remove": _play,
    "draw": lambda rules, turn: f"draw{_drawn(turn.draw, turn.reshuffled)}",
    "announce": _lines,
    "discard": lambda rules, turn: f"discards {turn.card}{_drawn(turn.draw, turn.reshuffled)}",
    "table_talk": lambda rules, turn: f"talk{{{SEAT_LETTERS[turn.team or 0]}}}",
    "forfeit_card": lambda rules, turn: f"!{turn.card}",
    "flag": lambda rules, turn: f"flag{{{turn.policy}}}",
    "ruling": lambda rules, turn: f"ruling{{{turn.ruling}}}",
    "substitute": lambda rules, turn: f"sub{{{SEAT_LETTERS[turn.seat or 0]}={turn.name}}}",
}


def plain_of(rules: Ruleset, label: str, words: list[str]) -> Plain:
    """Return the JSON keys that the tokens of one turn say, the values not yet judged; raises RecordError."""
    plain: Plain = {}
    queue = list(words)
    while queue and queue[0].startswith("~"):
        word = queue.pop(0)
        match = _SWAP.fullmatch(word)
        if match is None:
            raise RecordError(label, word, "a swap is written ~Td+4c")
        swap = {"out": match["card"], **_drawn_keys(label, word, match)}
        if "draw" in swap:
            swap["in"] = swap.pop("draw")
        plain.setdefault("swap", []).append(swap)
    if queue:
        word = queue.pop(0)
        if word == "discards" and queue:
            word = f"discards {queue.pop(0)}"
        plain.update(_act_keys(rules, label, word))
    if queue:
        raise RecordError(label, queue[0], "each number is followed by swaps and one act, no more")
    if not plain:
        raise RecordError(label, label, "nothing follows this number")
    return plain


def _drawn_keys(label: str, word: str, match: re.Match[str]) -> Plain:
    keys: Plain = {}
    when = (BEFORE if match["before"] else 0) | (AFTER if match["after"] else 0)
    if match["draw"] is not None:
        keys["draw"] = match["draw"]
        if when:
            keys["reshuffled"] = RESHUFFLED_WORD[when]
    elif when:
        raise RecordError(label, word, "%R stands before or after a drawn card, as in +4c%R")
    return keys


def _act_keys(rules: Ruleset, label: str, word: str) -> Plain:
    if word.startswith("discards "):
        match = _DISCARD.fullmatch(word.removeprefix("discards "))
        if match is not None:
            keys = {"act": "discard", "card": match["card"], **_drawn_keys(label, word, match)}
            return keys | _over_key(match["over"])
    match = _PLAY.fullmatch(word)
    if match is not None:
        return _play_keys(rules, label, word, match)
    bare = word.removesuffix("#")
    over = _over_key(bare != word)
    if bare in _ACT_BY_WORD:
        return {"act": _ACT_BY_WORD[bare]} | over
    for pattern, read in _READ:
        match = pattern.fullmatch(bare)
        if match is not None:
            return read(rules, label, bare, match) | over
    raise RecordError(label, word, "this is no token of a turn")


def _over_key(over: object) -> Plain:
    return {"over": True} if over else {}


def _play_keys(rules: Ruleset, label: str, word: str, match: re.Match[str]) -> Plain:
    keys: Plain = {"card": match["card"], "act": "remove" if match["sign"] == "-" else "place"}
    if match["sign"] == "*" and match["card"].lower() not in {card.lower() for card in rules.wild}:
        raise RecordError(label, word, f"* is the sign of a two-eyed jack; {match['card']} is placed by @")
    keys["space"] = match["space"].lower()
    if match["lines"]:
        keys["lines"] = _line_ends(rules, label, word, match["lines"])
    return keys | _drawn_keys(label, word, match) | _over_key(match["over"])


def _line_ends(rules: Ruleset, label: str, word: str, text: str) -> list[list[str]]:
    wanted = "^" if rules.claim == "announce" else "="
    ends = []
    for sign, first, last in _LINE.findall(text):
        if sign != wanted:
            raise RecordError(label, word, f"with claim={rules.claim} lines are marked by {wanted}")
        ends.append([first.lower(), last.lower()])
    return ends


def _talk(rules: Ruleset, label: str, word: str, match: re.Match[str]) -> Plain:
    letter = match[1]
    by_letter = dict(zip(SEAT_LETTERS, rules.team_names, strict=False))
    return {"act": "table_talk", "team": by_letter.get(letter, letter)}


_READ: tuple[tuple[re.Pattern[str], Callable[[Ruleset, str, str, re.Match[str]], Plain]], ...] = (
    (
        re.compile(f"draw{_DRAWN}"),
        lambda rules, label, word, match: {"act": "draw", **_drawn_keys(label, word, match)},
    ),
    (
        re.compile(rf"(?:[=^]{_SPACE}{_SPACE})+"),
        lambda rules, label, word, match: {
            "act": "announce",
            "lines": _line_ends(rules, label, word, match[0]),
        },
    ),
    (re.compile(f"!({_CARD})"), lambda rules, label, word, match: {"act": "forfeit_card", "card": match[1]}),
    (re.compile("talk\\{([^{}]*)\\}"), _talk),
    (
        re.compile("flag(?:\\{([a-z_]+)\\})?"),
        lambda rules, label, word, match: {"act": "flag", "policy": match[1] or "pass"},
    ),
    (
        re.compile("ruling\\{([a-z]*)\\}"),
        lambda rules, label, word, match: {"act": "ruling", "ruling": match[1]},
    ),
    (
        re.compile("sub\\{([A-Z])=([^{}]*)\\}"),
        lambda rules, label, word, match: {"act": "substitute", "seat": match[1], "name": match[2]},
    ),
)
