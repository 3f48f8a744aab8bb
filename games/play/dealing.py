"""The deal of a game that is over: laid open, and checked against its seal and its events (R6)."""

from dataclasses import dataclass, field
from typing import Any

from games.play.folding import Loaded
from games.rules.cards import HIDDEN, Card
from games.rules.deal import Deal, SecretDeal, cut, seal_of
from games.rules.editions import Edition
from games.rules.events import GameStarted
from games.rules.evolve import CorruptEvents, fold
from games.rules.state import deal_cards


@dataclass(frozen=True, slots=True)
class PublishedDeal:
    """Every order of cards in a game, the top card first; what a record does not say is None.

    `seal_holds`: the secret is the sealed one. `deal_holds`: the cut, the first seat, the deck and all
    draws follow from it. Without a secret, or a seal, there is nothing to hold: None.
    """

    seal: str | None
    secret: str | None
    nonces: tuple[str, ...]
    cuts: tuple[tuple[Card, ...], ...]
    start: int
    deck: list[Card] | None
    reshuffles: list[list[Card]] = field(default_factory=list)
    seal_holds: bool | None = None
    deal_holds: bool | None = None


class _Watched:
    """Deals as `deal` does and remembers each new pile."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.piles: list[list[Card]] = []

    def deck(self, edition: Edition) -> list[Card]:
        return self.deal.deck(edition)

    def reshuffle(self, number: int, discards: list[Card]) -> list[Card]:
        pile = self.deal.reshuffle(number, discards)
        self.piles.append(list(pile))
        return pile


def publish_deal(loaded: Loaded, secret_hex: str) -> PublishedDeal:
    """Return the deal of a folded game; `secret_hex` is what its last event reveals, or empty."""
    start = loaded.events[0]
    if loaded.state is None or not isinstance(start, GameStarted):
        raise ValueError("the game has not started")
    deal: Deal = SecretDeal(bytes.fromhex(secret_hex), start.nonces) if secret_hex else loaded.state.deal
    watched = _Watched(deal)
    state = deal_cards(loaded.rules, watched, start.start)
    try:
        fold(state, loaded.events[1:])
        folds = (state.hands, state.chips) == (loaded.state.hands, loaded.state.chips)
    except (CorruptEvents, ValueError):
        folds = False
    deck = deal.deck(loaded.rules.edition)
    known = HIDDEN not in deck
    facts: dict[str, Any] = {
        "seal": loaded.seal or None,
        "secret": secret_hex or None,
        "nonces": start.nonces,
        "cuts": start.cuts,
        "start": start.start,
        "deck": deck if known else None,
        "reshuffles": watched.piles if known else [],
    }
    if secret_hex:
        secret = bytes.fromhex(secret_hex)
        facts["seal_holds"] = seal_of(secret) == loaded.seal if loaded.seal else None
        facts["deal_holds"] = folds and (not start.cuts or _cut_holds(loaded, secret, start))
    return PublishedDeal(**facts)


def _cut_holds(loaded: Loaded, secret: bytes, start: GameStarted) -> bool:
    dealer, cuts = cut(loaded.rules.edition, secret, start.nonces, loaded.rules.seats)
    return start.cuts == cuts and start.start == (dealer + 1) % loaded.rules.seats
