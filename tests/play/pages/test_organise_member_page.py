"""The page of a member for organisers: the role, and an address that does not work."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games.accounts.models import SignInCode
from games.accounts.services import request_codes
from games.clubs.models import Membership, Role
from games.mail.models import Mail, Suppression
from games.mail.services import deliver, suppress
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import player_on_turn
from tests.play.reading import section, signed_in, url

pytestmark = pytest.mark.django_db


def address_of(member):
    return f"/clubs/tuesday/organise/members/{member.uuid}"


def test_a_role_is_changed(club, organiser):
    anna = make_member(club, make_user("anna")).user

    organiser.post(address_of(anna), {"deed": "role", "role": "organiser"})

    assert Membership.objects.get(user=anna).role == Role.ORGANISER


def test_the_last_organiser_stays_one(club, organiser, olga):
    answer = organiser.post(address_of(olga), {"deed": "role", "role": "member"})

    assert answer.status_code == 422
    assert "A club needs an organiser" in answer.text
    assert organiser.post(address_of(olga), {"deed": "role", "role": "king"}).status_code == 422
    assert Membership.objects.get(user=olga).role == Role.ORGANISER


def test_an_address_that_works_cannot_be_changed_by_an_organiser(club, organiser):
    anna = make_member(club, make_user("anna")).user
    assert "Correct the address" not in organiser.get(address_of(anna)).text

    answer = organiser.post(address_of(anna), {"deed": "address", "email": "evil@example.org"})

    anna.refresh_from_db()
    assert answer.status_code == 403
    assert anna.email == "anna@example.org"


def test_mail_that_a_member_called_spam_gives_nobody_the_address(club, organiser):
    anna = make_member(club, make_user("anna")).user
    suppress(address=anna.email, reason="complaint", now=NOW)

    assert organiser.post(address_of(anna), {"deed": "address", "email": "x@example.org"}).status_code == 403
    assert organiser.post(address_of(anna), {"deed": "try_again"}).status_code == 409


def test_an_address_that_mail_comes_back_from_is_corrected_and_both_are_told(club, organiser, mailoutbox):
    anna = make_member(club, make_user("anna")).user
    suppress(address=anna.email, reason="bounced", now=NOW)
    SignInCode.objects.create(user=anna, code_hash="x", created_at=NOW, expires_at=NOW)

    answer = organiser.post(address_of(anna), {"deed": "address", "email": "Anna@example.net"}, follow=True)

    anna.refresh_from_db()
    assert anna.email == "Anna@example.net"
    assert "Correct the address" not in answer.text
    assert not SignInCode.objects.exists()
    assert sorted(Mail.objects.values_list("address", flat=True)) == ["Anna@example.net", "anna@example.org"]
    deliver(now=timezone.now())
    assert [mail.to for mail in mailoutbox] == [["Anna@example.net"]]
    assert "olga" in mailoutbox[0].body.lower()
    assert Suppression.objects.filter(address="anna@example.org").exists()


@pytest.mark.parametrize(
    "email",
    [
        "",
        "anna",
        "olga@example.org",
        "broken@example.org",
        "x" * 250 + "@example.org",
        "a\0@b.org",
        "a@b.org\nx",
    ],
)
def test_an_address_that_is_no_better_is_refused(club, organiser, email):
    anna = make_member(club, make_user("anna")).user
    suppress(address=anna.email, reason="refused", now=NOW)
    suppress(address="broken@example.org", reason="bounced", now=NOW)

    answer = organiser.post(address_of(anna), {"deed": "address", "email": email})

    anna.refresh_from_db()
    assert answer.status_code in (422, 302)
    assert anna.email in ("anna@example.org", "a@b.org")


def test_the_organiser_of_another_club_of_the_member_may_too_but_no_stranger(organiser, club):
    anna = make_member(club, make_user("anna")).user
    suppress(address=anna.email, reason="bounced", now=NOW)
    stranger = make_user()
    make_club("other", organiser=stranger)

    answer = signed_in(stranger).post(
        f"/clubs/other/organise/members/{anna.uuid}", {"deed": "address", "email": "x@example.org"}
    )

    assert answer.status_code == 404


def test_an_organiser_cannot_correct_the_own_address(organiser, olga, club):
    suppress(address=olga.email, reason="bounced", now=NOW)

    assert organiser.post(address_of(olga), {"deed": "address", "email": "x@example.org"}).status_code == 403


def test_a_mailbox_that_was_only_full_gets_mail_again(club, organiser):
    anna = make_member(club, make_user("anna")).user
    suppress(address=anna.email, reason="bounced", now=NOW)

    organiser.post(address_of(anna), {"deed": "try_again"})

    assert not Suppression.objects.exists()


def test_the_games_of_a_member_whose_clock_stands_are_at_hand(game, organiser):
    member = player_on_turn(game)

    assert url(game).rpartition("/")[2] in section(organiser.get(address_of(member)), "running")
    assert organiser.post(address_of(member), {"deed": "dance"}).status_code == 400


def test_who_does_not_organise_all_clubs_of_a_member_cannot_take_the_address(club, organiser):
    """Anybody founds a club; the address signs in and would show the games of the others."""
    anna = make_member(club, make_user("anna")).user
    elsewhere = make_member(make_club("thursday", organiser=make_user()), anna)
    suppress(address=anna.email, reason="refused", now=NOW)

    page = organiser.get(address_of(anna))
    answer = organiser.post(address_of(anna), {"deed": "address", "email": "evil@example.org"})
    elsewhere.left_at = NOW
    elsewhere.save()
    after_leaving = organiser.post(address_of(anna), {"deed": "address", "email": "evil@example.org"})

    anna.refresh_from_db()
    assert "Correct the address" not in page.text
    assert "Only who organises all of their clubs" in page.text
    assert (answer.status_code, after_leaving.status_code) == (403, 403)
    assert anna.email == "anna@example.org"
    assert organiser.post(address_of(anna), {"deed": "try_again"}).status_code == 302


def test_who_organises_all_clubs_of_a_member_corrects_the_address(club, olga, organiser):
    anna = make_member(club, make_user("anna")).user
    make_member(make_club("thursday", organiser=olga), anna)
    suppress(address=anna.email, reason="refused", now=NOW)

    assert organiser.post(address_of(anna), {"deed": "address", "email": "a@example.net"}).status_code == 302


def test_a_corrected_address_gets_codes_after_a_day_and_they_never_stand_for_the_password(
    club, organiser, mailoutbox
):
    anna = make_member(club, make_user("anna", password="correct horse")).user
    suppress(address=anna.email, reason="refused", now=NOW)
    with time_machine.travel(NOW, tick=False):
        organiser.post(address_of(anna), {"deed": "address", "email": "new@example.org"})
        deliver(now=NOW)
    mailoutbox.clear()

    early, late = NOW + timedelta(hours=23, minutes=59), NOW + timedelta(hours=24)
    for now in (early, late):
        request_codes(email="new@example.org", now=now)
        deliver(now=now)
    assert len(mailoutbox) == 1
    code = re.search(r"\b\d{6}\b", mailoutbox[0].body)[0]
    browser = Client()
    with time_machine.travel(late, tick=False):
        signed = browser.post("/sign-in/code", {"who": "anna", "code": code})
        changed = browser.post("/settings", {"deed": "password", "new": "battery staple lamp"})

    assert (signed.status_code, changed.status_code) == (302, 422)
    anna.refresh_from_db()
    assert anna.check_password("correct horse")
    with time_machine.travel(late, tick=False):
        known = {"deed": "password", "current": "correct horse", "new": "battery staple lamp"}
        assert browser.post("/settings", known).status_code == 302
    anna.refresh_from_db()
    assert anna.address_set_at is None


def test_a_member_is_put_out_of_the_club(club, organiser):
    bo = make_member(club, make_user("bo")).user
    assert "Yes, put Bo out" in organiser.get(address_of(bo)).text

    answer = organiser.post(address_of(bo), {"deed": "put_out"}, follow=True)

    assert answer.redirect_chain == [("/clubs/tuesday/organise", 302)]
    assert "Bo is not in the club any more." in answer.text
    assert Membership.objects.get(user=bo).left_at is not None


def test_organisers_do_not_put_themselves_out(club, organiser, olga):
    make_member(club, make_user("anna"), role=Role.ORGANISER)
    assert "Put out" not in organiser.get(address_of(olga)).text

    assert organiser.post(address_of(olga), {"deed": "put_out"}).status_code == 409
    assert Membership.objects.get(user=olga).left_at is None
