"""What arrives, as bytes: parts, headers, languages, and nothing that a name could smuggle in."""

import email
import email.policy
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils.translation import gettext_lazy

from games.mail.kinds import KINDS, Content, Kind
from games.mail.models import Mail
from games.mail.services import deliver
from tests.builders import NOW, make_user
from tests.mail.kinds import PNG, Board, queue
from tests.mail.servers import Mailbox

pytestmark = pytest.mark.django_db


@pytest.fixture
def received(mailbox: Mailbox) -> Callable[..., EmailMessage]:
    def send(key: str = "one", *, kind: str = "urgent", now: Any = NOW, **member: Any) -> EmailMessage:
        queue(key, make_user(**member), kind, now=now)
        deliver(now=now)
        return mailbox.messages[-1]

    return send


def test_the_parts_of_a_mail_stand_as_mail_programs_want_them(received: Any) -> None:
    message = received()

    assert message.get_content_type() == "multipart/alternative"
    text, related = message.iter_parts()
    html, picture = related.iter_parts()
    assert text.get_content_type() == "text/plain"
    assert related.get_content_type() == "multipart/related"
    assert related.get_param("type") == "text/html"
    assert html.get_content_type() == "text/html"
    assert picture.get_content_type() == "image/png"
    assert picture.get_content() == PNG
    assert picture.get_content_disposition() == "inline"
    assert picture.get_filename() == "board.png"
    assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in html.get_content()


def test_pictures_of_two_mails_have_ids_of_their_own(received: Any) -> None:
    ids = []
    for key in ("one", "two"):
        _text, related = received(key).iter_parts()
        ids += [part["Content-ID"] for part in related.iter_parts() if part["Content-ID"]]

    assert len(set(ids)) == 2


def test_a_member_who_wants_text_gets_text_only(received: Any) -> None:
    message = received(wants_text_only=True)

    assert message.get_content_type() == "text/plain"
    assert "cid:" not in message.as_string()


def test_a_mail_without_html_is_text(received: Any, known_kinds: Board) -> None:
    known_kinds.content |= {"html": "", "pictures": ()}

    assert received().get_content_type() == "text/plain"


def test_a_mail_without_pictures_has_no_part_for_them(received: Any, known_kinds: Board) -> None:
    known_kinds.content |= {"pictures": ()}

    assert [part.get_content_type() for part in received().iter_parts()] == ["text/plain", "text/html"]


def test_the_headers_say_what_programs_ask(received: Any, known_kinds: Board, settings: Any) -> None:
    settings.PUBLIC_URL = "https://play.example.org"
    known_kinds.content |= {
        "thread": "game-7-A",
        "list_id": "Game 7: Whist & Co",
        "unsubscribe": "https://play.example.org/mail/unsubscribe/" + "x" * 90,
    }

    first, second = received("one"), received("two")

    assert first["Auto-Submitted"] == "auto-generated"
    assert first["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert first["List-Id"] == "<game-7-whist-co.play.example.org>"
    assert first["List-Unsubscribe"] == f"<{known_kinds.content['unsubscribe']}>"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert first["Date"].datetime == NOW
    assert first["References"] == first["In-Reply-To"] == second["References"]
    assert first["References"].endswith("@play.example.org>")
    assert first["Message-ID"] != second["Message-ID"]
    assert first["Message-ID"].endswith("@play.example.org>")


def test_mails_that_belong_to_nothing_say_nothing_of_it(received: Any) -> None:
    message = received()

    for name in ("References", "In-Reply-To", "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post"):
        assert name not in message


def test_the_same_row_always_has_the_same_message_id(received: Any, mailbox: Mailbox) -> None:
    first = received("one")["Message-ID"]
    Mail.objects.update(state="waiting")

    deliver(now=NOW + timedelta(hours=1))

    assert [message["Message-ID"] for message in mailbox.messages] == [first, first]


@pytest.mark.parametrize(
    "name",
    [
        "Anna\r\nBcc: all@example.org",
        'Anna" <evil@example.org>, "B',
        "Åsa \u2028 Öberg, \\ jr.",
        "Анна <anna@evil.example>",
    ],
)
def test_a_name_stays_a_name(received: Any, known_kinds: Board, mailbox: Mailbox, name: str) -> None:
    known_kinds.content["subject"] = f"{name} played\r\nX-Evil: 1"

    message = received(name=name, email="anna@example.org")

    [address] = message["To"].addresses
    assert address.addr_spec == "anna@example.org"
    assert address.display_name == " ".join(name.split())
    assert message["Subject"] == f"{' '.join(name.split())} played X-Evil: 1"
    assert not {"Bcc", "X-Evil"} & set(message.keys())
    assert mailbox.taken[0][0] == ["anna@example.org"]


@pytest.mark.parametrize(
    ("language", "zone", "word", "hour"),
    [("en", "UTC", "Monday", "18:00"), ("sv", "Europe/Stockholm", "måndag", "19:00")],
)
def test_a_mail_is_in_the_language_and_zone_of_its_reader(
    received: Any, language: str, zone: str, word: str, hour: str
) -> None:
    message = received(language=language, zone=ZoneInfo(zone))

    assert message["Subject"] == word
    assert message.get_body(("plain",)).get_content().split() == [word, hour]


def test_words_that_are_translated_late_are_in_the_readers_language_too(
    received: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lazy: Any = gettext_lazy("Monday")
    monkeypatch.setitem(KINDS, "lazy", Kind(lambda mail, now: Content(lazy, lazy, lazy)))

    message = received(kind="lazy", language="da")

    raw = message.as_bytes().decode()
    assert message["Subject"] == "mandag"
    assert "Monday" not in raw


def test_links_of_the_site_do_not_come_from_a_request(received: Any, settings: Any, mailbox: Mailbox) -> None:
    settings.PUBLIC_URL = "https://play.example.org"
    settings.ALLOWED_HOSTS = ["*"]
    anna = make_user(cadence="coalesced")
    for key in ("a", "b"):
        queue(key, anna, "news", now=NOW - timedelta(hours=1))

    message = received()

    assert message["Message-ID"].endswith("@play.example.org>")
    [text] = [
        str(sent.get_body(("plain",)).get_content())  # type: ignore[union-attr]
        for sent in mailbox.messages
        if "notices" in sent["Subject"]
    ]
    assert "localhost" not in text
    assert " https://play.example.org/settings" in text.splitlines()
    assert " https://play.example.org/mail/unsubscribe/" in text


def test_a_provider_gets_the_same_parts(settings: Any, known_kinds: Board, mailoutbox: Any) -> None:
    settings.EMAIL_BACKEND = "anymail.backends.test.EmailBackend"
    known_kinds.content |= {"unsubscribe": "https://example.org/u", "thread": "x"}
    queue("one", make_user("anna"))

    assert deliver(now=NOW) == 1

    params = mailoutbox[0].anymail_test_params
    [picture] = params["attachments"]
    assert picture.inline
    assert f"cid:{picture.cid}" in params["html_body"]
    assert params["to"][0].addr_spec == "anna@example.org"
    assert params["extra_headers"]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_bytes_are_of_lines_that_every_server_takes(
    received: Any, mailbox: Mailbox, known_kinds: Board
) -> None:
    known_kinds.content["text"] = "Ä" * 3000 + "\n" + "♦︎" * 900
    received()

    raw = mailbox.taken[0][1]
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"")
    parsed = email.message_from_bytes(raw, policy=email.policy.default)
    assert parsed.get_body(("plain",)).get_content().startswith("Ä" * 3000)  # type: ignore[union-attr]
