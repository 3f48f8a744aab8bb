"""What the viewer of a game may do now, as choices of a form, and a posted choice as a request.

A choice is a few words: `place Qd c5`, `place Qd c5 a5-e5,c3-c7` to name lines, `swap 4h`, `pass`.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext

from games.play.queries import Seen, legal_for
from games.play.telling.spoken import card_name, line_names
from games.play.wording import CARD_ACTS, SEAT_ACTS, SPACE_ACTS, MalformedAction
from games.rules import actions as act
from games.rules.board import Line, Space
from games.rules.cards import Card
from games.rules.claims import full_lines, largest_sets
from games.rules.state import State
from games.rules.view import View


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be chosen: `value` is what the form posts."""

    value: str
    label: str
    space: Space | None = None
    lines: tuple[int, ...] = ()
    """The masks of the lines that count, or are announced, with it."""

    @property
    def space_name(self) -> str:
        return self.value.split()[2]

    @property
    def act(self) -> str:
        return self.value.split()[0]

    @property
    def is_removal(self) -> bool:
        return self.act == "remove"


@dataclass(slots=True)
class CardChoices:
    """What can be done with one card on the viewer's turn."""

    card: Card
    name: str
    count: int
    choices: list[Choice] = field(default_factory=list)

    @property
    def spaces(self) -> dict[Space, list[Choice]]:
        """The spaces that the card may go to, each with the ways to play there."""
        found: dict[Space, list[Choice]] = {}
        for choice in self.choices:
            if choice.space is not None:
                found.setdefault(choice.space, []).append(choice)
        return found


@dataclass(slots=True)
class Choices:
    """All that the viewer may do: on their turn by card, and out of turn."""

    cards: list[CardChoices] = field(default_factory=list)
    others: list[Choice] = field(default_factory=list)
    pay: list[Choice] = field(default_factory=list)
    can_draw: bool = False

    @property
    def has_turn(self) -> bool:
        """Whether the form of the turn has anything to offer."""
        return bool(self.cards or self.others)

    def group_of(self, card: Card) -> CardChoices | None:
        return next((group for group in self.cards if group.card == card), None)

    def limited_to(self, acts: Collection[str]) -> "Choices":
        """Return those of these choices that are among `acts`."""
        cards = [replace(group, choices=_among(group.choices, acts)) for group in self.cards]
        return Choices(
            cards=[group for group in cards if group.choices],
            others=_among(self.others, acts),
            pay=_among(self.pay, acts),
            can_draw=self.can_draw and "draw" in acts,
        )


def _among(choices: list[Choice], acts: Collection[str]) -> list[Choice]:
    return [choice for choice in choices if choice.act in acts]


def choices_for(seen: Seen) -> Choices:
    """Return what the viewer may do in the game as they see it."""
    found = Choices()
    state, view = seen.loaded.state, seen.view
    if state is None or view is None or seen.seat is None:
        return found
    by_card: dict[Card, CardChoices] = {}
    for action in legal_for(seen):
        match action:
            case act.PlaceChip() | act.RemoveChip():
                _group(by_card, view, action.card).choices.extend(_plays(state, action))
            case act.SwapCard():
                label = gettext("show it as dead and swap it (R13)")
                _group(by_card, view, action.card).choices.append(Choice(f"swap {action.card}", label))
            case act.DiscardCard():
                label = gettext("discard it and draw (R14)")
                _group(by_card, view, action.card).choices.append(Choice(f"discard {action.card}", label))
            case act.PassTurn():
                found.others.append(Choice("pass", gettext("Pass: no card can be played (R14)")))
            case act.PayCard():
                found.pay.append(Choice(f"pay {action.card}", card_name(action.card)))
            case act.DrawCard():
                found.can_draw = True
    found.cards = list(by_card.values())
    found.others += _announcements(state, seen.seat)
    return found


def _group(by_card: dict[Card, CardChoices], view: View, card: Card) -> CardChoices:
    hand = view.hands[view.viewer or 0] or ()
    return by_card.setdefault(card, CardChoices(card, card_name(card), hand.count(card)))


def _plays(state: State, action: act.PlaceChip | act.RemoveChip) -> Iterator[Choice]:
    """Yield a placement or removal: once, or once for each way to count or announce its lines."""
    space = state.board.names[action.space]
    kind = "place" if isinstance(action, act.PlaceChip) else "remove"
    value = f"{kind} {action.card} {space}"
    must_announce = state.ruleset.claim == "announce"
    sets = _line_sets(state, action) if kind == "place" or must_announce else []
    if not sets or must_announce:
        yield Choice(value, space, action.space)
    elif len(sets) == 1:
        label = gettext("%(space)s: completes %(lines)s")
        words = label % {"space": space, "lines": _named(state, sets[0])}
        yield Choice(value, words, action.space, _masks(sets[0]))
        return
    label = (
        gettext("%(space)s, announcing %(lines)s")
        if must_announce
        else gettext("%(space)s: counts as %(lines)s")
    )
    for lines in sets:
        words = label % {"space": space, "lines": _named(state, lines)}
        yield Choice(f"{value} {_ends(state, lines)}", words, action.space, _masks(lines))


def _line_sets(state: State, action: act.PlaceChip | act.RemoveChip) -> list[tuple[Line, ...]]:
    team = state.team_of[action.seat]
    chips = state.chips[team]
    if isinstance(action, act.PlaceChip):
        chips |= 1 << action.space
    through = None if state.ruleset.claim == "announce" else action.space
    return largest_sets(state, team, full_lines(state, team, chips, through))


def _announcements(state: State, seat: int) -> list[Choice]:
    """Return the announcements that a seat on turn may make without a play (R18)."""
    if state.ruleset.claim != "announce" or state.turn != seat or state.debts[seat]:
        return []
    team = state.team_of[seat]
    return [
        Choice(
            f"announce {_ends(state, lines)}",
            gettext("Announce %(lines)s (R18)") % {"lines": _named(state, lines)},
            lines=_masks(lines),
        )
        for lines in largest_sets(state, team, full_lines(state, team, state.chips[team]))
    ]


def _masks(lines: tuple[Line, ...]) -> tuple[int, ...]:
    return tuple(line.mask for line in lines)


def _ends(state: State, lines: tuple[Line, ...]) -> str:
    return ",".join("-".join(state.board.ends(line.mask)) for line in lines)


def _named(state: State, lines: tuple[Line, ...]) -> str:
    return line_names(state.board.ends(line.mask) for line in lines)


def request_from(choice: str) -> dict[str, Any]:
    """Return the request that a posted choice means.

    Raises MalformedAction; whether the request is legal is for the rules to say.
    """
    words = choice.split()
    if not words:
        raise MalformedAction("choice", gettext("choose what to do first"))
    kind = words[0]
    if kind not in SEAT_ACTS:
        raise MalformedAction("choice", gettext("this is nothing that a seat can do"))
    data: dict[str, Any] = {"act": kind}
    if kind in CARD_ACTS:
        data["card"] = words[1] if len(words) > 1 else ""
        rest = words[2:]
        if kind in SPACE_ACTS:
            if not rest:
                raise MalformedAction("space", gettext("choose a space for this card"))
            data["space"], rest = rest[0], rest[1:]
    else:
        rest = words[1:]
    if rest:
        data["lines"] = [line.split("-") for line in rest[0].split(",")]
    return data
