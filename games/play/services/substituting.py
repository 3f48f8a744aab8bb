"""Substitutes: asking a member to take over a seat, the answer, and the change of hands (R21)."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext

from games.accounts.attempts import take_attempt
from games.accounts.models import SignInAttempt, User
from games.clubs.queries import is_organiser, membership_of
from games.mail.outbox import Draft, enqueue
from games.play.models import Seat, SeatOffer, Status, Tenure
from games.play.services.locking import GameNotFound, Locked, load_locked, load_rest, lock_game
from games.play.services.notices import tell_replaced
from games.play.services.proposing import NotAllowed, SeatUnavailable
from games.play.services.requests import carry_out
from games.play.wording import MalformedAction
from games.rules.actions import ReplaceSeat
from games.rules.refusal import refuse

OFFERS_A_DAY = 10
"""So many seats are offered to one member, over all games: each is a mail at once."""


class OfferClosed(ValueError):
    """The seat is not offered to this member any more: answered, taken over by another, left, game over."""


def replace_seat(locked: Locked, seat: int, substitute: User | None, *, by: User, now: datetime) -> None:
    """Let `substitute` hold `seat` with its hand from now on; what was offered of it is closed.

    `by` is an organiser, or the substitute who has accepted.
    Raises MalformedAction, SeatUnavailable, IllegalAction.
    """
    if substitute is None or membership_of(substitute, locked.game.club) is None:
        raise MalformedAction("member", gettext("name a member of the club"))
    if locked.seat_of(substitute) is not None:
        raise SeatUnavailable("this member holds a seat in the game already")
    place = locked.places[seat]
    _check_in_play(place)
    former = place.member_id
    # First the row, so that the mail of the turn goes to the substitute.
    Seat.objects.filter(pk=place.pk).update(member=substitute, is_bot=False)
    place.member, place.is_bot = substitute, False
    carry_out(locked, ReplaceSeat(seat, str(substitute.uuid)), actor=by.uuid, now=now)
    version = locked.game.version
    Tenure.objects.filter(seat=place, until_version__isnull=True).update(until_version=version, until=now)
    Tenure.objects.create(seat=place, member=substitute, from_version=version, since=now)
    open_offers = SeatOffer.objects.filter(game=locked.game, seat=seat, answered_at__isnull=True)
    open_offers.update(answered_at=now)
    tell_replaced(locked, place, former, by, now)


def offer_seat(*, organiser: User, game_id: int, seat: int, member: User, now: datetime) -> SeatOffer:
    """Ask `member` by mail to take over `seat`; an organiser of the club may, and whoever holds the seat.

    Who is asked already is not asked twice. Raises GameNotFound, NotAllowed, MalformedAction,
    SeatUnavailable, IllegalAction, and TooManyAttempts above OFFERS_A_DAY to `member`.
    """
    with transaction.atomic(durable=True):
        locked = load_locked(game_id, viewer=organiser)
        if locked.game.status != Status.ACTIVE:
            refuse("game_over", "R7", "the game is not running")
        if not 0 <= seat < len(locked.places):
            raise MalformedAction(
                "seat", gettext("the game has %(seats)s seats only") % {"seats": str(len(locked.places))}
            )
        place = locked.places[seat]
        if place.member_id != organiser.pk and not is_organiser(organiser, locked.game.club):
            raise NotAllowed("only who holds the seat, or an organiser of the club, may offer it")
        _check_in_play(place)
        if membership_of(member, locked.game.club) is None:
            raise MalformedAction("member", gettext("name a member of the club"))
        if locked.seat_of(member) is not None:
            raise SeatUnavailable("this member holds a seat in the game already")
        offer, is_new = SeatOffer.objects.get_or_create(
            game=locked.game,
            seat=seat,
            member=member,
            answered_at=None,
            defaults={"offered_by": organiser, "offered_at": now},
        )
        if is_new:
            take_attempt(
                kind=SignInAttempt.Kind.INVITATION,
                key=f"offer:{member.uuid}",
                limit=OFFERS_A_DAY,
                window=timedelta(days=1),
                now=now,
            )
            enqueue([_mail(locked, offer)], now=now)
    return offer


def answer_offer(*, member: User, offer_id: int, accept: bool, now: datetime) -> SeatOffer:
    """Take over the offered seat, or decline it; the same answer twice is one answer.

    Raises GameNotFound where `member` was never asked, OfferClosed, SeatUnavailable.
    """
    asked = SeatOffer.objects.filter(pk=offer_id, member=member).first()
    if asked is None:
        raise GameNotFound("this member was not asked")
    with transaction.atomic(durable=True):
        game, source = lock_game(asked.game_id)
        offer = SeatOffer.objects.get(pk=asked.pk)
        if offer.answered_at is not None:
            if offer.is_accepted == accept:
                return offer
            raise OfferClosed("the offer is answered already, or another has taken over the seat")
        if accept:
            locked = load_rest(game, source)
            if game.status != Status.ACTIVE or not locked.places[offer.seat].is_active:
                raise OfferClosed("the seat is not in play any more")
            if membership_of(member, game.club) is None:
                raise OfferClosed("only members of the club take over its seats")
            SeatOffer.objects.filter(pk=offer.pk).update(answered_at=now, is_accepted=True)
            replace_seat(locked, offer.seat, member, by=member, now=now)
        else:
            SeatOffer.objects.filter(pk=offer.pk).update(answered_at=now)
    offer.answered_at, offer.is_accepted = now, accept
    return offer


def _check_in_play(place: Seat) -> None:
    if not place.is_active:
        refuse("not_active", "R21", "this seat is not in the game any more")


def _mail(locked: Locked, offer: SeatOffer) -> Draft:
    return Draft(
        f"offer:{locked.game.uuid}:{offer.pk}",
        "offer",
        member_id=offer.member_id,
        refs={
            "game": locked.game.pk,
            "seat": offer.seat,
            "version": locked.game.version,
            "offer": offer.pk,
            "number": offer.pk,
        },
    )
