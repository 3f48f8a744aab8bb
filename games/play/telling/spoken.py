"""Cards, spaces and teams in the words that pages say; translated when they are turned into text."""

import re
from collections.abc import Iterable
from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, pgettext_lazy

from games.rules.board import Space
from games.rules.cards import HIDDEN, Card
from games.rules.ruleset import Ruleset

PLAYING_CARD = re.compile(r"\A([2-9TJQKA])([cdhs])\Z")

RANKS: dict[str, str | Promise] = {
    "A": pgettext_lazy("rank of a card", "ace"),
    "2": pgettext_lazy("rank of a card", "two"),
    "3": pgettext_lazy("rank of a card", "three"),
    "4": pgettext_lazy("rank of a card", "four"),
    "5": pgettext_lazy("rank of a card", "five"),
    "6": pgettext_lazy("rank of a card", "six"),
    "7": pgettext_lazy("rank of a card", "seven"),
    "8": pgettext_lazy("rank of a card", "eight"),
    "9": pgettext_lazy("rank of a card", "nine"),
    "T": pgettext_lazy("rank of a card", "ten"),
    "J": pgettext_lazy("rank of a card", "jack"),
    "Q": pgettext_lazy("rank of a card", "queen"),
    "K": pgettext_lazy("rank of a card", "king"),
}
SUITS: dict[str, str | Promise] = {
    "c": pgettext_lazy("suit of a card", "clubs"),
    "d": pgettext_lazy("suit of a card", "diamonds"),
    "h": pgettext_lazy("suit of a card", "hearts"),
    "s": pgettext_lazy("suit of a card", "spades"),
}
TEAMS: dict[str, str | Promise] = {
    "blue": pgettext_lazy("team", "blue"),
    "green": pgettext_lazy("team", "green"),
    "red": pgettext_lazy("team", "red"),
}

SHAPES: tuple[str | Promise, ...] = (
    pgettext_lazy("shape of a chip", "disc"),
    pgettext_lazy("shape of a chip", "diamond"),
    pgettext_lazy("shape of a chip", "triangle"),
)


def face(card: Card) -> tuple[str, str]:
    """Return the rank and suit to print, `("10", "d")`; the suit is empty for cards of other material."""
    match = PLAYING_CARD.match(card)
    if match is None:
        return card, ""
    rank, suit = match.groups()
    return ("10" if rank == "T" else rank), suit


def card_name(card: Card) -> str:
    """Return "queen of diamonds"; the code itself for cards of other material."""
    return _card_name(card, get_language())


@lru_cache(maxsize=1000)
def _card_name(card: Card, language: str | None) -> str:
    # A page says some two hundred names of cards: each is put together once in each language.
    match = PLAYING_CARD.match(card)
    if match is None:
        return gettext("a hidden card") if card == HIDDEN else card
    rank, suit = match.groups()
    # Translators: the name of a card, "queen of diamonds"; nl puts the suit first, in one word.
    return gettext("%(rank)s of %(suit)s") % {"rank": RANKS[rank], "suit": SUITS[suit]}


def team_word(name: str) -> str:
    """Return the word for a team's colour."""
    return str(TEAMS.get(name, name))


def team_and_shape(team: int, name: str) -> str:
    """Return "red, triangle": the shape of its chips tells a team where colours do not."""
    return f"{team_word(name)}, {SHAPES[team]}" if team < len(SHAPES) else team_word(name)


def space_name(rules: Ruleset, space: Space) -> str:
    """Return "c5, queen of diamonds", or what a corner is."""
    card = rules.edition.printed[space]
    what = gettext("corner, free for every team") if card is None else card_name(card)
    return f"{rules.board.names[space]}, {what}"


def line_names(lines: Iterable[Iterable[str]]) -> str:
    """Return "a1-a5 and c5-g5" for lines given by their two ends."""
    return gettext(" and ").join("-".join(ends) for ends in lines)
