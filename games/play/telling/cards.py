"""What is special about a card in a hand: a jack, or dead (R8, R13)."""

from django.utils.translation import gettext

from games.rules.cards import Card
from games.rules.view import View


def sign_of(view: View, card: Card) -> str:
    """Return what is special about a card, as svg.SIGNS names it: a jack, or dead (R8, R13)."""
    rules = view.ruleset
    if card in rules.wild:
        return "anywhere"
    if card in rules.anti:
        return "removes"
    taken = rules.board.corner_mask
    for chips in view.chips:
        taken |= chips
    return "dead" if all(taken >> space & 1 for space in rules.edition.spaces_for(card)) else ""


def card_note(view: View, card: Card) -> str:
    """Return what is special about a card in words, empty for most."""
    sign = sign_of(view, card)
    return sign_words(sign) if sign else ""


def sign_words(sign: str) -> str:
    return {
        "anywhere": gettext("place anywhere"),
        "removes": gettext("remove a chip"),
        "dead": gettext("dead"),
    }[sign]
