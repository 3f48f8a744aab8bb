"""Mail scanners follow every link of every mail, some with a browser: nothing happens by that."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from tests.every_mail import every_kind_of_mail
from tests.journeys.post import Letter, Page
from tests.mail.servers import Mailbox
from tests.play.links import everything

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

OVER_BY_NOW = {("expired", 410), ("confirm", 404)}
"""The mails are of some hours ago: the turn is over, and a new address is agreed to within one hour."""

ADDRESS = re.compile(r"https?://[^\s<>\"]+")


def links_of(letter: Letter) -> set[str]:
    """Return every address in the HTML, the text and the headers of a mail."""
    found = set(ADDRESS.findall(letter.text)) | set(ADDRESS.findall(str(letter.message["List-Unsubscribe"])))
    if "text/html" in letter.parts:
        found |= set(Page(letter.html).links) | set(ADDRESS.findall(letter.html))
    return found


def test_whoever_follows_every_link_of_every_mail_changes_nothing(
    visit: Any, live_server: Any, mailbox: Mailbox, settings: Any
) -> None:
    settings.PUBLIC_URL = live_server.url
    letters = {kind: Letter(raw) for kind, raw in every_kind_of_mail(mailbox, "sv").items()}
    links = {link: kind for kind, letter in letters.items() for link in links_of(letter)}
    assert all(link.startswith(f"{live_server.url}/") for link in links)
    kinds_with_a_turn_link = {kind for link, kind in links.items() if "/t/" in link}
    assert kinds_with_a_turn_link >= {"turn", "draw", "pay", "answer", "offer", "reminder", "links", "digest"}
    before = everything()

    for link, kind in links.items():
        parts = urlsplit(link)
        path = f"{parts.path}?{parts.query}"
        for method in ("head", "get"):
            client = Client(headers={"user-agent": "scanner"})
            answer = getattr(client, method)(path)
            assert answer.status_code < 400 or (kind, answer.status_code) in OVER_BY_NOW, (kind, path)
            assert "sessionid" not in client.cookies, (kind, path)
    assert everything() == before

    for link in sorted(links):
        visitor = visit(360)
        visitor.page.goto(link)
        visitor.page.wait_for_load_state("networkidle")
        assert not [cookie for cookie in visitor.context.cookies() if cookie["name"] == "sessionid"], link
        visitor.context.close()
    assert everything() == before
