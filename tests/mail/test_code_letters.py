"""The mail with sign-in codes: both parts, in the reader's language, the same whenever it is sent again."""

import re
from datetime import timedelta
from typing import Any

import pytest

from games.accounts import services
from games.accounts.models import CodeRequest, SignInCode
from games.accounts.services import SignInRefused, request_codes, sign_in_with_code
from games.mail.services import deliver
from tests.builders import NOW, make_user
from tests.mail.kinds import queue
from tests.mail.servers import Mailbox

pytestmark = pytest.mark.django_db


def text_of(message: Any) -> str:
    return str(message.get_body(("plain",)).get_content())


def test_a_couple_gets_one_mail_in_the_language_of_the_first(mailbox: Mailbox) -> None:
    make_user("anna", email="home@example.org", language="sv")
    make_user("bo", email="home@example.org", language="en", name="")

    request_codes(email="home@example.org", now=NOW)
    deliver(now=NOW)

    [message] = mailbox.messages
    html = message.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert message["To"] == "home@example.org"
    assert '<html lang="sv">' in html
    codes = re.findall(r"^  (\d{6})  ", text_of(message), re.M)
    assert len(set(codes)) == 2
    assert re.findall(r">(\d{6})<", html) == codes
    assert all(name in part for name in ("anna", "bo") for part in (html, text_of(message)))
    assert not [code for code in codes if code in message["Subject"]]


def test_readers_of_text_get_text(mailbox: Mailbox) -> None:
    make_user("anna", wants_text_only=True)
    request_codes(email="anna@example.org", now=NOW)

    deliver(now=NOW)

    assert mailbox.messages[0].get_content_type() == "text/plain"


def test_codes_go_before_other_mails(mailbox: Mailbox) -> None:
    anna = make_user("anna")
    queue("one", anna, now=NOW - timedelta(hours=1))
    request_codes(email="anna@example.org", now=NOW)

    deliver(now=NOW)

    assert "Auto-Submitted" in mailbox.messages[0]
    assert re.search(r"\d{6}", text_of(mailbox.messages[0]))
    assert len(mailbox.messages) == 2


def test_a_mail_that_is_sent_again_says_the_same_under_the_same_id(mailbox: Mailbox) -> None:
    make_user("anna")
    request_codes(email="anna@example.org", now=NOW)
    request = CodeRequest.objects.get()
    deliver(now=NOW)
    request.save(force_insert=True)  # as if the worker had died before it forgot the request

    deliver(now=NOW + timedelta(minutes=2))

    first, second = mailbox.messages
    assert first["Message-ID"] == second["Message-ID"]
    assert text_of(first) == text_of(second)


def test_sending_again_makes_neither_a_used_nor_a_guessed_at_code_good(mailbox: Mailbox) -> None:
    anna = make_user("anna")
    request_codes(email="anna@example.org", now=NOW)
    wanted = services.take_code_request(now=NOW)
    assert wanted is not None
    [(_anna, code)] = wanted.codes
    again = NOW + timedelta(minutes=2)

    SignInCode.objects.update(attempts=5)
    assert services.take_code_request(now=again) is not None
    with pytest.raises(SignInRefused):
        sign_in_with_code(who="anna", code=code, now=again)
    SignInCode.objects.update(attempts=0)
    assert sign_in_with_code(who="anna", code=code, now=again) == anna
    assert services.take_code_request(now=again + timedelta(minutes=2)) is not None

    with pytest.raises(SignInRefused):
        sign_in_with_code(who="anna", code=code, now=again + timedelta(minutes=2))


def test_codes_of_two_requests_do_not_follow_from_each_other(mailbox: Mailbox) -> None:
    make_user("anna")
    codes = []
    for minute in range(4):
        request_codes(email="anna@example.org", now=NOW + timedelta(minutes=minute))
        deliver(now=NOW + timedelta(minutes=minute))
        codes += re.findall(r"\d{6}", text_of(mailbox.messages[-1]))[:1]

    assert len(set(codes)) == 4


def test_members_of_one_address_never_have_the_same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(9):
        make_user(f"member-of-{number}", email="home@example.org")
    monkeypatch.setattr(services, "CODE_DIGITS", 1)
    request_codes(email="home@example.org", now=NOW)

    wanted = services.take_code_request(now=NOW)

    assert wanted is not None
    assert len({code for _member, code in wanted.codes}) == 9
