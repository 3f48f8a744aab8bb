"""Signing in over the API: passwords, mailed codes, and what bounds guessing at them."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from smtplib import SMTPServerDisconnected

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from games.accounts import services
from games.accounts.attempts import TooManyAttempts
from games.accounts.models import CodeRequest, SignInAttempt, SignInCode, Token
from games.accounts.services import SignInRefused
from games.mail.services import deliver
from sequence_site.celery import app as celery_app
from tests.builders import NOW, make_user

pytestmark = pytest.mark.django_db

TOKENS = "/api/v1/auth/tokens"
CODES = "/api/v1/auth/codes"


@pytest.fixture
def client() -> APIClient:
    return APIClient()


def codes_in(mail: EmailMessage) -> dict[str, str]:
    """Return username -> code as the mail lists them."""
    return {
        name: code for code, name in re.findall(r"(\d{6})  This code signs in ([a-z0-9_-]+)", str(mail.body))
    }


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
        with pytest.raises(SignInRefused):
            services.sign_in_with_password(who=who, password="correct horse", now=NOW)


def test_a_name_that_is_blocked_does_not_tell_its_address(client):
    make_user("emil", password="correct horse")
    for _ in range(11):
        client.post(TOKENS, {"username": "emil", "password": "wrong"})

    answers = {
        address: [client.post(TOKENS, {"email": address, "password": "wrong"}).status_code for _ in range(11)]
        for address in ("emil@example.org", "nobody@example.org")
    }

    assert answers["emil@example.org"] == answers["nobody@example.org"] == [401] * 10 + [429]


def test_signing_in_does_not_show_in_the_count_of_a_stranger_who_types_the_same():
    anna = make_user("anna", password="correct horse")
    for _ in range(9):
        with pytest.raises(SignInRefused):
            services.sign_in_with_password(who="anna@example.org", password="wrong", now=NOW)

    assert services.sign_in_with_password(who="anna@example.org", password="correct horse", now=NOW) == anna

    with pytest.raises(SignInRefused):
        services.sign_in_with_password(who="anna@example.org", password="wrong", now=NOW)
    with pytest.raises(TooManyAttempts):
        services.sign_in_with_password(who="anna@example.org", password="wrong", now=NOW)


@pytest.mark.parametrize("right", ["wrong", "correct horse"])
def test_every_refusal_at_an_address_takes_as_many_comparisons(monkeypatch, right):
    make_user("anna", password="correct horse")
    make_user("blocked", password="correct horse")
    for name in ("bo", "cy"):
        make_user(name, email="home@example.org", password=f"{name} plays")
    for _ in range(10):
        with pytest.raises(SignInRefused):
            services.sign_in_with_password(who="blocked", password="wrong", now=NOW)
    hashed = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(1) or encode(*args))

    counts = {}
    for who in ("nobody", "blocked", "anna", "no@example.org", "blocked@example.org", "home@example.org"):
        hashed.clear()
        if who == "anna" and right != "wrong":
            services.sign_in_with_password(who=who, password=right, now=NOW)
        else:
            with pytest.raises((SignInRefused, TooManyAttempts)):
                services.sign_in_with_password(
                    who=who, password=right, now=NOW + timedelta(seconds=who == "blocked")
                )
        counts[who] = len(hashed)

    del counts["blocked"]  # the name that was typed ten times is told to wait, and nothing is compared
    assert set(counts.values()) == {1, 2}
    assert {who for who, count in counts.items() if count == 2} == {who for who in counts if "@" in who}


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


def test_a_success_starts_the_count_of_a_member_anew():
    anna = make_user("anna", password="correct horse")
    for typed in ("anna", "anna@example.org"):
        for _ in range(9):
            with pytest.raises(SignInRefused):
                services.sign_in_with_password(who=typed, password="wrong", now=NOW)

        assert services.sign_in_with_password(who=typed, password="correct horse", now=NOW) == anna


def test_the_right_password_may_be_given_as_often_as_one_likes():
    anna = make_user("anna", password="correct horse")

    for _ in range(25):
        assert services.sign_in_with_password(who="anna", password="correct horse", now=NOW) == anna


def test_a_mailed_code_signs_in_once(client, mailoutbox):
    make_user("anna")
    assert client.post(CODES, {"email": "anna@example.org"}).status_code == 202
    deliver(now=timezone.now())
    code = codes_in(mailoutbox[0])["anna"]

    first = client.post(TOKENS, {"username": "anna", "code": code})
    second = client.post(TOKENS, {"username": "anna", "code": code})

    assert (first.status_code, second.status_code) == (201, 401)
    assert mailoutbox[0].to == ["anna@example.org"]
    assert code not in SignInCode.objects.get().code_hash


def test_asking_for_a_code_never_tells_whether_the_address_is_known(client, mailoutbox):
    make_user("anna")

    answers, queries = {}, {}
    for address in ("anna@example.org", "nobody@example.org"):
        with CaptureQueriesContext(connection) as captured:
            answers[address] = client.post(CODES, {"email": address})
        queries[address] = [re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in captured.captured_queries]
    known, unknown = answers.values()

    assert (known.status_code, known.content) == (unknown.status_code, unknown.content) == (202, b"")
    assert queries["anna@example.org"] == queries["nobody@example.org"]
    assert not mailoutbox
    assert CodeRequest.objects.count() == 2


def test_a_request_says_nothing_to_the_broker(client):
    make_user("anna")

    assert client.post(CODES, {"email": "anna@example.org"}).status_code == 202

    with celery_app.connection_for_write() as broker:
        assert [broker.default_channel.client.llen(queue) for queue in ("play", "mail")] == [0, 0]


def test_requests_are_met_once_and_leave_nothing_behind(client, mailoutbox):
    make_user("anna")
    for address in ("anna@example.org", "nobody@example.org"):
        client.post(CODES, {"email": address})

    deliver(now=timezone.now())
    deliver(now=timezone.now())

    assert len(mailoutbox) == 1
    assert not CodeRequest.objects.exists()


def test_a_mail_that_fails_is_sent_later_with_a_code_that_works(monkeypatch, mailoutbox):
    anna = make_user("anna")
    services.request_codes(email="anna@example.org", now=NOW)
    send = EmailBackend.send_messages
    failing = iter([SMTPServerDisconnected, ConnectionRefusedError])

    def fail_twice(*args):
        if error := next(failing, None):
            raise error
        return send(*args)

    monkeypatch.setattr(EmailBackend, "send_messages", fail_twice)

    sent = [deliver(now=NOW + timedelta(seconds=seconds)) for seconds in range(0, 150, 5)]

    assert sent == [0] * 12 + [1] + [0] * 17
    code = codes_in(mailoutbox[0])["anna"]
    assert services.sign_in_with_code(who="anna", code=code, now=NOW + timedelta(minutes=15)) == anna


def test_a_request_that_could_not_be_met_for_a_quarter_of_an_hour_is_given_up(mailoutbox):
    make_user("anna")
    services.request_codes(email="anna@example.org", now=NOW)

    later = NOW + timedelta(minutes=15)

    deliver(now=later)

    assert services.sweep_sign_in(now=later) == 1
    assert not mailoutbox


@pytest.mark.parametrize(
    "spelling", ["ıda@example.org", "ida@example.org".replace("i", "İ"), "ida@example.ſrg"]
)
def test_letters_that_look_like_others_reach_nobody(mailoutbox, spelling):
    make_user("ida")
    make_user("isa", email="IDA@EXAMPLE.SRG")

    services.request_codes(email=spelling, now=NOW)
    deliver(now=NOW)

    assert not mailoutbox
    with pytest.raises(SignInRefused):
        services.sign_in_with_code(who=spelling, code="123456", now=NOW)


def test_a_member_whose_address_has_such_letters_is_reached(mailoutbox):
    make_user("ida", email="ıda@Example.org")

    services.request_codes(email="ıda@example.ORG", now=NOW)
    deliver(now=NOW)

    assert [mail.to for mail in mailoutbox] == [["ıda@Example.org"]]


def test_no_spelling_of_an_address_gets_a_sixth_mail(mailoutbox):
    make_user("kiss", email="kiss@example.org")
    spellings = ["kiss", "KISS", "Kiss", "\u212aiss", "kıss", "ki\u017fs", "kİss"]

    for spelling in spellings * 2:
        with suppress(TooManyAttempts):
            services.request_codes(email=f"{spelling}@example.org", now=NOW)
    deliver(now=NOW)

    assert len(mailoutbox) == 5


def test_a_name_as_long_as_can_be_is_refused_like_any_other(client):
    longest = "İ" * 254

    for sign_in in (services.sign_in_with_password, services.sign_in_with_code):
        secret = {"password": "x"} if sign_in is services.sign_in_with_password else {"code": "123456"}
        with pytest.raises(SignInRefused):
            sign_in(who=longest, **secret, now=NOW)


@pytest.mark.parametrize("who", ["anna", "nobody", "anna@example.org", "nobody@example.org"])
def test_the_31st_code_of_a_name_is_refused_whether_or_not_it_is_known(client, who):
    make_user("anna")
    field = "email" if "@" in who else "username"

    statuses = [client.post(TOKENS, {field: who, "code": "123456"}).status_code for _ in range(31)]

    assert statuses == [401] * 30 + [429]


def test_a_couple_gets_one_mail_with_a_code_for_each(client, mailoutbox):
    make_user("anna", email="home@example.org")
    make_user("bo", email="Home@example.org")

    client.post(CODES, {"email": "home@example.org"})
    deliver(now=timezone.now())

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
    deliver(now=timezone.now())
    code = codes_in(mailoutbox[0])["anna"]
    wrong = f"{(int(code) + 1) % 10**6:06}"
    for _ in range(5):
        assert client.post(TOKENS, {"username": "anna", "code": wrong}).status_code == 401

    assert client.post(TOKENS, {"username": "anna", "code": code}).status_code == 401


def test_a_code_dies_after_a_quarter_of_an_hour(mailoutbox):
    make_user("anna")
    services.request_codes(email="anna@example.org", now=NOW)
    deliver(now=NOW)
    code = codes_in(mailoutbox[0])["anna"]

    with pytest.raises(SignInRefused):
        services.sign_in_with_code(who="anna", code=code, now=NOW + timedelta(minutes=15))


def test_a_fresh_code_replaces_the_one_before(mailoutbox):
    anna = make_user("anna")
    for _ in range(2):
        services.request_codes(email="anna@example.org", now=NOW)
        deliver(now=NOW)
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
    deliver(now=NOW)
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
