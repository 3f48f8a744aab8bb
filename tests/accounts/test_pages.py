"""The pages for signing in, as a browser without JavaScript uses them."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from games.mail.services import deliver
from tests.builders import make_user

pytestmark = pytest.mark.django_db


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_password_signs_in_and_goes_to_the_page_that_was_wanted(client):
    make_user("anna", password="correct horse")

    answer = client.post("/sign-in", {"who": "anna", "password": "correct horse", "next": "/games/1"})

    assert (answer.status_code, answer.headers["Location"]) == (302, "/games/1")
    assert is_signed_in(client)


@pytest.mark.parametrize("address", ["https://evil.example", "//evil.example", "javascript:alert(1)", ""])
def test_signing_in_never_leads_off_the_site(client, address):
    make_user("anna", password="correct horse")

    answer = client.post("/sign-in", {"who": "anna", "password": "correct horse", "next": address})

    assert answer.headers["Location"] == "/"


def test_a_wrong_password_shows_the_form_again(client):
    make_user("anna", password="correct horse")

    answer = client.post("/sign-in", {"who": "anna", "password": "wrong"})

    assert answer.status_code == 403
    assert "This name and this password do not go together." in answer.text
    assert "wrong" not in re.sub(r"<title>.*?</title>", "", answer.text).split("<form")[1]
    assert not is_signed_in(client)


def test_the_eleventh_password_is_refused_on_the_page_too(client):
    make_user("anna", password="correct horse")
    for _ in range(10):
        client.post("/sign-in", {"who": "anna", "password": "wrong"})

    answer = client.post("/sign-in", {"who": "anna", "password": "correct horse"})

    assert answer.status_code == 429
    assert not is_signed_in(client)


def test_a_mailed_code_signs_in(client, mailoutbox):
    make_user("anna")

    asked = client.post("/sign-in/code", {"email": "anna@example.org", "next": "/games/1"})
    deliver(now=timezone.now())
    code = re.findall(r"\d{6}", mailoutbox[0].body)[0]
    answer = client.post("/sign-in/code", {"who": "anna@example.org", "code": code, "next": "/games/1"})

    assert 'value="anna@example.org"' in asked.text
    assert 'value="/games/1"' in asked.text
    assert (answer.status_code, answer.headers["Location"]) == (302, "/games/1")
    assert is_signed_in(client)


def test_asking_for_a_code_shows_the_same_page_for_an_unknown_address(client, mailoutbox):
    make_user("anna")

    known = client.post("/sign-in/code", {"email": "anna@example.org"})
    unknown = client.post("/sign-in/code", {"email": "anya@example.org"})

    def plain(answer):
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.text).replace("anya", "anna")

    assert plain(known) == plain(unknown)
    assert not mailoutbox
    deliver(now=timezone.now())
    assert [mail.to for mail in mailoutbox] == [["anna@example.org"]]


@pytest.mark.parametrize(
    ("body", "status"),
    [({"email": "x"}, 400), ({"who": "anna", "code": "12"}, 400), ({"who": "anna", "code": "000000"}, 403)],
)
def test_a_bad_address_or_code_shows_the_form_again(client, body, status):
    assert client.post("/sign-in/code", body).status_code == status


def test_a_wrong_code_leaves_the_hint_about_the_mail_and_blames_no_other_field(client):
    make_user("anna")
    sent = client.post("/sign-in/code", {"email": "anna@example.org"})
    assert '<input type="hidden" name="sent_to" value="anna@example.org">' in sent.text

    form = {"who": "anna@example.org", "code": "000000", "sent_to": "anna@example.org"}
    answer = client.post("/sign-in/code", form)

    assert answer.status_code == 403
    assert "These are not the six digits of the newest mail." in answer.text
    assert "is on its way to it" in answer.text
    assert "Write the address to which your mail goes" not in answer.text


def test_reading_a_page_sends_nothing_and_signs_nobody_out(client, mailoutbox):
    client.force_login(make_user("anna"))

    assert client.get("/sign-in/code?email=anna@example.org").status_code == 200
    assert client.get("/sign-out").status_code == 405
    assert is_signed_in(client)
    assert not mailoutbox


def test_signing_out_ends_the_session(client):
    client.force_login(make_user("anna"))

    assert client.post("/sign-out").status_code == 302
    assert not is_signed_in(client)


def test_the_forms_are_protected_against_other_sites():
    client = Client(enforce_csrf_checks=True)
    make_user("anna", password="correct horse")

    answer = client.post("/sign-in", {"who": "anna", "password": "correct horse"})

    assert answer.status_code == 403
    assert not is_signed_in(client)


def test_a_code_may_be_typed_with_spaces(client, mailoutbox):
    make_user("anna")
    client.post("/sign-in/code", {"email": "anna@example.org"})
    deliver(now=timezone.now())
    code = re.findall(r"\b\d{6}\b", mailoutbox[0].body)[0]

    answer = client.post("/sign-in/code", {"who": "anna@example.org", "code": f" {code[:3]} {code[3:]} "})

    assert answer.status_code == 302
    assert is_signed_in(client)


def test_a_couple_with_one_address_and_one_password_is_asked_who_it_is(client):
    for name in ("anna", "bo"):
        make_user(name, email="couple@example.org", password="correct horse")

    both = client.post("/sign-in", {"who": "couple@example.org", "password": "correct horse"})
    wrong = client.post("/sign-in", {"who": "couple@example.org", "password": "wrong"})
    named = client.post("/sign-in", {"who": "bo", "password": "correct horse"})

    assert both.status_code == 403
    assert "anna (Anna), bo (Bo)" in both.text
    assert 'value="couple@example.org"' in both.text
    assert "anna" not in wrong.text
    assert named.status_code == 302


@pytest.mark.parametrize(
    ("address", "data"),
    [
        ("/sign-in", {"who": "a\0", "password": "x"}),
        ("/sign-in", {"who": "a" * 300, "password": "x" * 300}),
        ("/sign-in", {}),
        ("/sign-in/code", {"email": "x" * 300 + "@example.org"}),
        ("/sign-in/code", {"who": "", "code": ""}),
    ],
)
def test_a_form_that_cannot_be_read_says_what_to_do(client, address, data):
    answer = client.post(address, data)

    assert answer.status_code in (400, 403)
    assert 'class="errorlist"' in answer.text or 'class="alert"' in answer.text
