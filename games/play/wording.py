"""Actions in the words of requests and records: plain data to the engine's actions and back."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext

from games.rules import actions as act
from games.rules.encoding import SEAT_LETTERS
from games.rules.plays import masks_of_lines
from games.rules.ruleset import Ruleset
from games.rules.state import State

SEAT_ACTS = (
    "place", "remove", "swap", "pass", "discard", "draw", "announce", "pay",
    "resign", "leave", "offer_draw", "accept_draw", "decline_draw",
)  # fmt: skip
"""What a seat may ask, as `act` of a request."""

CARD_ACTS = ("place", "remove", "swap", "discard", "pay")
SPACE_ACTS = ("place", "remove")


class MalformedAction(ValueError):
    """A request whose `field` cannot be read; nothing was judged."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field, self.message = field, message


def action_from(state: State, seat: int, data: Mapping[str, Any]) -> act.SeatAction:
    """Return the action that `data` asks for `seat`; raises MalformedAction, IllegalAction for no line."""
    kind = data.get("act")
    if kind not in SEAT_ACTS:
        raise MalformedAction("act", gettext("must be one of %(names)s") % {"names": ", ".join(SEAT_ACTS)})
    for name, kinds in (("card", CARD_ACTS), ("space", SPACE_ACTS), ("lines", (*SPACE_ACTS, "announce"))):
        if data.get(name) is not None and kind not in kinds:
            raise MalformedAction(name, gettext("does not go with %(act)s") % {"act": kind})
    card = _card(state.ruleset, data.get("card")) if kind in CARD_ACTS else ""
    if kind in SPACE_ACTS:
        space = _space(state, data.get("space"))
        lines = None if data.get("lines") is None else _lines(state, data["lines"])
        return (
            act.PlaceChip(seat, card, space, lines)
            if kind == "place"
            else act.RemoveChip(seat, card, space, lines)
        )
    make = _MAKE.get(kind)
    if make is not None:
        return make(seat, card)
    return act.AnnounceLines(seat, _lines(state, data.get("lines")))


_MAKE: dict[str, Callable[[int, str], act.SeatAction]] = {
    "swap": act.SwapCard,
    "discard": act.DiscardCard,
    "pay": act.PayCard,
    "pass": lambda seat, card: act.PassTurn(seat),
    "draw": lambda seat, card: act.DrawCard(seat),
    "resign": lambda seat, card: act.LeaveGame(seat, "resign"),
    "leave": lambda seat, card: act.LeaveGame(seat, "leave"),
    "offer_draw": lambda seat, card: act.OfferDraw(seat),
    "accept_draw": lambda seat, card: act.AnswerDraw(seat, agree=True),
    "decline_draw": lambda seat, card: act.AnswerDraw(seat, agree=False),
}


def _card(rules: Ruleset, text: Any) -> str:
    if not isinstance(text, str):
        raise MalformedAction("card", gettext("name a card, such as Qd"))
    try:
        return rules.edition.parse_card(text)
    except ValueError as error:
        raise MalformedAction("card", str(error)) from None


def _space(state: State, text: Any, field: str = "space") -> int:
    name = text.strip().lower() if isinstance(text, str) else ""
    if name not in state.board.space_by_name:
        last = state.board.names[-1]
        raise MalformedAction(field, gettext("name a space from a1 to %(last)s, such as c7") % {"last": last})
    return state.board.space_by_name[name]


def _lines(state: State, lines: Any) -> tuple[int, ...]:
    if not isinstance(lines, list) or not all(isinstance(line, list) and len(line) == 2 for line in lines):
        raise MalformedAction("lines", gettext('name each line by its two ends, such as [["c5", "g9"]]'))
    if len(lines) > len(state.board.lines):
        raise MalformedAction("lines", gettext("there are not so many lines"))
    ends = [(_space(state, first, "lines"), _space(state, last, "lines")) for first, last in lines]
    return masks_of_lines(state, ends)


def action_data(state: State, action: act.SeatAction) -> dict[str, Any]:
    """Return the request that `action_from` reads as `action`."""
    match action:
        case act.PlaceChip() | act.RemoveChip():
            kind = "place" if isinstance(action, act.PlaceChip) else "remove"
            data: dict[str, Any] = {
                "act": kind,
                "card": action.card,
                "space": state.board.names[action.space],
            }
            if action.lines is not None:
                data["lines"] = [list(state.board.ends(mask)) for mask in action.lines]
            return data
        case act.AnnounceLines():
            return {"act": "announce", "lines": [list(state.board.ends(mask)) for mask in action.lines]}
        case act.SwapCard():
            return {"act": "swap", "card": action.card}
        case act.DiscardCard():
            return {"act": "discard", "card": action.card}
        case act.PayCard():
            return {"act": "pay", "card": action.card}
        case act.PassTurn():
            return {"act": "pass"}
        case act.DrawCard():
            return {"act": "draw"}
        case act.LeaveGame():
            return {"act": action.reason}
        case act.OfferDraw():
            return {"act": "offer_draw"}
        case act.AnswerDraw():
            return {"act": "accept_draw" if action.agree else "decline_draw"}


def seat_number(rules: Ruleset, letter: Any) -> int:
    """Return the number of the seat with this letter; raises MalformedAction."""
    letters = SEAT_LETTERS[: rules.seats]
    if not isinstance(letter, str) or len(letter) != 1 or letter.upper() not in letters:
        raise MalformedAction("seat", gettext("must be a letter from A to %(last)s") % {"last": letters[-1]})
    return letters.index(letter.upper())


def team_number(rules: Ruleset, colour: Any) -> int:
    """Return the number of the team of this colour; raises MalformedAction."""
    if colour not in rules.team_names:
        raise MalformedAction(
            "team", gettext("must be one of %(names)s") % {"names": ", ".join(rules.team_names)}
        )
    return rules.team_names.index(colour)
