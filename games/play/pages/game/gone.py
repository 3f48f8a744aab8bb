"""Which cards are gone: how many of each lie in the discards, for all to see."""

from collections import Counter
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.play.telling import svg
from games.play.telling.spoken import PLAYING_CARD, RANKS, SUITS, card_name
from games.rules.cards import HIDDEN
from games.rules.view import View


@dataclass(frozen=True, slots=True)
class GoneCell:
    """How many of one card are gone; `kind` is `one`, `all` or empty."""

    name: str
    count: str
    kind: str


@dataclass(frozen=True, slots=True)
class GoneRow:
    code: str
    suit: SafeString
    name: str
    cells: list[GoneCell]


@dataclass(frozen=True, slots=True)
class Gone:
    """A table of ranks and suits, the jacks in words, and what is no playing card."""

    ranks: list[str]
    rows: list[GoneRow]
    jacks: list[str]
    others: list[str]


def gone_cards(view: View) -> Gone:
    """Return the table; cards that were shuffled into a new draw pile are not gone any more (R12)."""
    rules = view.ruleset
    gone = Counter(card for discards in view.discards for card in discards if card != HIDDEN)
    codes = rules.edition.codes
    packs = rules.edition.packs
    ranks = [rank for rank in RANKS if any(code[:1] == rank and PLAYING_CARD.match(code) for code in codes)]
    rows = []
    for suit, word in SUITS.items():
        cells = [_cell(f"{rank}{suit}", gone[f"{rank}{suit}"], packs) for rank in ranks]
        if any(code.endswith(suit) and PLAYING_CARD.match(code) for code in codes):
            picture = mark_safe(svg.suit_svg(suit))  # noqa: S308 - a constant
            rows.append(GoneRow(suit, picture, str(word), cells))
    return Gone(
        ranks=["10" if rank == "T" else rank for rank in ranks],
        rows=rows,
        jacks=_jacks(view, gone),
        others=[f"{code}: {gone[code]}" for code in codes if gone[code] and not PLAYING_CARD.match(code)],
    )


def _cell(card: str, count: int, packs: int) -> GoneCell:
    kind = "all" if count >= packs else "one" if count else ""
    return GoneCell(card_name(card), str(count) if count else "·", kind)


def _jacks(view: View, gone: Counter[str]) -> list[str]:
    rules = view.ruleset
    sentences = []
    for cards, words in (
        (rules.wild, gettext("Jacks that go anywhere: %(gone)s of %(all)s gone.")),
        (rules.anti, gettext("Jacks that remove: %(gone)s of %(all)s gone.")),
    ):
        if cards:
            count = sum(gone[card] for card in cards)
            sentences.append(words % {"gone": str(count), "all": str(len(cards) * rules.edition.packs)})
    return sentences
