"""The deal: seal, order of the cards, cut and reshuffle, by vectors that any language can check."""

import hashlib
import itertools

import pytest

from games.rules import deal as deal_module
from games.rules.deal import HiddenDeal, ListedDeal, SecretDeal, cut, numbers, seal_of, shuffled
from games.rules.editions import load_edition
from games.rules.ruleset import make_ruleset
from games.rules.state import deal_cards

SECRET = bytes(range(32))
CLASSIC = load_edition("classic")


def digest_of(cards: list[str]) -> str:
    return hashlib.sha256(" ".join(cards).encode()).hexdigest()


def test_the_seal_is_the_published_one() -> None:
    assert seal_of(SECRET) == "5ce55e412118c5e9d32730f3f2fbc8a9e13c0cba7ae9105f6a5af78e82200bff"


def test_the_deal_without_nonces_is_the_published_one() -> None:
    deck = SecretDeal(SECRET).deck(CLASSIC)

    assert " ".join(deck[:12]) == "Jh 7s Jc 8c 3h 5c Jd 3h 6h 4s 9h Ts"
    assert digest_of(deck) == "cb491528d5653c2f603cf007a1d810386a6497d79e2c24021c08a4770e8cb34c"


def test_the_deal_with_nonces_is_the_published_one() -> None:
    deck = SecretDeal(SECRET, ("00ff", "a1")).deck(CLASSIC)

    assert " ".join(deck[:6]) == "5c Ks 2h 6h 5h Ad"
    assert digest_of(deck) == "734469ffec1565b6e90f4db28fcacca86e1dbf1bd834f5eebdc055a44d3a79f3"


def test_the_first_cut_is_the_published_one() -> None:
    dealer, rounds = cut(CLASSIC, SECRET, (), 4)

    assert rounds[0] == ("Qd", "3c", "8s", "9d")
    assert dealer == 1


def test_the_first_reshuffle_is_the_published_one() -> None:
    pile = SecretDeal(SECRET).reshuffle(1, CLASSIC.deck[:20])

    assert " ".join(pile) == "Ah As 5d 4d 3h 2s Ad 2d 2h 3c 4s 5s 2c Ac 4h 5c 5h 3d 3s 4c"


def test_the_stream_is_hmac_blocks_of_eight_integers() -> None:
    stream = list(itertools.islice(numbers(SECRET, "deal", 0, ("00ff", "a1")), 24))

    blocks = [
        deal_module.hmac.digest(SECRET, f"sequence-deal/1|deal|0|00ff,a1|{block}".encode(), "sha256")
        for block in range(3)
    ]
    words = b"".join(blocks)
    assert stream == [int.from_bytes(words[at : at + 4], "big") for at in range(0, 96, 4)]


def test_integers_that_would_make_a_number_unfair_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**32 is 1 more than a multiple of 3, so 2**32 - 1 is no fair number below 3; all are below 2."""
    given = [2**32 - 1, 1, 2**32 - 1]
    monkeypatch.setattr(deal_module, "numbers", lambda *_: iter(given))

    order = shuffled(["a", "b", "c"], SECRET, "deal", 0, ())

    assert order == ["a", "c", "b"]


def test_the_highest_fair_integer_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_module, "numbers", lambda *_: iter([2**32 - 2, 2**32 - 1]))

    order = shuffled(["a", "b", "c"], SECRET, "deal", 0, ())

    assert (2**32 - 2) % 3 == 2
    assert order == ["a", "b", "c"]


def test_every_order_of_four_cards_comes_about_equally_often() -> None:
    counts: dict[tuple[str, ...], int] = {}
    for number in range(2400):
        order = tuple(shuffled(["a", "b", "c", "d"], SECRET, "reshuffle", number, ()))
        counts[order] = counts.get(order, 0) + 1

    assert len(counts) == 24
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 50


def test_purposes_numbers_and_nonces_give_orders_of_their_own() -> None:
    orders = {
        tuple(shuffled(CLASSIC.deck, SECRET, purpose, number, nonces))
        for purpose in ("deal", "reshuffle", "cut")
        for number in (0, 1)
        for nonces in ((), ("00",), ("00", "00"))
    }

    assert len(orders) == 18


def test_a_shuffle_leaves_the_given_list_alone() -> None:
    cards = list(CLASSIC.deck)

    order = shuffled(cards, SECRET, "deal", 0, ())

    assert cards == CLASSIC.deck
    assert sorted(order) == sorted(cards)


def test_the_lowest_card_deals_and_the_ace_is_high() -> None:
    assert CLASSIC.cut_ranks["2s"] < CLASSIC.cut_ranks["3c"] < CLASSIC.cut_ranks["Ac"]
    assert CLASSIC.cut_ranks["Kd"] < CLASSIC.cut_ranks["Ac"] == CLASSIC.cut_ranks["As"]
    assert min(CLASSIC.cut_ranks.values()) == CLASSIC.cut_ranks["2c"]


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8, 9, 10, 12])
def test_a_tie_for_the_lowest_card_is_cut_again_by_all(seats: int) -> None:
    most_rounds = 0
    for number in range(120):
        secret = hashlib.sha256(f"{seats}/{number}".encode()).digest()
        dealer, rounds = cut(CLASSIC, secret, (), seats)
        most_rounds = max(most_rounds, len(rounds))

        for index, turned in enumerate(rounds):
            assert turned == tuple(shuffled(CLASSIC.deck, secret, "cut", index, ())[:seats])
            ranks = [CLASSIC.cut_ranks[card] for card in turned]
            assert (ranks.count(min(ranks)) > 1) is (index < len(rounds) - 1)
        assert ranks[dealer] == min(ranks)

    assert most_rounds >= 2


def test_cards_are_dealt_one_at_a_time_from_the_starting_seat_on() -> None:
    rules = make_ruleset(3)
    deck = SecretDeal(SECRET).deck(CLASSIC)

    state = deal_cards(rules, SecretDeal(SECRET), 1)

    assert state.hands[1] == deck[0:18:3]
    assert state.hands[2] == deck[1:18:3]
    assert state.hands[0] == deck[2:18:3]
    assert state.pile[::-1] == deck[18:]
    assert state.turn == state.start == 1


def test_a_listed_deal_refuses_a_reshuffle_that_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="does not say how reshuffle 1 fell"):
        ListedDeal(CLASSIC.deck).reshuffle(1, ["Ac"])


def test_a_listed_deal_refuses_a_reshuffle_of_other_cards() -> None:
    with pytest.raises(ValueError, match="does not hold the discarded cards"):
        ListedDeal(CLASSIC.deck, [["Ac", "2c"]]).reshuffle(1, ["Ac", "3c"])


def test_a_hidden_deal_shows_how_many_cards_there_are_and_no_more() -> None:
    deal = HiddenDeal()

    assert deal.deck(CLASSIC) == ["?"] * 104
    assert deal.reshuffle(1, ["Ac", "2c"]) == ["?"] * 2
