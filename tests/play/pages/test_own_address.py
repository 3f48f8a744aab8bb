"""A member's own address: a link to the new one, a page that asks, and a word to the old one."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games.accounts.models import SignInCode
from games.mail.models import Mail, Suppression
from games.mail.services import deliver, suppress
from tests.builders import NOW, make_user
from tests.mails import letter, waiting
from tests.play.reading import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return make_user("anna")


def ask(client, email, **more):
    return client.post("/settings", {"deed": "address", "email": email} | more)


def link_in(mail):
    text = letter(mail, mail.created_at).text
    return re.search(r" http://localhost:8000(/settings/confirm/\S+)\n", text)[1]


def test_a_member_changes_the_address_by_a_link_that_goes_to_the_new_one(anna, mailoutbox):
    SignInCode.objects.create(user=anna, code_hash="x", created_at=NOW, expires_at=NOW)

    page = ask(signed_in(anna), "anna@example.net")
    assert page["Location"] == "/settings#address"
    (mail,) = Mail.objects.all()
    assert (mail.kind, mail.address, mail.member) == ("confirm", "anna@example.net", None)
    assert re.fullmatch(rf"confirm:{anna.uuid}:[0-9]+", mail.key)
    assert mail.refs == {"about": anna.pk}
    stranger, link = Client(), link_in(mail)

    shown = stranger.get(link)
    anna.refresh_from_db()
    assert shown.status_code == 200
    assert "<strong>anna@example.net</strong>" in shown.text
    assert anna.email == "anna@example.org"
    assert SignInCode.objects.exists()

    done = stranger.post(link)
    anna.refresh_from_db()
    assert "Your address has changed" in done.text
    assert anna.email == "anna@example.net"
    assert not SignInCode.objects.exists()
    deliver(now=timezone.now())
    # The mail with the link is not wanted any more.
    assert [sent.to for sent in mailoutbox] == [["anna@example.org"]]
    assert "does not sign you in any more" in " ".join(mailoutbox[0].body.split())
    assert stranger.post(link).status_code == 404


def test_the_link_is_good_for_an_hour(anna):
    ask(signed_in(anna), "anna@example.net")
    (mail,) = waiting("confirm")
    link = link_in(mail)

    with time_machine.travel(mail.created_at + timedelta(minutes=59), tick=False):
        assert Client().get(link).status_code == 200
    with time_machine.travel(mail.created_at + timedelta(minutes=61), tick=False):
        assert Client().get(link).status_code == 404
        assert Client().post(link).status_code == 404
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"


def test_a_link_ends_when_the_address_changes_otherwise_and_a_forged_one_never_works(anna):
    ask(signed_in(anna), "anna@example.net")
    (mail,) = waiting("confirm")
    link = link_in(mail)
    anna.email = "third@example.org"
    anna.save()

    for address in (link, link[:-1], f"{link}x", "/settings/confirm/x"):
        assert Client().post(address).status_code == 404
    anna.refresh_from_db()
    assert anna.email == "third@example.org"


def test_the_change_needs_the_secret_of_its_page(anna):
    ask(signed_in(anna), "anna@example.net")
    (mail,) = waiting("confirm")

    assert Client(enforce_csrf_checks=True).post(link_in(mail)).status_code == 403


@pytest.mark.parametrize("email", ["", "anna", "anna@example.org", "broken@example.org", "a@b.org\nx"])
def test_an_address_that_cannot_be_is_refused_at_its_field(anna, email):
    suppress(address="broken@example.org", reason="bounced", now=NOW)

    answer = ask(signed_in(anna), email)

    assert answer.status_code == 422
    assert list(answer.context["address_form"].errors) == ["email"]
    assert '<a href="#address_email">To the marked field</a>' in answer.text
    assert not Mail.objects.exists()


def test_the_sixth_wish_within_an_hour_has_to_wait(anna):
    client = signed_in(anna)
    for number in range(5):
        assert ask(client, f"anna{number}@example.net").status_code == 302

    answer = ask(client, "anna6@example.net")

    assert answer.status_code == 429
    assert "Too many tries" in answer.text


def test_who_has_a_password_is_asked_for_it():
    bo = make_user("bo", password="correct horse")
    client = signed_in(bo)

    assert list(ask(client, "bo@example.net").context["address_form"].errors) == ["password"]
    wrong = ask(client, "bo@example.net", password="wrong horse")
    assert "This is not your password." in wrong.text
    assert not Mail.objects.exists()

    assert ask(client, "bo@example.net", password="correct horse").status_code == 302
    assert Mail.objects.get().kind == "confirm"


def test_mail_that_came_back_goes_to_the_new_address_and_the_old_one_stays_suppressed(anna):
    suppress(address=anna.email, reason="bounced", now=NOW)
    ask(signed_in(anna), "anna@example.net")
    (mail,) = waiting("confirm")

    Client().post(link_in(mail))

    anna.refresh_from_db()
    assert anna.email == "anna@example.net"
    assert Suppression.objects.filter(address="anna@example.org").exists()


def test_the_pages_agree_on_who_changes_an_address(anna):
    page = signed_in(anna).get("/settings").text

    assert "Change the address" in page
    assert "cannot be changed" not in page
