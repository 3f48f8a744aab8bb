"""What somebody has who only has their mail: messages as bytes, the links in them, and pages with forms."""

import email
import email.policy
from dataclasses import dataclass, field
from email.message import EmailMessage
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client


class Page(HTMLParser):
    """The links and forms of a piece of HTML, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.spots: list[str] = []
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select = ""
        self._option: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, found: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in found}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
            if given.get("id", "").startswith("spot-"):
                self.spots.append(given["href"].partition("#")[0])
        elif tag == "form":
            self._form = Form(given.get("method", "get"), given.get("action", ""))
            self.forms.append(self._form)
        elif tag == "select":
            self._select = given.get("name", "")
        elif self._form is None:
            pass
        elif tag == "option" and self._select:
            self._option = given.get("value", "")
        elif tag == "input" and given.get("type") == "radio":
            self._form.choices.setdefault(given["name"], []).append(given["value"])
        elif tag == "input" and given.get("name"):
            self._form.fields[given["name"]] = given.get("value", "")
        elif tag == "button" and given.get("name"):
            self._form.choices.setdefault(given["name"], []).append(given.get("value", ""))

    def handle_data(self, data: str) -> None:
        if self._form is not None and self._option is not None:
            self._form.choices.setdefault(self._select, []).append(self._option or data.strip())
            self._option = None

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""


@dataclass
class Form:
    """A form: what it sends by itself, and what may be chosen."""

    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)


class Letter:
    """A mail as it came; `text` and `html` are its two parts."""

    def __init__(self, raw: bytes) -> None:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.message = message
        self.parts = {part.get_content_type(): part for part in message.walk() if not part.is_multipart()}

    @property
    def id(self) -> str:
        """Return the Message-ID, without its brackets."""
        return str(self.message["Message-ID"]).strip("<>")

    @property
    def to(self) -> str:
        return str(self.message["To"]).rpartition("<")[2].rstrip(">")

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def text(self) -> str:
        return str(self.parts["text/plain"].get_content())

    @property
    def html(self) -> str:
        return str(self.parts["text/html"].get_content())

    @property
    def turn_links(self) -> list[str]:
        """Return the turn links of the HTML part, none twice; the text part has the same."""
        start = f"{settings.PUBLIC_URL}/t/"
        links = [link.partition("?")[0] for link in Page(self.html).links if link.startswith(start)]
        links = list(dict.fromkeys(links))
        assert links == list(dict.fromkeys(word for word in self.text.split() if word.startswith(start)))
        return links


class Bearer:
    """Somebody with a link and a browser that never was here before."""

    def __init__(self, link: str) -> None:
        assert link.startswith(settings.PUBLIC_URL + "/")
        self.client = Client(enforce_csrf_checks=True)
        self.here = link.removeprefix(settings.PUBLIC_URL)

    def look(self, query: str = "", *, status: int = 200) -> tuple[str, Page]:
        answer = self.client.get(f"{self.here}{query}")
        assert answer.status_code == status, (query, answer.status_code)
        assert not answer.cookies
        html = answer.content.decode()
        return html, Page(html)

    def send(self, form: Form, **chosen: str) -> Any:
        assert form.method == "post"
        answer = self.client.post(form.action, form.fields | chosen)
        assert not self.client.cookies
        return answer

    def cards(self) -> list[str]:
        """Return the cards of the hand that can be picked, as addresses have them."""
        _, page = self.look()
        return list(dict.fromkeys(link for link in _queries(page) if "space=" not in link))

    def play(self, wish: int) -> None:
        """Play the `wish`-th of what can be played, card first, as a person does; only what pages offer."""
        cards = self.cards()
        for card in cards[wish % len(cards) :] + cards[: wish % len(cards)] if cards else []:
            _, page = self.look(card)
            spaces = page.spots + [
                f"{card}&space={space}" for form in page.forms for space in form.choices.get("space", [])
            ]
            if spaces:
                _, page = self.look(f"?{spaces[wish % len(spaces)].partition('?')[2]}")
            if ready := _to_confirm(page):
                self._confirm(ready)
                return
        _, page = self.look()
        form = _to_confirm(page)
        assert form is not None, "nothing can be done"
        self._confirm(form)

    def _confirm(self, form: Form) -> None:
        choice = form.choices["choice"][0] if "choice" in form.choices else form.fields["choice"]
        answer = self.send(form, choice=choice)
        assert answer.status_code == 303, (choice, answer.status_code)
        assert urlsplit(answer["Location"]).path == self.here


def _to_confirm(page: Page) -> Form | None:
    """Return the form that plays what a page has picked."""
    plays = (form for form in page.forms if form.method == "post")
    return next((form for form in plays if "choice" in {*form.fields, *form.choices}), None)


def _queries(page: Page) -> list[str]:
    """Return what links on a page pick: `?card=Qd` or `?card=Qd&space=c5`."""
    found = (link.partition("?")[2].partition("#")[0] for link in page.links)
    return [f"?{query}" for query in found if query.startswith("card=")]
