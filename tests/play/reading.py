"""Reading pages and filling their forms as a browser without JavaScript does."""

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

from django.test import Client


@dataclass
class Form:
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: list[tuple[str, str]] = field(default_factory=list)
    options: dict[str, list[str]] = field(default_factory=dict)


class Page(HTMLParser):
    """The forms of a page: hidden and chosen fields, radio buttons and submit buttons, options of lists."""

    def __init__(self, response):
        super().__init__()
        self.forms: list[Form] = []
        self.select = ""
        self.is_inside = False
        self.feed(response.content.decode())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.forms.append(Form(given.get("action", "")))
            self.is_inside = True
        if not self.is_inside:
            return
        form = self.forms[-1]
        if tag == "input" and given.get("type") == "hidden":
            form.fields[given["name"]] = given["value"]
        elif (tag == "input" and given.get("type") == "radio") or (tag == "button" and "name" in given):
            form.choices.append((given["name"], given["value"]))
        elif tag == "select":
            self.select = given["name"]
            form.options[self.select] = []
        elif tag == "option" and given.get("value"):
            form.options[self.select].append(given["value"])

    def handle_endtag(self, tag):
        if tag == "form":
            self.is_inside = False

    def form_with(self, name, value=None):
        """Return the first form with such a radio button or button."""
        for form in self.forms:
            if any(name == n and value in (None, v) for n, v in form.choices):
                return form
        raise AssertionError(f"no form has {name} {value or ''}")

    def values(self):
        return [value for form in self.forms for name, value in form.choices if name == "choice"]


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def url(game):
    return f"/games/{game.pk}"


def play(client, game, choice, **more):
    """Send the form that offers `choice`."""
    form = Page(client.get(url(game))).form_with("choice", choice)
    return client.post(form.action, form.fields | {"choice": choice} | more)


def play_something(client, game, pick):
    """Follow links and send forms as a player does: pick a card, perhaps a space, and play."""
    page = client.get(url(game))
    others = [v for f in Page(page).forms for n, v in f.choices if n == "choice" and v.split()[0] in OTHERS]
    links = re.findall(r'href="([^"]+)"', page.text.split('class="hand"')[1].split("</ul>")[0])
    for step in range(len(links)):
        card = client.get(unescape(links[(pick + step) % len(links)]))
        for text in (card, *_spaces(client, card, pick)):
            form = _form_of_play(text, pick)
            if form is not None:
                return client.post(*form)
    return play(client, game, others[pick % len(others)])


OTHERS = ("pass", "announce")


def _spaces(client, page, pick):
    """Yield the page of one of the spaces that a card may go to."""
    cells = re.findall(r'class="lit"><a href="([^"]+)"', page.text)
    if cells:
        yield client.get(unescape(cells[pick % len(cells)]))


def _form_of_play(page, pick):
    """Return where the form of what is picked goes and what it sends, None if nothing is picked yet."""
    for form in Page(page).forms:
        values = [v for n, v in form.choices if n == "choice" and v.split()[0] not in OTHERS]
        if form.fields.get("choice"):
            return form.action, form.fields
        if any(v.split()[0] in ("place", "remove", "swap", "discard") for v in values):
            return form.action, form.fields | {"choice": values[pick % len(values)]}
    return None


def section(response, heading):
    """Return the part of a page below the heading with this id."""
    text = response.content.decode()
    return text.split(f'id="{heading}"')[1].split("</section>")[0] if f'id="{heading}"' in text else ""


def propose(client, club, **fields):
    return client.post(f"/games/new?club={club.slug}", proposal_form(client, club) | fields)


def proposal_form(client, club):
    """Return the form of a proposal as a browser would send it, with the page's own key."""
    page = client.get(f"/games/new?club={club.slug}")
    assert page.status_code == 200
    return filled(page) | {"key": page.context["key"]}


def filled(response):
    """Return the form of a proposal as it stands in the page."""
    return {
        bound.html_name: "" if bound.value() is None else str(bound.value())
        for bound in response.context["form"]
    }
