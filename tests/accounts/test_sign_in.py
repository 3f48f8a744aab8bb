"""Signing in over the API: passwords, mailed codes, and what bounds guessing at them."""

import re
from datetime import UTC, datetime, timedelta
from smtplib import SMTPServerDisconnected

import pytest
import time_machine
from django.core.mail import EmailMessage
from rest_framework.test import APIClient

from games.accounts import services
from games.accounts.attempts import TooManyAttempts
from games.accounts.models import SignInAttempt, SignInCode, Token
from games.accounts.services import SignInRefused
from tests.builders import NOW, make_user

pytestmark = pytest.mark.django_db

TOKENS = "/api/v1/auth/tokens"
CODES = "/api/v1/auth/codes"


@pytest.fixture
def client() -> APIClient:
    return APIClient()


def codes_in(mail: EmailMessage) -> dict[str, str]:
    """Return username -> code as the mail lists them."""
    return {name: code for code, name in re.findall(r"(\d{6})  signs in (\S+)", str(mail.body))}


def test_a_password_gives_a_token_that_works(client):
    anna = make_user("anna", password="correct horse")

    answer = client.post(TOKENS, {"username": "anna", "password": "correct horse", "name": "phone"})

    assert answer.status_code == 201
    body = answer.json()
    assert body["member"] == {"uuid": str(anna.uuid), "username": "anna", "name": "Anna"}
    assert (body["name"], body["scopes"], body["expiry"]) == ("phone", ["read", "play"], None)
    me = client.get("/api/v1/me", HTTP_AUTHORIZATION=f"Bearer {body['token']}")
    assert me.json()["email"] == "anna@example.org"


def test_names_and_addresses_sign_in_whatever_their_case(client):
    make_user("anna", password="correct horse", email="Anna@Example.org")

    by_name = client.post(TOKENS, {"username": "ANNA", "password": "correct horse"})
    by_address = client.post(TOKENS, {"email": "anna@EXAMPLE.org", "password": "correct horse"})

    assert (by_name.status_code, by_address.status_code) == (201, 201)


@pytest.mark.parametrize("who", [{"username": "anna"}, {"username": "nobody"}, {"email": "no@example.org"}])
def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client, who):
    make_user("anna", password="correct horse")

    answer = client.post(TOKENS, {**who, "password": "wrong"})

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.json()["code"] == "bad_credentials"
    assert answer.json()["detail"] == "This name with this password or code does not sign anybody in."


def test_a_member_without_a_password_cannot_sign_in_with_an_empty_or_unusable_one(client):
    make_user("anna")

    for password in (" ", "!", "None"):
        assert client.post(TOKENS, {"username": "anna", "password": password}).status_code == 401


def test_an_inactive_member_cannot_sign_in(client):
    make_user("anna", password="correct horse", is_active=False)

    assert client.post(TOKENS, {"username": "anna", "password": "correct horse"}).status_code == 401


def test_the_eleventh_password_is_refused_even_if_it_is_right(client):
    make_user("anna", password="correct horse")
    for _ in range(10):
        assert client.post(TOKENS, {"username": "anna", "password": "wrong"}).status_code == 401

    answer = client.post(TOKENS, {"username": "anna", "password": "correct horse"})

    assert answer.status_code == 429
    assert answer.json()["code"] == "throttled"
    assert 0 < int(answer.headers["Retry-After"]) <= 900


def test_an_unknown_name_is_blocked_after_as_many_tries_as_a_known_one(client):
    for _ in range(10):
        assert client.post(TOKENS, {"username": "nobody", "password": "wrong"}).status_code == 401

    assert client.post(TOKENS, {"username": "nobody", "password": "wrong"}).status_code == 429


def test_tries_by_name_and_by_address_are_counted_together():
    make_user("anna", password="correct horse")
    for who in ["anna", "anna@example.org"] * 5:
        with pytest.raises(SignInRefused):
            services.sign_in_with_password(who=who, password="wrong", now=NOW)

    for who in ("anna", "anna@example.org"):
        with pytest.raises(TooManyAttempts):
            services.sign_in_with_password(who=who, password="correct horse", now=NOW)


def test_passwords_are_taken_again_after_a_quarter_of_an_hour():
    anna = make_user("anna", password="correct horse")
    for _ in range(10):
        with pytest.raises(SignInRefused):
            services.sign_in_with_password(who="anna", password="wrong", now=NOW)
    with pytest.raises(TooManyAttempts) as refused:
        services.sign_in_with_password(who="anna", password="correct horse", now=NOW + timedelta(minutes=5))

    later = NOW + timedelta(minutes=5, seconds=refused.value.retry_seconds)

    assert refused.value.retry_seconds == 600
    assert services.sign_in_with_password(who="anna", password="correct horse", now=later) == anna


def test_a_success_starts_the_count_anew():
    make_user("anna", password="correct horse")
    for _ in range(3):
        for _ in range(9):
            with pytest.raises(SignInRefused):
                services.sign_in_with_password(who="anna", password="wrong", now=NOW)
        services.sign_in_with_password(who="anna", password="correct horse", now=NOW)


def test_a_mailed_code_signs_in_once(client, mailoutbox):
    make_user("anna")
    assert client.post(CODES, {"email": "anna@example.org"}).status_code == 202
    code = codes_in(mailoutbox[0])["anna"]

    first = client.post(TOKENS, {"username": "anna", "code": code})
    second = client.post(TOKENS, {"username": "anna", "code": code})

    assert (first.status_code, second.status_code) == (201, 401)
    assert mailoutbox[0].to == ["anna@example.org"]
    assert code not in SignInCode.objects.get().code_hash


def test_asking_for_a_code_never_tells_whether_the_address_is_known(client, mailoutbox):
    make_user("anna")

    known = client.post(CODES, {"email": "anna@example.org"})
    unknown = client.post(CODES, {"email": "nobody@example.org"})

    assert (known.status_code, known.content) == (unknown.status_code, unknown.content) == (202, b"")
    assert len(mailoutbox) == 1


def test_a_mail_server_that_is_away_does_not_tell_that_an_address_is_known(client, monkeypatch):
    def fail(*args, **kwargs):
        raise SMTPServerDisconnected

    monkeypatch.setattr(services, "send_mail", fail)
    make_user("anna")

    assert client.post(CODES, {"email": "anna@example.org"}).status_code == 202


def test_a_couple_gets_one_mail_with_a_code_for_each(client, mailoutbox):
    make_user("anna", email="home@example.org")
    make_user("bo", email="Home@example.org")

    client.post(CODES, {"email": "home@example.org"})

    codes = codes_in(mailoutbox[0])
    assert len(mailoutbox) == 1
    assert set(codes) == {"anna", "bo"}
    assert codes["anna"] != codes["bo"]
    by_address = client.post(TOKENS, {"email": "home@example.org", "code": codes["bo"]})
    assert by_address.json()["member"]["username"] == "bo"
    crossed = client.post(TOKENS, {"username": "bo", "code": codes["anna"]})
    assert crossed.status_code == 401


def test_the_sixth_guess_is_refused_even_if_it_is_right(client, mailoutbox):
    make_user("anna")
    client.post(CODES, {"email": "anna@example.org"})
    code = codes_in(mailoutbox[0])["anna"]
    wrong = f"{(int(code) + 1) % 10**6:06}"
    for _ in range(5):
        assert client.post(TOKENS, {"username": "anna", "code": wrong}).status_code == 401

    assert client.post(TOKENS, {"username": "anna", "code": code}).status_code == 401


def test_a_code_dies_after_a_quarter_of_an_hour(mailoutbox):
    make_user("anna")
    services.request_codes(email="anna@example.org", now=NOW)
    code = codes_in(mailoutbox[0])["anna"]

    with pytest.raises(SignInRefused):
        services.sign_in_with_code(who="anna", code=code, now=NOW + timedelta(minutes=15))


def test_a_fresh_code_replaces_the_one_before(mailoutbox):
    anna = make_user("anna")
    services.request_codes(email="anna@example.org", now=NOW)
    services.request_codes(email="anna@example.org", now=NOW)
    old, new = (codes_in(mail)["anna"] for mail in mailoutbox)

    if old != new:
        with pytest.raises(SignInRefused):
            services.sign_in_with_code(who="anna", code=old, now=NOW)
    assert services.sign_in_with_code(who="anna", code=new, now=NOW) == anna


@pytest.mark.parametrize("address", ["anna@example.org", "nobody@example.org"])
def test_the_sixth_request_within_an_hour_is_refused(client, address):
    make_user("anna")
    for _ in range(5):
        assert client.post(CODES, {"email": address}).status_code == 202

    answer = client.post(CODES, {"email": address.upper()})

    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 3600


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "username"),
        ({"username": "anna"}, "password"),
        ({"username": "anna", "email": "anna@example.org", "password": "x"}, "username"),
        ({"username": "anna", "password": "x", "code": "123456"}, "password"),
        ({"username": "anna", "code": "12345"}, "code"),
        ({"username": "anna", "code": "१२३४५६"}, "code"),
        ({"username": "anna", "code": ["123456"]}, "code"),
        ({"username": "anna", "password": "x", "scopes": ["read", "rule"]}, "scopes.1"),
        ({"username": "anna", "password": "x", "scopes": []}, "scopes"),
        ({"username": "anna", "password": "x", "scope": "read"}, "scope"),
        ({"username": "anna", "password": "x" * 129}, "password"),
        ({"email": "nonsense", "password": "x"}, "email"),
    ],
)
def test_a_malformed_sign_in_names_the_field(client, body, field):
    answer = client.post(TOKENS, body)

    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert not SignInAttempt.objects.exists()


def test_an_old_token_sent_along_does_not_keep_anybody_from_signing_in(client):
    make_user("anna", password="correct horse")
    client.credentials(HTTP_AUTHORIZATION="Bearer revoked")

    assert client.post(TOKENS, {"username": "anna", "password": "correct horse"}).status_code == 201


def test_the_sweep_deletes_old_codes_and_counts_only(mailoutbox):
    make_user("anna")
    services.request_codes(email="anna@example.org", now=NOW)
    services.request_codes(email="nobody@example.org", now=NOW + timedelta(days=2))

    swept = services.sweep_sign_in(now=NOW + timedelta(days=2))

    assert swept == 2
    assert SignInAttempt.objects.get().key == "nobody@example.org"
    assert not SignInCode.objects.exists()


@time_machine.travel(datetime(2026, 11, 30, 18, tzinfo=UTC), tick=False)
def test_the_text_of_a_token_is_not_stored(client):
    make_user("anna", password="correct horse")

    text = client.post(TOKENS, {"username": "anna", "password": "correct horse"}).json()["token"]

    stored = Token.objects.get()
    assert text not in {stored.digest, stored.token_key}
    assert len(text) == 64
