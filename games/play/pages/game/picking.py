"""What the address of a game's page has picked, `?card=Qd&space=c5`: nothing of it is played by that.

A card, a space, both, or neither; with both (or where only one is possible) the ways to play them, and where
there is none, why.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext, ngettext

from games.play.pages.game.choices import CardChoices, Choice, Choices
from games.play.queries import Seen
from games.play.telling import refusals
from games.play.telling.spoken import card_name, line_names, space_name, team_word
from games.play.telling.svg import Preview, owner_in
from games.rules import actions as act
from games.rules.board import Space
from games.rules.cards import Card
from games.rules.decide import decide
from games.rules.refusal import IllegalAction
from games.rules.view import View


@dataclass(slots=True)
class Picked:
    """What is picked: `ways` are the plays that it means, `cards` those to pick from for a space alone."""

    card: Card = ""
    space: Space | None = None
    group: CardChoices | None = None
    ways: list[Choice] = field(default_factory=list)
    cards: list[CardChoices] = field(default_factory=list)
    why: str = ""
    """Why what is picked cannot be played, as a sentence."""

    @property
    def is_anything(self) -> bool:
        return bool(self.card) or self.space is not None

    @property
    def is_play(self) -> bool:
        """Whether nothing but the word is missing to play."""
        return bool(self.ways)


def picked_in(seen: Seen, choices: Choices, query: Mapping[str, str]) -> Picked:
    """Return what `query` picks, as far as the viewer is on turn, or owes a card, and holds the card."""
    view = seen.view
    if view is None or view.viewer is None:
        return Picked()
    hand = view.hands[view.viewer] or ()
    card = query.get("card", "")
    card = card if card in hand else ""
    if not choices.has_turn:
        return Picked(card) if choices.pay else Picked()
    space = view.ruleset.board.space_by_name.get(query.get("space", "").lower())
    if not card and space is not None:
        fitting = [group for group in choices.cards if space in group.spaces]
        # A jack, which goes to many spaces, is offered last.
        fitting.sort(key=lambda group: len(group.spaces))
        if len(fitting) != 1:
            why = "" if fitting else why_no_card(view, space)
            return Picked(space=space, cards=fitting, why=why)
        card = fitting[0].card
    if not card:
        return Picked()
    group = choices.group_of(card)
    picked = Picked(card, space, group)
    if group is None:
        picked.why = why_not_card(seen, card)
    elif space is None:
        # Where there is but one way, a swap or one space, it is the one that is meant.
        if len(group.spaces) <= 1:
            picked.ways = list(group.choices)
            picked.space = group.choices[0].space
    else:
        picked.ways = group.spaces.get(space, [])
        picked.why = "" if picked.ways else why_not_there(seen, card, space)
    return picked


def why_no_card(view: View, space: Space) -> str:
    """Return why no card of the hand can be played on a space."""
    rules = view.ruleset
    name = rules.board.names[space]
    if rules.edition.printed[space] is None:
        return gettext("%(space)s is a corner: it takes no chip, and counts for every team (R1).") % {
            "space": name
        }
    if owner_in(view, space) is not None:
        return gettext("A chip stands on %(space)s already, and you cannot remove it now (R8).") % {
            "space": name
        }
    return gettext("None of your cards goes to %(space)s (R8).") % {"space": space_name(rules, space)}


def why_not_there(seen: Seen, card: Card, space: Space) -> str:
    """Return why a card that can be played cannot be played on this space."""
    state, seat = seen.loaded.state, seen.seat
    if state is None or seat is None:
        return ""
    rules = state.ruleset
    own = rules.edition.spaces_for(card)
    if card not in rules.wild | rules.anti and space not in own:
        words = gettext("The %(card)s goes to %(spaces)s, not to %(space)s (R8).")
        return words % {
            "card": card_name(card),
            "spaces": gettext(" and ").join(rules.board.names[s] for s in own),
            "space": rules.board.names[space],
        }
    asked = act.RemoveChip(seat, card, space) if card in rules.anti else act.PlaceChip(seat, card, space)
    return _refusal(seen, asked)


def why_not_card(seen: Seen, card: Card) -> str:
    """Return why a card of the hand cannot be played at all now."""
    state, seat, view = seen.loaded.state, seen.seat, seen.view
    if state is None or seat is None or view is None:
        return ""
    rules = state.ruleset
    name = card_name(card).capitalize()
    if card in rules.anti:
        return gettext("%(card)s: no chip of another team can be removed now (R8).") % {"card": name}
    own = rules.edition.spaces_for(card)
    if card not in rules.wild and all(state.occupied >> space & 1 for space in own):
        dead = gettext("%(card)s is dead: both its spaces are covered (R13).") % {"card": name}
        return f"{dead} {_refusal(seen, act.SwapCard(seat, card))}".rstrip()
    free = next((space for space in range(rules.board.size) if not state.occupied >> space & 1), None)
    if free is None:
        return gettext("%(card)s: no space is empty (R8).") % {"card": name}
    return _refusal(seen, act.PlaceChip(seat, card, free if card in rules.wild else own[0]))


def _refusal(seen: Seen, action: act.SeatAction) -> str:
    """Return what the rules say against an action, empty if nothing."""
    if seen.loaded.state is None:
        return ""
    try:
        decide(seen.loaded.state, action)
    except IllegalAction as error:
        return refusals.in_words(error)
    return ""


def play_words(view: View, choice: Choice) -> str:
    """Return what a play would do, as a sentence."""
    words = {
        "place": gettext("The %(card)s: a chip on %(space)s."),
        "remove": gettext("The %(card)s: the %(team)s chip on %(space)s goes away."),
        "swap": gettext(
            "The %(card)s is dead: both its spaces are covered. Show it and draw another card; it is still"
            " your turn then (R13)."
        ),
        "discard": gettext("Discard the %(card)s and draw (R14)."),
    }[choice.act]
    owner = None if choice.space is None else owner_in(view, choice.space)
    return words % {
        "card": card_name(choice.value.split()[1]),
        "space": "" if choice.space is None else choice.space_name,
        "team": "" if owner is None else team_word(view.ruleset.team_names[owner]),
    }


def lines_words(view: View, choice: Choice) -> str:
    """Return which lines a play completes and whether they win, empty if none."""
    rules, team = view.ruleset, (view.viewer or 0) % view.ruleset.teams
    if not choice.lines:
        return ""
    names = line_names(rules.board.ends(mask) for mask in choice.lines)
    told = ngettext(
        "It completes the line %(lines)s.", "It completes the lines %(lines)s.", len(choice.lines)
    )
    done = sum(owner == team for owner, _ in view.lines) + len(choice.lines)
    wins = rules.end == "race" and done >= rules.lines_to_win
    told %= {"lines": names}
    return f"{told} {_wins()}" if wins else told


def _wins() -> str:
    return gettext("That wins the game.")


def preview_of(view: View, picked: Picked) -> Preview | None:
    """Return what the board shows of a play that is picked."""
    if not picked.ways or picked.ways[0].space is None or view.viewer is None:
        return None
    way = picked.ways[0]
    lines = way.lines if len(picked.ways) == 1 else ()
    return Preview(picked.ways[0].space, view.viewer % view.ruleset.teams, way.is_removal, lines)
