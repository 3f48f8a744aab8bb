"""Where the order of the cards comes from: a secret, its seal, and the published algorithm.

`docs/record-format.md` gives the algorithm for checking a deal in any language.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from itertools import count
from typing import Protocol

from games.rules.cards import HIDDEN, Card
from games.rules.editions import Edition

SECRET_BYTES = 32
_RANGE = 1 << 32
_WORDS = struct.Struct(">8I")


class Deal(Protocol):
    """A source of card orders; the top card comes first."""

    def deck(self, edition: Edition) -> list[Card]:
        """Return the order of the whole deck."""
        ...

    def reshuffle(self, number: int, discards: list[Card]) -> list[Card]:
        """Return the order of the new pile; `number` counts from 1, `discards` are in canonical order."""
        ...


def seal_of(secret: bytes) -> str:
    """Return the hex seal that is published before a game starts."""
    return hashlib.sha256(b"sequence-seal/1|" + secret).hexdigest()


def numbers(secret: bytes, purpose: str, number: int, nonces: tuple[str, ...]) -> Iterator[int]:
    """Yield the endless stream of 32-bit integers of one purpose."""
    prefix = f"sequence-deal/1|{purpose}|{number}|{','.join(nonces)}|"
    for block in count():
        yield from _WORDS.unpack(hmac.digest(secret, f"{prefix}{block}".encode("ascii"), "sha256"))


def shuffled(
    cards: list[Card], secret: bytes, purpose: str, number: int, nonces: tuple[str, ...]
) -> list[Card]:
    """Return `cards` in the order that the secret gives for this purpose."""
    order = list(cards)
    stream = numbers(secret, purpose, number, nonces)
    for last in range(len(order) - 1, 0, -1):
        below = last + 1
        value = next(stream)
        while value >= _RANGE - _RANGE % below:
            value = next(stream)
        pick = value % below
        order[last], order[pick] = order[pick], order[last]
    return order


def cut(
    edition: Edition, secret: bytes, nonces: tuple[str, ...], seats: int
) -> tuple[int, tuple[tuple[Card, ...], ...]]:
    """Return the seat that deals and each round of cutting, a card a seat (R6)."""
    rounds: list[tuple[Card, ...]] = []
    while True:
        turned = tuple(shuffled(edition.deck, secret, "cut", len(rounds), nonces)[:seats])
        rounds.append(turned)
        heights = [edition.cut_ranks[card] for card in turned]
        if heights.count(min(heights)) == 1:
            return heights.index(min(heights)), tuple(rounds)


class SecretDeal:
    """The order that a secret and the seats' nonces give."""

    def __init__(self, secret: bytes, nonces: tuple[str, ...] = ()) -> None:
        self.secret = secret
        self.nonces = nonces

    def deck(self, edition: Edition) -> list[Card]:
        return shuffled(edition.deck, self.secret, "deal", 0, self.nonces)

    def reshuffle(self, number: int, discards: list[Card]) -> list[Card]:
        return shuffled(discards, self.secret, "reshuffle", number, self.nonces)


class ListedDeal:
    """An order written down: a game played over the board, or a test."""

    def __init__(self, deck: list[Card], reshuffles: list[list[Card]] | None = None) -> None:
        self.cards = deck
        self.reshuffles = reshuffles or []

    def deck(self, edition: Edition) -> list[Card]:
        return list(self.cards)

    def reshuffle(self, number: int, discards: list[Card]) -> list[Card]:
        """Return the listed pile; raises ValueError where it is missing or holds other cards."""
        if number > len(self.reshuffles):
            raise ValueError(f"the deal does not say how reshuffle {number} fell")
        listed = self.reshuffles[number - 1]
        if sorted(listed) != sorted(discards):
            raise ValueError(f"reshuffle {number} of the deal does not hold the discarded cards")
        return list(listed)


class HiddenDeal:
    """An order that the reader does not know: every card is hidden."""

    def deck(self, edition: Edition) -> list[Card]:
        return [HIDDEN] * len(edition.deck)

    def reshuffle(self, number: int, discards: list[Card]) -> list[Card]:
        return [HIDDEN] * len(discards)
