"""The viewer's hand on the page of a game: pictures that lead to themselves picked."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe

from games.play.pages.game.choices import Choices
from games.play.telling import svg
from games.play.telling.cards import card_note, sign_of, sign_words
from games.play.telling.spoken import card_name
from games.rules.cards import Card
from games.rules.view import View


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the viewer's hand; `url` picks it, empty when it is not asked for."""

    picture: SafeString
    name: str
    note: str
    url: str
    is_playable: bool
    is_chosen: bool


def hand_cards(view: View, choices: Choices, here: str, chosen: Card) -> list[HandCard]:
    """Return the viewer's hand, sorted as the deck is, jacks last."""
    hand = list(view.hands[view.viewer] or ()) if view.viewer is not None else []
    hand = in_order(view, hand)
    playable = {group.card for group in choices.cards}
    cards = []
    for place, card in enumerate(hand):
        # Of two equal cards one is picked.
        is_chosen = card == chosen and card not in hand[:place]
        cards.append(
            HandCard(
                picture=mark_safe(svg.card_svg(card, sign_of(view, card))),  # noqa: S308 - svg.py escapes
                name=card_name(card),
                note=card_note(view, card),
                url=f"{here}?{urlencode({'card': card})}#board" if choices.has_turn or choices.pay else "",
                is_playable=card in playable or not choices.has_turn,
                is_chosen=is_chosen,
            )
        )
    return cards


def in_order(view: View, hand: Iterable[Card]) -> list[Card]:
    """Return a hand sorted as the deck is, jacks last."""
    rules = view.ruleset
    return sorted(hand, key=lambda card: (card in rules.wild | rules.anti, rules.edition.order.get(card, 0)))


def with_hands_in_order(view: View) -> View:
    """Return a view whose hands, as far as they are known, are sorted."""
    return replace(
        view, hands=tuple(None if hand is None else tuple(in_order(view, hand)) for hand in view.hands)
    )


def hand_signs(view: View) -> list[tuple[SafeString, str]]:
    """Return the signs on the cards of the viewer's hand, each with its words."""
    hand = view.hands[view.viewer] if view.viewer is not None else None
    present = {sign_of(view, card) for card in hand or ()}
    return [
        (mark_safe(svg.sign_svg(sign)), sign_words(sign))  # noqa: S308 - built by svg.py
        for sign in svg.SIGNS
        if sign in present
    ]
