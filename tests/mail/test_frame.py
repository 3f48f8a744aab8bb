"""The one layout of all mails: small, inlined, with nothing loaded from elsewhere."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.template import Engine
from django.template.loaders.locmem import Loader
from django.utils import translation

from games.mail import frame
from games.mail.frame import compose, wrap
from games.mail.kinds import Content

HTML = """{% extends "mail/frame.html" %}
{% block preheader %}Turn 17{% endblock %}
{% block body %}<h1>{{ title }}</h1><p>{{ words }}</p>
{% include "mail/_button.html" with url=link label="Take your turn" %}{% endblock %}"""
TEXT = """{% extends "mail/frame.txt" %}
{% block body %}{{ title }}: {{ words }}

  1  2  3   board of whatever width it has, which is not to be wrapped, since it is a picture of letters

{{ link }}?{% endblock %}"""


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for tag, attrs in self.found if tag == name]


@pytest.fixture
def content(monkeypatch: pytest.MonkeyPatch) -> Content:
    engine = Engine.get_default()
    own = Loader(engine, {"mail/turn-of-tests.html": HTML, "mail/turn-of-tests.txt": TEXT})
    monkeypatch.setattr(engine, "template_loaders", [own, *engine.template_loaders])
    context = {
        "title": "Anna & <Bo>",
        "words": "word " * 40,
        "link": "https://example.org/t/" + "x" * 80 + "?card=Qd&a=1",
    }
    with translation.override("sv"):
        return compose(
            "turn-of-tests",
            context,
            subject="S",
            why="Because you play.",
            unsubscribe_url="https://example.org/mail/unsubscribe/y",
        )


def test_the_page_is_small_and_loads_nothing(content: Content) -> None:
    tags = Tags(content.html)

    assert len(content.html.encode()) < 10_000
    assert not {"link", "script", "iframe", "img", "svg", "form", "video"} & {tag for tag, _ in tags.found}
    assert not re.search(r"url\(|@import|position:|var\(|data:", content.html)


def test_styles_stand_in_the_tags_where_all_programs_read_them(content: Content) -> None:
    tags = Tags(content.html)

    [button] = [link for link in tags.named("a") if link.get("class") == "button-link"]
    style = dict(part.split(": ", 1) for part in str(button["style"]).rstrip(";").split(";"))
    pixels = {name: style[name] for name in ("padding", "line-height", "font-size")}
    assert pixels == {"padding": "14px 28px", "line-height": "26px", "font-size": "19px"}  # 54 px high
    assert button["href"] == "https://example.org/t/" + "x" * 80 + "?card=Qd&a=1"
    body = next(cell for cell in tags.named("td") if cell.get("class") == "body")
    assert "font-size: 18px" in str(body["style"])
    assert "max-width: 600px" in content.html
    assert "prefers-color-scheme: dark" in content.html


def test_the_language_is_told_and_the_preheader_hidden(content: Content) -> None:
    tags = Tags(content.html)

    assert tags.named("html")[0]["lang"] == "sv"
    [preheader] = [div for div in tags.named("div") if div.get("class") == "preheader"]
    assert "display: none" in str(preheader["style"])
    assert content.html.index("Turn 17") < content.html.index("Anna")


def test_names_are_escaped_in_html_and_plain_in_text(content: Content) -> None:
    assert "Anna &amp; &lt;Bo&gt;" in content.html
    assert "Anna & <Bo>" in content.text


def test_the_text_is_wrapped_but_for_boards_and_addresses(content: Content) -> None:
    lines = content.text.splitlines()

    long = [line for line in lines if len(line) > 72]
    assert [line.split()[0] for line in long] == ["1", "https://example.org/t/" + "x" * 80 + "?card=Qd&a=1?"]
    assert "-- " in lines
    assert lines.index("-- ") < lines.index("Because you play.")
    assert " https://example.org/mail/unsubscribe/y" in lines
    assert "\n\n\n" not in content.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "\n"),
        ("\n\na\n\n\n\nb\n\n", "a\n\nb\n"),
        ("- " + "item " * 20, "- " + ("item " * 14).strip() + "\n  " + ("item " * 6).strip() + "\n"),
        ("  as it is  ", "  as it is\n"),
    ],
)
def test_wrapping(text: str, expected: str) -> None:
    assert wrap(text) == expected


def test_every_colour_of_the_frame_can_be_read() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, other: str) -> float:
        bright, dark = sorted((light(one), light(other)), reverse=True)
        return (bright + 0.05) / (dark + 0.05)

    pairs = [
        ("#1d2127", "#ffffff"),
        ("#4d545e", "#ffffff"),
        ("#115546", "#ffffff"),
        ("#f3f5ec", "#17483c"),
        ("#eceae4", "#1e2228"),
        ("#b9bec7", "#1e2228"),
        ("#9adcbf", "#1e2228"),
        ("#10131a", "#9adcbf"),
    ]
    source = Engine.get_default().get_template("mail/frame.html").source
    for ink, paper in pairs:
        assert ink in source
        assert paper in source
        assert contrast(ink, paper) >= 7


def test_settings_of_a_reader_without_any_are_not_offered(content: Content) -> None:
    assert frame.SETTINGS_PATH in content.html
    without: Any = compose(
        "code", {"codes": [], "minutes": "15", "settings_url": ""}, subject="S", why="Because."
    )
    assert frame.SETTINGS_PATH not in without.html + without.text
