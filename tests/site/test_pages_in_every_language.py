"""Every page that links lead to, in every language: nothing left unfilled, no commas in drawings."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from games.accounts.models import User
from games.clubs.models import Club, Role
from games.play.services.proposing import propose_game
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game, play_one, play_to_the_end, player_on_turn

pytestmark = pytest.mark.django_db

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
ELSEWHERE = ("/api/", "/inbox/", "/static/", "/calendar/")
# What was to be replaced by a word: %(name)s, %s, {name}, {{ name }}.
UNFILLED = re.compile(r"%\(\w*\)?[a-z]?|%[sd]\b|\{+ ?\w+ ?\}+")
NUMBER_WITH_COMMA = re.compile(r"\d,\d")
# The month of a day in English, in none of the others.
ENGLISH_DAYS = re.compile(r"\b(January|February|March|May|June|July|October|Monday|Tuesday|Wednesday)\b")


class Page(HTMLParser):
    """What a page says, where it leads, and the attributes of its drawings."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.links: list[str] = []
        self.drawn: list[tuple[str, str]] = []
        self.fields: list[tuple[str, str]] = []
        self.in_svg = self.unseen = 0
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.in_svg += tag == "svg"
        self.unseen += tag in ("script", "style", "code", "textarea")
        found = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "input" and found.get("type") in ("number", "date", "time", "datetime-local"):
            self.fields.append((found["type"], found.get("value", "")))
        self.text += [found[name] for name in ("alt", "title", "aria-label", "placeholder") if name in found]
        if self.in_svg:
            spoken = ("aria-label", "class", "id", "href")
            self.drawn += [(name, value) for name, value in found.items() if name not in spoken]

    def handle_endtag(self, tag: str) -> None:
        self.in_svg -= tag == "svg"
        self.unseen -= tag in ("script", "style", "code", "textarea")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.text.append(data)


@pytest.fixture(autouse=True)
def english_afterwards() -> Any:
    yield
    translation.activate("en")


@pytest.fixture
def club() -> Club:
    """A club with games of every state, seen by its organiser, who also has a seat in a running one."""
    organiser = make_user("anna")
    club = make_club(organiser=organiser, is_open=True)
    propose_game(proposer=organiser, club=club, seats=4, options={"max_shared": 2}, now=NOW)
    running = make_game(3, club=club, hand_size=4)
    for _turn in range(5):
        play_one(running, pick=3)
    make_member(club, role=Role.MEMBER)
    play_to_the_end(make_game(2, club=club))
    return club


def pages(client: Client, first: list[str]) -> Iterator[tuple[str, Any, Page]]:
    """Yield every page that links lead to, from the first ones on, within the site and without repeating."""
    waiting, seen = list(first), set(first)
    while waiting:
        path = waiting.pop(0)
        answer = client.get(path)
        if not answer["Content-Type"].startswith("text/html"):
            continue
        page = Page(answer.content.decode())
        yield path, answer, page
        for link in page.links:
            parts = urlsplit(urldefrag(urljoin(path, link))[0])
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            if parts.netloc or parts.path.startswith(ELSEWHERE) or kind_of(target) in seen:
                continue
            seen.add(kind_of(target))
            waiting.append(target)


def kind_of(address: str) -> str:
    """Return an address without what was chosen: a page of one card, or of one member, is like the next."""
    return re.sub(r"=[^&]*|[0-9a-f-]{36}", "", address)


def readers(club: Club, language: str) -> Iterator[Client]:
    """Yield the browsers of the organiser, of who is on turn, and of a passer-by, all in one language."""
    User.objects.update(language=language)
    running = club.games.get(status="active")
    for member in (User.objects.get(username="anna"), player_on_turn(running)):
        browser = Client()
        browser.force_login(member)
        yield browser
    yield Client(headers={"Accept-Language": language})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_in_every_language(club: Club, language: str) -> None:
    faults, count = [], 0
    for browser in readers(club, language):
        for path, answer, page in pages(browser, ["/", "/rules", "/sign-in", "/nothing-here"]):
            count += 1
            said = " ".join(page.text)
            if answer.status_code not in (200, 404) or answer["Content-Language"] != language:
                faults.append((path, answer.status_code, answer["Content-Language"]))
            faults += [(path, "unfilled", found) for found in UNFILLED.findall(said)]
            faults += [
                (path, "comma in a drawing", name, value)
                for name, value in page.drawn
                if NUMBER_WITH_COMMA.search(value)
            ]
            faults += [
                (path, "field", kind, value)
                for kind, value in page.fields
                if not re.fullmatch(r"-?[\d.]*|\d{4}-\d\d-\d\d|\d\d:\d\d(:\d\d)?", value)
            ]
            faults += [(path, "English", found) for found in ENGLISH_DAYS.findall(said)]

    assert faults == []
    assert count > 15
