"""Hands, draw pile and discards (R12, R13)."""

from collections.abc import Callable

from tests.model.board import canonical

Shuffle = Callable[[int, list[str]], list[str]]


class Cards:
    """`events` is the list that whatever happens is told to; item 0 of the pile is its top."""

    def __init__(
        self,
        *,
        hands: list[list[str]],
        pile: list[str],
        discards: dict[int, list[str]],
        mode: str,
        shuffle: Shuffle | None,
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.pile = list(pile)
        self.discards = [list(discards.get(seat, [])) for seat in range(len(hands))]
        self.out: list[str] = []
        self.mode = mode
        self.shuffle = shuffle
        self.reshuffles = 0
        self.events: list[dict] = []

    def can_draw(self) -> bool:
        return bool(self.pile) or (self.mode != "never" and any(self.discards))

    def discard(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.discards[seat].append(card)

    def reshuffle(self) -> None:
        """Make all discards the new pile; nothing happens without discards."""
        cards = sorted((card for pile in self.discards for card in pile), key=canonical)
        if not cards:
            return
        self.reshuffles += 1
        self.pile = list(self.shuffle(self.reshuffles, list(cards))) if self.shuffle else cards
        self.discards = [[] for _seat in self.discards]
        self.events.append({"event": "reshuffle", "n": self.reshuffles, "pile": list(self.pile)})

    def reshuffle_if_eager(self) -> None:
        if self.mode == "eager" and not self.pile:
            self.reshuffle()

    def take_top(self, seat: int) -> None:
        card = self.pile.pop(0)
        self.hands[seat].append(card)
        self.events.append({"event": "draw", "seat": seat, "card": card})

    def draw(self, seat: int) -> None:
        """One card if there is any."""
        if not self.can_draw():
            self.events.append({"event": "draw", "seat": seat, "card": None})
            return
        if not self.pile:
            self.reshuffle()
        self.take_top(seat)
        self.reshuffle_if_eager()

    def swap(self, seat: int, card: str) -> None:
        """R13; a replacement must exist. The card swapped is never in the reshuffle that replaces it."""
        if self.pile:
            self.discard(seat, card)
            self.take_top(seat)
        else:
            self.reshuffle()
            self.take_top(seat)
            self.discard(seat, card)
        self.reshuffle_if_eager()

    def lay_down(self, seat: int, *, out: bool) -> None:
        """The hand of a seat that leaves (R21)."""
        (self.out if out else self.discards[seat]).extend(self.hands[seat])
        self.hands[seat] = []
