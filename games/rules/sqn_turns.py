"""One turn of a record to the keys of its JSON twin and back."""

from typing import Any

from games.rules.actions import EXPIRY_POLICIES
from games.rules.cards import Card
from games.rules.checked import Checked, known_keys
from games.rules.encoding import SEAT_LETTERS
from games.rules.notation import RESHUFFLED, RESHUFFLED_WORD, Plain
from games.rules.record import (
    ACTS,
    ACTS_OF_NO_SEAT,
    ACTS_WITH_DRAW,
    ACTS_WITH_LINES,
    NO_CARD,
    RULINGS,
    RecordTurn,
    Swap,
    label_of,
)
from games.rules.ruleset import Ruleset

MAX_NUMBER = 999_999

_ALWAYS = ("n", "seat", "act", "over", "marks", "at", "clk", "wp")
_KEYS = (
    "n", "seat", "swap", "card", "act", "space", "lines", "draw", "reshuffled", "team", "name", "policy",
    "ruling", "over", "marks", "at", "clk", "wp",
)  # fmt: skip
_ACTS_AFTER_SWAP = ("place", "remove", "pass", "discard", "announce", "resign", "leave")
_NEEDED: dict[str, tuple[str, ...]] = {
    "place": ("card", "space"),
    "remove": ("card", "space"),
    "announce": ("lines",),
    "discard": ("card",),
    "table_talk": ("team",),
    "forfeit_card": ("card",),
    "ruling": ("ruling",),
    "substitute": ("name",),
}


def turn_plain(rules: Ruleset, turn: RecordTurn) -> Plain:
    """Return the JSON object of one turn, without the keys that do not apply."""
    plain: Plain = {"n": turn.n}
    if turn.seat is not None:
        plain["seat"] = SEAT_LETTERS[turn.seat]
    if turn.swaps:
        plain["swap"] = [
            {"out": swap.out} | _drawn_plain("in", swap.drawn, swap.reshuffled) for swap in turn.swaps
        ]
    if turn.card:
        plain["card"] = turn.card
    if turn.act is not None:
        plain["act"] = turn.act
    if turn.space is not None:
        plain["space"] = rules.board.name(turn.space)
    if turn.lines:
        plain["lines"] = [list(rules.board.ends(mask)) for mask in turn.lines]
    plain |= _drawn_plain("draw", turn.draw, turn.reshuffled)
    if turn.team is not None:
        plain["team"] = rules.team_names[turn.team]
    if turn.act == "substitute":
        plain["name"] = turn.name
    for key in ("policy", "ruling", "over", "at"):
        if getattr(turn, key):
            plain[key] = getattr(turn, key)
    if turn.marks:
        plain["marks"] = list(turn.marks)
    if turn.clk is not None:
        plain["clk"] = turn.clk
    if turn.wp:
        plain["wp"] = list(turn.wp)
    return plain


def _drawn_plain(key: str, card: Card | None, reshuffled: int) -> Plain:
    if card is None:
        return {}
    plain: Plain = {key: None if card == NO_CARD else card}
    if reshuffled:
        plain["reshuffled"] = RESHUFFLED_WORD[reshuffled]
    return plain


def turn_from(rules: Ruleset, data: Any, number: int) -> RecordTurn:
    """Return the turn that `data` describes, the `number`th of its record; raises RecordError."""
    place = f"item {number}"
    known_keys(data, _KEYS, place, "a turn")
    read = Checked(rules, place)
    n = read.number(data.get("n"), "n", 1, MAX_NUMBER)
    read.label = str(n)
    seat = read.seat(data["seat"]) if "seat" in data else None
    read.label = label_of(n, seat)
    act = read.word(data["act"], "act", ACTS) if "act" in data else None
    _check_keys(read, data, act, seat)
    draw, reshuffled = _drawn_from(read, data, "draw")
    return RecordTurn(
        n=n,
        seat=seat,
        act=act,
        swaps=_swaps(read, data.get("swap", [])),
        card=read.card(data["card"]) if "card" in data else "",
        space=read.space(data["space"]) if "space" in data else None,
        lines=(read.lines(data["lines"]) or None) if "lines" in data else None,
        draw=draw,
        reshuffled=reshuffled,
        team=read.team(data["team"]) if "team" in data else None,
        name=read.name(data["name"]) if "name" in data else "",
        policy=read.word(data.get("policy", "pass"), "policy", EXPIRY_POLICIES) if act == "flag" else "",
        ruling=_ruling(read, data["ruling"]) if "ruling" in data else "",
        over=_over(read, data),
        marks=_marks(read, data.get("marks", [])),
        at=read.at(data["at"]) if "at" in data else "",
        clk=read.number(data["clk"], "clk", 0, 10**9) if "clk" in data else None,
        wp=read.chances(data["wp"]) if "wp" in data else (),
    )


def _check_keys(read: Checked, data: Plain, act: str | None, seat: int | None) -> None:
    """Refuse keys that the act has no use for, and ask for those that it needs."""
    if seat is None and act not in ACTS_OF_NO_SEAT:
        raise read.error(act or "swap", "the seat is missing")
    if act is None and not data.get("swap"):
        raise read.error("act", f"the act is missing; there is {', '.join(ACTS)}")
    needed = _NEEDED.get(act or "", ())
    for key in needed:
        if key not in data:
            raise read.error(act, f"{key} is missing")
    used = {*_ALWAYS, *needed}
    if act is None or act in _ACTS_AFTER_SWAP:
        used.add("swap")
    if act in ACTS_WITH_LINES:
        used.add("lines")
    if act in ACTS_WITH_DRAW:
        used |= {"draw", "reshuffled"}
    if act == "flag":
        used.add("policy")
    for key in data:
        if key not in used:
            raise read.error(key, f"{act or 'a swap alone'} has no use for {key}")


def _swaps(read: Checked, value: Any) -> tuple[Swap, ...]:
    if not isinstance(value, list):
        raise read.error(value, "swap is a list of {out, in}")
    swaps = []
    for item in value:
        known_keys(item, ("out", "in", "reshuffled"), read.label, "a swap")
        drawn, reshuffled = _drawn_from(read, item, "in")
        if drawn == NO_CARD:
            raise read.error(NO_CARD, "a swapped card is always replaced")
        swaps.append(Swap(read.card(item.get("out")), drawn, reshuffled))
    return tuple(swaps)


def _drawn_from(read: Checked, data: Plain, key: str) -> tuple[Card | None, int]:
    drawn = read.drawn(data[key]) if key in data else None
    if "reshuffled" not in data:
        return drawn, 0
    if drawn in (None, NO_CARD):
        raise read.error("reshuffled", f"there is no {key} that it could go with")
    return drawn, RESHUFFLED[read.word(data["reshuffled"], "reshuffled", tuple(RESHUFFLED))]


def _ruling(read: Checked, value: Any) -> str:
    return read.word(value, "ruling", (*read.rules.team_names, *RULINGS))


def _over(read: Checked, data: Plain) -> bool:
    if "over" not in data:
        return False
    if data["over"] is not True or data.get("act") is None:
        raise read.error(data["over"], "over is true where an act ended the game, else left out")
    return True


def _marks(read: Checked, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise read.error(value, "marks is a list of numbers")
    return tuple(read.number(mark, "a mark", 0, 999) for mark in value)
