"""The mails about who sits where: a seat is kept, given, or another's."""

import re
from typing import Any

import pytest

from games.accounts.models import User
from games.clubs.models import Club
from games.play.clocks import Clock
from games.play.mails.board_text import card_text
from games.play.models import Game
from games.play.services import proposing
from games.play.services.substituting import answer_offer, offer_seat
from tests.builders import NOW, make_club, make_member, make_user
from tests.mails import letter, rendered, section
from tests.play.mails.table import NAMES, change, hand_of, mail_of, play, post_game, rule, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club(organiser=make_user("olga"))


def member_called(club: Club, name: str) -> User:
    member = make_member(club).user
    change(member, name=name, zone="Europe/Stockholm")
    return member


def proposed(club: Club, proposer: User, **more: Any) -> Game:
    return proposing.propose_game(
        proposer=proposer, club=club, seats=2, name="Two by post", clock=Clock(turn_hours=72), now=NOW, **more
    )


@pytest.fixture
def anna(club):
    return member_called(club, "Anna Berg")


@pytest.fixture
def bram(club):
    return member_called(club, "Bram Kok")


def test_who_is_asked_to_play_reads_by_whom_with_whom_and_by_which_rules(club, anna, bram):
    game = proposed(club, anna, options={"hand_size": 5}, invited={1: bram})
    mail = mail_of("kept")

    shown = letter(mail)

    assert mail.member == bram
    assert shown.subject == "Will you play? Two by post"
    text = " ".join(shown.text.split())
    for part in (text, words_of(shown.html)):
        assert "Anna Berg asks you to play. Seat B is kept for you (green, diamond)." in part
        assert "Seat A: Anna Berg (blue, disc)" in part
        assert "Cards in a hand: 5" in part
        assert "3 days for each turn." in part
        assert "asks you to sign in" in part
        assert "What was agreed" not in part
    assert f"Look and take the seat:\n http://localhost:8000/games/{game.pk}\n" in shown.text
    assert f'href="http://localhost:8000/games/{game.pk}"' in shown.html
    assert shown.unsubscribe
    told = section(mail)
    assert told.lines == ("Anna Berg asks you to play.", "Seat B is kept for you (green, diamond).")
    assert told.link == f"http://localhost:8000/games/{game.pk}"


@pytest.mark.parametrize("what", ["taken", "kept for nobody", "withdrawn", "left the club", "filled"])
def test_a_seat_that_is_not_kept_any_more_is_not_told_of(club, anna, bram, what):
    game = proposed(club, anna, invited={1: bram})
    mail = mail_of("kept")
    assert rendered(mail) is not None

    if what == "taken":
        proposing.take_seat(member=bram, game_id=game.pk, now=NOW)
    elif what == "kept for nobody":
        proposing.invite_to_seat(inviter=anna, game_id=game.pk, seat=1, invited=None, now=NOW)
    elif what == "withdrawn":
        proposing.withdraw_proposal(member=anna, game_id=game.pk, now=NOW)
    elif what == "left the club":
        club.memberships.filter(user=bram).update(left_at=NOW)
    else:
        proposing.seat_bot(host=anna, game_id=game.pk, seat=1, now=NOW)

    assert rendered(mail) is None
    assert section(mail) is None


def test_who_is_given_a_seat_reads_whose_turn_it_is_and_sees_its_hand():
    game = post_game()
    play(game, 4)
    assert game.turn_seat is not None
    seat = (game.turn_seat + 2) % 4
    given = member_called(game.club, "Robin Vos")
    by = game.club.memberships.get(role="organiser").user.get_full_name()

    rule(game, "replace", seat="ABCD"[seat], substitute=given)

    mail = mail_of("seated", seat)
    shown, text = letter(mail), " ".join(letter(mail).text.split())
    assert mail.member == given
    assert shown.subject == "You have a seat: Four by post"
    assert f"{by} has given you seat {'ABCD'[seat]}: you play it from now on." in text
    assert f"It is the turn of {NAMES[game.turn_seat]}." in text
    assert all(card_text(card) in text.split("Your hand:")[1] for card in hand_of(game, seat))
    assert shown.pictures
    assert section(mail).lines[1] == f"It is the turn of {NAMES[game.turn_seat]}."
    change(given, leaves_out_hands=True)
    mail.refresh_from_db()
    assert "Your hand:" not in letter(mail).text


def test_whose_seat_was_given_away_reads_by_whom_and_to_whom():
    game = post_game()
    assert game.turn_seat is not None
    seat = (game.turn_seat + 1) % 4
    given = member_called(game.club, "Robin Vos")
    by = game.club.memberships.get(role="organiser").user.get_full_name()

    rule(game, "replace", seat="ABCD"[seat], substitute=given)

    mail = mail_of("replaced", seat)
    shown, text = letter(mail), " ".join(letter(mail).text.split())
    assert mail.member is not None
    assert mail.member.name == NAMES[seat]
    assert shown.subject == "Another member has your seat: Four by post"
    assert f"{by} has given your seat {'ABCD'[seat]} to Robin Vos." in text
    assert "ask an organiser of your club" in text
    assert "/t/" not in shown.text + shown.html
    assert not re.search(r"Your hand|\?card=", shown.text + shown.html)


def test_whose_seat_a_substitute_has_accepted_reads_who_has_it():
    game = post_game()
    robin = member_called(game.club, "Robin Vos")
    organiser = game.club.memberships.get(role="organiser").user
    offer = offer_seat(organiser=organiser, game_id=game.pk, seat=0, member=robin, now=NOW)

    answer_offer(member=robin, offer_id=offer.pk, accept=True, now=NOW)

    text = " ".join(letter(mail_of("replaced", 0)).text.split())
    assert "Robin Vos has your seat A now." in text
    assert "did not expect this" not in text


def test_who_has_got_their_seat_back_is_not_told_that_it_is_gone():
    game = post_game()
    former = game.places.get(number=0).member
    rule(game, "replace", seat="A", substitute=member_called(game.club, "Robin Vos"))
    mail = mail_of("replaced", 0)

    rule(game, "replace", seat="A", substitute=former)

    assert rendered(mail) is None
