"""Codes of invitations stay out of the log, wherever it is written and whatever goes wrong."""

import io
import logging
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils.log import ServerFormatter
from gunicorn.config import Config
from gunicorn.glogging import Logger as GunicornLogger

from games.clubs import queries, services
from games.play.pages.game import by_link
from sequence_site.logs import hide_codes
from tests.builders import NOW, make_club, make_user

pytestmark = pytest.mark.django_db
CODE = "Zm9vYmFy_w-" + "x" * 32


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What every logger of the process writes, Django's own handlers and the site's included."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    loggers = [logging.getLogger(name) for name in (None, "django", "django.server", "gunicorn.error")]
    listening = [logger for logger in loggers if logger.name == "root" or not logger.propagate]
    for logger in listening:
        logger.addHandler(handler)
    yield written
    for logger in listening:
        logger.removeHandler(handler)


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


@pytest.mark.parametrize(
    ("method", "rest", "status"),
    [
        ("get", "", 404),
        ("get", "/", 404),
        ("get", "/more/of/it", 404),
        ("get", "?x=%00", 400),
        ("get", "/?next=a", 404),
        ("post", "", 403),
        ("put", "", 403),
    ],
)
def test_what_is_refused_at_an_invitation_hides_its_code(
    log: io.StringIO, visitor: Client, method: str, rest: str, status: int
) -> None:
    answer = getattr(visitor, method)(f"/invitations/{CODE}{rest}")

    assert answer.status_code == status
    assert CODE not in log.getvalue()
    assert "/invitations/[hidden]" in log.getvalue()


@pytest.mark.parametrize("body", [b"x" * 2_000_000, b"who=anna"])
def test_a_body_that_is_refused_at_an_invitation_hides_its_code(
    log: io.StringIO, visitor: Client, body: bytes
) -> None:
    address = f"/invitations/{CODE}"

    answer = visitor.post(address, body, content_type="application/x-www-form-urlencoded; charset=utf8")

    assert answer.status_code in {403, 413}
    assert CODE not in log.getvalue()


def test_a_fault_at_an_invitation_is_logged_without_its_code(
    log: io.StringIO, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(code: str, *_: Any) -> None:
        raise LookupError(f"<WSGIRequest: GET '/invitations/{code}'>")

    monkeypatch.setattr(queries, "invitation_by", fail)
    monkeypatch.setattr(queries, "valid_invitation", fail)

    assert visitor.get(f"/invitations/{CODE}").status_code == 500

    assert "Internal Server Error: /invitations/[hidden]" in log.getvalue()
    assert "LookupError: <WSGIRequest: GET '/invitations/[hidden]'>" in log.getvalue()
    assert CODE not in log.getvalue()


def test_every_code_that_is_mailed_is_hidden() -> None:
    alice = make_user("alice")
    club = make_club(organiser=alice)

    for number in range(50):
        email = f"dora{number}@example.org"
        code = services.invite(club=club, by=alice, email=email, role="member", now=NOW).code
        link = f"http://localhost:8000/invitations/{code}"
        assert hide_codes(link) == "http://localhost:8000/invitations/[hidden]"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (
            f"GET /sign-in?next=/invitations/{CODE} HTTP/1.1",
            "GET /sign-in?next=/invitations/[hidden] HTTP/1.1",
        ),
        (f'"?next=%2Finvitations%2F{CODE}"', '"?next=%2Finvitations%2F[hidden]"'),
        (f"%252Finvitations%252f{CODE} x", "%252Finvitations%252f[hidden] x"),
        (f"//INVITATIONS//{CODE}", "//INVITATIONS//[hidden]"),
        (f"{{'path': 'invitations/{CODE}/'}}", "{'path': 'invitations/[hidden]'}"),
        (f"GET /calendar/0123abcd.{CODE}.ics HTTP/1.1", "GET /calendar/[hidden] HTTP/1.1"),
        ("POST /api/v1/clubs/tuesday/invitations 503", "POST /api/v1/clubs/tuesday/invitations 503"),
    ],
)
def test_only_what_stands_below_invitations_and_calendars_is_hidden(text: str, hidden: str) -> None:
    assert hide_codes(text) == hidden


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f'"GET /t/{CODE} HTTP/1.1" 200', '"GET /t/[hidden] HTTP/1.1" 200'),
        (f"POST /t/{CODE}/links", "POST /t/[hidden]"),
        (f"Referer: https://play.example/t/{CODE}?card=Qd", "Referer: https://play.example/t/[hidden]"),
        (f"?next=%2Ft%2F{CODE} x", "?next=%2Ft%2F[hidden] x"),
        (f"%252ft%252f{CODE}", "%252ft%252f[hidden]"),
        (f"<WSGIRequest: GET '/t/{CODE}'>", "<WSGIRequest: GET '/t/[hidden]'>"),
        (f"/calendar/{CODE}.ics", "/calendar/[hidden]"),
        (f"/mail/unsubscribe/{CODE}", "/mail/unsubscribe/[hidden]"),
        ("/clubs/t/organise", "/clubs/t/organise"),
        (f"/robot/{CODE}", f"/robot/{CODE}"),
    ],
)
def test_what_opens_a_turn_a_calendar_or_an_end_to_mail_is_hidden(text: str, hidden: str) -> None:
    assert hide_codes(text) == hidden


@pytest.mark.parametrize(
    ("method", "rest", "status"),
    [
        ("get", "", 404),
        ("get", "/", 404),
        ("get", "/more/of/it", 404),
        ("get", "?x=%00", 400),
        ("post", "", 404),
        ("post", "/links", 404),
        ("put", "", 405),
    ],
)
def test_what_is_refused_at_a_turn_link_hides_its_token(
    log: io.StringIO, visitor: Client, method: str, rest: str, status: int
) -> None:
    answer = getattr(visitor, method)(f"/t/{CODE}{rest}")

    assert answer.status_code == status
    assert CODE not in log.getvalue()
    assert "/t/[hidden]" in log.getvalue()


def test_a_fault_at_a_turn_link_is_told_and_logged_without_its_token(
    log: io.StringIO, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(token: str) -> None:
        raise LookupError(f"<WSGIRequest: GET '/t/{token}'>")

    monkeypatch.setattr(by_link, "find_link", fail)

    page = visitor.get(f"/t/{CODE}")

    assert page.status_code == 500
    assert CODE not in page.text
    assert "Internal Server Error: /t/[hidden]" in log.getvalue()
    assert "LookupError: <WSGIRequest: GET '/t/[hidden]'>" in log.getvalue()
    assert CODE not in log.getvalue()


def test_the_access_log_of_gunicorn_hides_tokens_in_addresses_and_referrers(
    capfd: pytest.CaptureFixture[str],
) -> None:
    config = Config()
    config.set("accesslog", "-")
    gunicorn = GunicornLogger(config)
    handler = logging.StreamHandler()
    gunicorn.access_log.addHandler(handler)
    address = f"/t/{CODE}?card=Qd"
    answer = SimpleNamespace(status="200 OK", sent=1, headers=[])
    asked = SimpleNamespace(headers=[("REFERER", f"http://localhost:8000{address}")])
    environ = {
        "REQUEST_METHOD": "GET", "RAW_URI": address, "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_REFERER": f"http://localhost:8000{address}",
    }  # fmt: skip

    gunicorn.access(answer, asked, environ, timedelta(seconds=1))
    gunicorn.access_log.removeHandler(handler)

    said = "".join(capfd.readouterr())
    assert said.count("/t/[hidden]") >= 2
    assert CODE not in said


def test_gunicorn_and_the_server_of_development_hide_codes_too(
    capfd: pytest.CaptureFixture[str],
) -> None:
    gunicorn = GunicornLogger(Config())
    gunicorn.error_log.addHandler(handler := logging.StreamHandler())
    try:
        raise LookupError(f"/invitations/{CODE}")
    except LookupError:
        gunicorn.exception("Error handling request %s", f"/invitations/{CODE}")
    finally:
        gunicorn.error_log.removeHandler(handler)
    logger = logging.getLogger("django.server")
    record = logger.makeRecord(
        logger.name, 20, "", 1, '"%s" %s', (f"GET /invitations/{CODE} HTTP/1.1", 200), None
    )

    said = capfd.readouterr().err

    assert said.count("/invitations/[hidden]") >= 2
    assert CODE not in said
    assert ServerFormatter().format(record).startswith('"GET /invitations/[hidden] HTTP/1.1" 200')
