"""Requests that no browser sends: each is refused with the right status, and none is a fault of ours."""

from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client

from games.accounts import services
from sequence_site.wsgi import application
from tests.builders import make_token, make_user

FORM = "application/x-www-form-urlencoded"
MANY_FIELDS = "&".join(f"a{number}=1" for number in range(1001))


@pytest.fixture
def visitor() -> Client:
    """A browser whose server, as in an installation, answers faults instead of raising them."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["csrftoken"] = "a" * 32  # without it the body of a form is not even looked at
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("cookie", [r'"\000abcdefghij"', r'"abcdefgh\000ij"', r'"\000"'])
@pytest.mark.parametrize("address", ["/", "/sign-in", "/api/v1/clubs", "/nothing-here"])
def test_nul_in_the_cookie_of_a_session_means_signed_out(visitor: Client, cookie: str, address: str) -> None:
    without = visitor.get(address)

    answer = visitor.get(address, headers={"cookie": f"sessionid={cookie}; csrftoken={cookie}"})

    assert answer.status_code == without.status_code < 500


@pytest.mark.django_db
def test_the_other_cookies_of_a_request_are_still_read(visitor: Client) -> None:
    visitor.force_login(make_user("anna"))
    session = visitor.cookies["sessionid"].value

    answer = visitor.get("/api/v1/me", headers={"cookie": rf'messages="\000"; sessionid={session}'})

    assert answer.json()["username"] == "anna"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "charset", ["iso-8859-1", "utf-7", "us-ascii", "hex", "rot13", "klingon", "é", "utf8"]
)
@pytest.mark.parametrize("address", ["/sign-in", "/sign-in/code", "/sign-out", "/nothing-here", "/api/v1/me"])
def test_a_form_in_other_letters_than_utf_8_is_a_bad_request(
    visitor: Client, charset: str, address: str
) -> None:
    answer = visitor.generic("POST", address, b"who=anna", content_type=f"{FORM}; charset={charset}")

    # Django itself takes no other spelling of UTF-8 in a form.
    known = {"/nothing-here": 404, "/api/v1/me": 401} if charset in {"us-ascii", "utf8"} else {}
    assert answer.status_code == known.get(address, 400)
    if address.startswith("/api/"):
        assert answer["Content-Type"] == "application/problem+json"
    else:
        assert "<h1>" in answer.text


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["next=%41..%c3", MANY_FIELDS])
@pytest.mark.parametrize("parameter", ["charset=utf-8", "charset=hex", "charset=idna", "charset*=klingon''x"])
def test_a_content_type_that_cannot_be_read_is_a_bad_request(parameter: str, query: str) -> None:
    environ: dict[str, Any] = {
        "PATH_INFO": "/sign-in", "QUERY_STRING": query, "CONTENT_TYPE": f"text/plain; {parameter}",
    }  # fmt: skip
    setup_testing_defaults(environ)
    statuses: list[str] = []

    body = b"".join(application(environ, lambda status, headers: statuses.append(status)))

    is_readable = parameter == "charset=utf-8" and query != MANY_FIELDS
    assert statuses == ["200 OK" if is_readable else "400 Bad Request"]
    assert b"<h1>" in body


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (MANY_FIELDS, FORM),
        ("--x\r\n", "multipart/form-data"),
        ("--x\r\n", "multipart/form-data; boundary="),
        ("x", f"{FORM}; charset=utf-8; charset=ascii"),
    ],
)
@pytest.mark.parametrize("address", ["/sign-in", "/sign-in/code", "/sign-out"])
def test_a_form_that_cannot_be_read_is_a_bad_request(
    visitor: Client, address: str, body: str, content_type: str
) -> None:
    answer = visitor.generic("POST", address, body, content_type=content_type)

    assert answer.status_code in {400, 403}
    assert "<h1>" in answer.text


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_a_body_in_chunks_has_to_be_sent_with_its_length(visitor: Client, method: str) -> None:
    below_the_api = getattr(visitor, method)("/api/v1/me", headers={"transfer-encoding": "chunked"})
    page = getattr(visitor, method)("/sign-in", headers={"transfer-encoding": "chunked"})

    assert (below_the_api.status_code, below_the_api.json()["code"]) == (411, "length_required")
    assert (page.status_code, page["Content-Type"]) == (411, "text/html; charset=utf-8")


@pytest.mark.django_db
def test_reading_does_not_need_a_length(visitor: Client) -> None:
    assert visitor.get("/sign-in", headers={"transfer-encoding": "chunked"}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_without_the_database_the_caller_is_asked_to_come_back(
    visitor: Client, error: type[Exception]
) -> None:
    token = make_token(make_user())

    def fail(*_: Any) -> None:
        raise error("the database system is shutting down")

    with connection.execute_wrapper(fail):
        below_the_api = visitor.get("/api/v1/me", headers={"authorization": f"Bearer {token}"})
        pages = [
            visitor.get("/", headers={"cookie": "sessionid=abcdefghij"}),
            visitor.get("/nothing-here", headers={"cookie": "sessionid=abcdefghij"}),
        ]

    assert (below_the_api.status_code, below_the_api.json()["code"]) == (503, "try_again")
    assert below_the_api["Retry-After"] == "1"
    for page in pages:
        assert (page.status_code, page["Retry-After"]) == (503, "1")
        assert "try again" in page.text
    assert "shutting down" not in below_the_api.text + "".join(page.text for page in pages)


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_is_not_had_in_time_is_no_fault(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(**_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 10")
            cursor.execute("SET statement_timeout = 10; SELECT pg_sleep(1)")

    monkeypatch.setattr(services, "sign_in_with_password", wait)
    body = {"username": "anna", "password": "x"}
    try:
        answer = visitor.post("/api/v1/auth/tokens", body, content_type="application/json")
    finally:
        connection.close()

    assert (answer.status_code, answer.json()["code"]) == (503, "try_again")
