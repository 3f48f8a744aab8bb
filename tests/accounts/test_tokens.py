"""Tokens over the API: what each may do, how it is found, how it ends."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from games.accounts.models import Token
from tests.builders import make_token, make_user

pytestmark = pytest.mark.django_db

ME = "/api/v1/me"


def client_with(text: str, word: str = "Bearer") -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{word} {text}")
    return client


@pytest.mark.parametrize("word", ["Bearer", "Token", "bearer"])
def test_a_token_is_taken_after_either_word(word):
    text = make_token(make_user("anna"))

    assert client_with(text, word).get(ME).json()["username"] == "anna"


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer nonsense",
        "Bearer a b",
        "Bearer \xe9\xff",
        "Token " + "0" * 64,
        "Bearer " + "x" * 9000,
    ],
)
def test_a_bad_token_is_refused_with_a_challenge(header):
    answer = APIClient().get(ME, HTTP_AUTHORIZATION=header)

    assert answer.status_code == 401
    assert answer.json()["code"] == "bad_credentials"
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_without_a_token_the_challenge_says_how_to_sign_in():
    answer = APIClient().get(ME)

    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_a_token_and_its_member_are_found_with_one_query(django_assert_num_queries):
    client = client_with(make_token(make_user()))
    client.get(ME)  # the first use is written down

    with django_assert_num_queries(1):
        assert client.get(ME).status_code == 200


def test_the_last_use_is_written_once_an_hour(django_assert_num_queries):
    client = client_with(make_token(make_user()))
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        client.get(ME)
        first = Token.objects.get().last_used_at

        traveller.shift(timedelta(minutes=59))
        client.get(ME)
        assert Token.objects.get().last_used_at == first

        traveller.shift(timedelta(minutes=2))
        client.get(ME)
        assert Token.objects.get().last_used_at == first + timedelta(minutes=61)


def test_an_expired_token_and_that_of_an_inactive_member_are_refused():
    expired = make_token(make_user())
    Token.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    inactive = make_token(make_user(is_active=False))

    assert client_with(expired).get(ME).status_code == 401
    assert client_with(inactive).get(ME).status_code == 401


def test_a_token_that_reads_cannot_change_anything():
    client = client_with(make_token(make_user(), "read"))

    answer = client.patch(ME, {"language": "sv"})

    assert client.get(ME).status_code == 200
    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert "play" in answer.json()["detail"]


def test_a_token_that_plays_cannot_read_unless_it_says_so():
    client = client_with(make_token(make_user(), "play"))

    answer = client.get(ME)

    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert client.patch(ME, {"language": "sv"}).status_code == 200


def test_a_session_may_do_everything():
    anna = make_user()
    client = APIClient()
    client.force_login(anna)

    assert client.get(ME).status_code == 200
    assert client.patch(ME, {"language": "da"}).json()["language"] == "da"


def test_members_list_and_revoke_their_own_tokens_only():
    anna, bo = make_user("anna"), make_user("bo")
    client, other = client_with(make_token(anna, name="phone")), client_with(make_token(bo, name="laptop"))

    listed = client.get("/api/v1/auth/tokens").json()["results"]
    others = other.get("/api/v1/auth/tokens").json()["results"]

    assert [token["name"] for token in listed] == ["phone"]
    assert "token" not in listed[0]
    assert client.delete(f"/api/v1/auth/tokens/{others[0]['public_id']}").status_code == 404
    assert client.delete(f"/api/v1/auth/tokens/{listed[0]['public_id']}").status_code == 204
    assert client.get(ME).status_code == 401
    assert other.get(ME).status_code == 200


def test_signing_out_revokes_the_token_of_the_request_only():
    anna = make_user()
    client, other = client_with(make_token(anna)), client_with(make_token(anna))

    assert client.post("/api/v1/auth/sign-out").status_code == 204

    assert client.get(ME).status_code == 401
    assert other.get(ME).status_code == 200


def test_members_change_their_own_settings():
    client = client_with(make_token(make_user("anna")))
    changes = {"name": "Anna B", "language": "nl", "zone": "Europe/Amsterdam", "cadence": "daily"}

    answer = client.patch(ME, changes)

    assert answer.status_code == 200
    assert client.get(ME).json().items() >= changes.items()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"email": "new@example.org"}, "email"),
        ({"is_staff": True}, "is_staff"),
        ({"language": "fr"}, "language"),
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"zone": "../../etc/passwd"}, "zone"),
        ({"zone": "Europe"}, "zone"),
        ({"cadence": "hourly"}, "cadence"),
        ({"name": "Anna\nBcc: all@example.org"}, "name"),
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"name": {"a": 1}}, "name"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_its_field(changes, field):
    anna = make_user("anna")
    client = client_with(make_token(anna))

    answer = client.patch(ME, changes)

    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    anna.refresh_from_db()
    assert (anna.name, anna.email, anna.is_staff) == ("Anna", "anna@example.org", False)
