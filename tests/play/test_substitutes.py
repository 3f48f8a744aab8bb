"""Seats that are offered to substitutes: who may ask, who is asked, and what the answer does (R21)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from games.accounts.attempts import TooManyAttempts
from games.accounts.models import User
from games.clubs.models import Club, Role
from games.mail.models import Mail
from games.play import queries
from games.play.models import Game, SeatOffer, Tenure
from games.play.services.organising import rule_game
from games.play.services.proposing import NotAllowed, SeatUnavailable
from games.play.services.substituting import OfferClosed, answer_offer, offer_seat
from games.play.services.upkeep import verify_game
from games.play.wording import MalformedAction
from games.rules.refusal import IllegalAction
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game, play_to_the_end

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def organiser(club: Club) -> User:
    return make_member(club, make_user("olga"), role=Role.ORGANISER).user


@pytest.fixture
def robin(club: Club) -> User:
    return make_member(club, make_user("robin")).user


@pytest.fixture
def game(club: Club, organiser: User) -> Game:
    return make_game(2, club=club)


def holder(game: Game, seat: int) -> User:
    member = game.places.get(number=seat).member
    assert member is not None
    return member


def offer(game: Game, by: User, to: User, seat: int = 0) -> SeatOffer:
    return offer_seat(organiser=by, game_id=game.pk, seat=seat, member=to, now=NOW)


def test_who_is_asked_gets_one_mail(game: Game, organiser: User, robin: User) -> None:
    first = offer(game, organiser, robin)
    again = offer(game, holder(game, 0), robin)

    assert again == first
    mail = Mail.objects.get(kind="offer")
    assert mail.key == f"offer:{game.uuid}:{first.pk}"
    assert mail.member == robin
    game.refresh_from_db()
    assert mail.refs == {
        "game": game.pk, "seat": 0, "version": game.version, "offer": first.pk, "number": first.pk,
    }  # fmt: skip


def test_only_organisers_and_the_holder_offer_a_seat(game: Game, robin: User) -> None:
    other = make_member(game.club).user

    with pytest.raises(NotAllowed):
        offer(game, holder(game, 1), robin)
    with pytest.raises(NotAllowed):
        offer(game, other, robin)
    assert not SeatOffer.objects.exists()


def test_a_seat_is_offered_to_members_without_one(game: Game, organiser: User, robin: User) -> None:
    with pytest.raises(SeatUnavailable):
        offer(game, organiser, holder(game, 1))
    with pytest.raises(MalformedAction):
        offer(game, organiser, make_user())
    with pytest.raises(MalformedAction):
        offer(game, organiser, robin, seat=7)
    play_to_the_end(game)
    with pytest.raises(IllegalAction):
        offer(game, organiser, robin)


def test_who_accepts_holds_the_seat_with_its_hand(game: Game, organiser: User, robin: User) -> None:
    before = queries.seen_game(game.pk, holder(game, 0))
    asked = offer(game, organiser, robin)

    for _ in range(2):
        answer_offer(member=robin, offer_id=asked.pk, accept=True, now=NOW)

    after = queries.seen_game(game.pk, robin)
    assert before is not None
    assert after is not None
    assert before.view is not None
    assert after.view is not None
    assert after.seat == 0
    assert after.view.hands[0] == before.view.hands[0]
    last = queries.events_after(game, before.version, 9)
    assert [(event.type, event.actor) for event in last] == [("SeatReplaced", str(robin.uuid))]
    assert Tenure.objects.get(seat__game=game, seat__number=0, until_version__isnull=True).member == robin
    assert verify_game(game.pk) == []


def test_who_declines_is_not_seated_and_cannot_accept_later(game: Game, organiser: User, robin: User) -> None:
    asked = offer(game, organiser, robin)
    answer_offer(member=robin, offer_id=asked.pk, accept=False, now=NOW)

    with pytest.raises(OfferClosed):
        answer_offer(member=robin, offer_id=asked.pk, accept=True, now=NOW)

    assert holder(game, 0) != robin
    # Asked again, it is another offer with another mail.
    assert offer(game, organiser, robin) != asked
    assert Mail.objects.filter(kind="offer").count() == 2


def test_an_offer_is_closed_once_another_has_the_seat(game: Game, organiser: User, robin: User) -> None:
    kim = make_member(game.club).user
    asked, also_asked = offer(game, organiser, robin), offer(game, organiser, kim)
    answer_offer(member=kim, offer_id=also_asked.pk, accept=True, now=NOW)

    with pytest.raises(OfferClosed):
        answer_offer(member=robin, offer_id=asked.pk, accept=True, now=NOW)

    assert holder(game, 0) == kim


def test_an_offer_is_closed_by_an_organiser_who_replaces_the_seat(
    game: Game, organiser: User, robin: User
) -> None:
    asked = offer(game, organiser, robin)
    kim = make_member(game.club).user
    game.refresh_from_db()
    data = {"act": "replace", "seat": "A"}
    rule_game(
        game_id=game.pk,
        organiser=organiser,
        data=data,
        substitute=kim,
        expected_version=game.version,
        now=NOW,
    )

    with pytest.raises(OfferClosed):
        answer_offer(member=robin, offer_id=asked.pk, accept=True, now=NOW)


def test_an_offer_is_closed_when_the_game_is_over(game: Game, organiser: User, robin: User) -> None:
    asked = offer(game, organiser, robin)
    play_to_the_end(game)

    with pytest.raises(OfferClosed):
        answer_offer(member=robin, offer_id=asked.pk, accept=True, now=NOW)


def test_an_offer_is_closed_to_who_has_left_the_club(game: Game, organiser: User, robin: User) -> None:
    asked = offer(game, organiser, robin)
    robin.memberships.update(left_at=NOW)

    with pytest.raises(OfferClosed):
        answer_offer(member=robin, offer_id=asked.pk, accept=True, now=NOW)


def test_who_was_not_asked_cannot_answer(game: Game, organiser: User, robin: User) -> None:
    asked = offer(game, organiser, robin)
    kim = make_member(game.club).user

    with pytest.raises(LookupError):
        answer_offer(member=kim, offer_id=asked.pk, accept=True, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_accept_at_once_one_has_the_seat(game: Game, organiser: User, robin: User) -> None:
    kim = make_member(game.club).user
    asked = [offer(game, organiser, robin), offer(game, organiser, kim)]
    start = Barrier(2)

    def accept(one: SeatOffer) -> Any:
        try:
            start.wait(10)
            return answer_offer(member=one.member, offer_id=one.pk, accept=True, now=NOW)
        except OfferClosed as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(accept, asked))

    assert sorted(isinstance(answer, OfferClosed) for answer in answers) == [False, True]
    game.refresh_from_db()
    kinds = [event.type for event in queries.events_after(game, 0, 99)]
    assert kinds.count("SeatReplaced") == 1


def test_a_member_is_offered_ten_seats_a_day_over_all_games(club: Club, organiser: User, robin: User) -> None:
    games = [make_game(2, club=club) for _ in range(11)]
    for game in games[:10]:
        offer(game, organiser, robin)

    offer(games[0], organiser, robin)  # asked already: no mail
    with pytest.raises(TooManyAttempts):
        offer(games[10], organiser, robin)

    assert Mail.objects.filter(kind="offer").count() == SeatOffer.objects.count() == 10
    offer(games[10], organiser, make_member(club).user)
    offer_seat(organiser=organiser, game_id=games[10].pk, seat=0, member=robin, now=NOW + timedelta(days=1))
