"""Every text of the site can be translated, and a translation that would break is found."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages import Message
from django.template.base import Lexer, TokenType

from games.play.telling.refusals import ACTIONS
from sequence_site import translations
from sequence_site.translation_checks import faults_of
from tests.conftest import PROJECT

TEMPLATES = sorted((PROJECT / "templates").rglob("*.*"))
MODULES = sorted(
    path
    for path in (PROJECT / "games").rglob("*.py")
    if not {"rules", "migrations", "management"} & set(path.relative_to(PROJECT / "games").parts[:-1])
)

# Names and signs, the same in every language.
SAME = re.compile(r"\b(API|[A-D]|[KQJ]|UTC|Redoc)\b")
PROSE = re.compile(r"[^\W\d_]{2}")


# The checks themselves ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("english", "translated", "fault"),
    [
        ("Card %(card)s.", "Kaart %(kaart)s.", "placeholders like %(name)s unlike the English"),
        ("Card %(card)s.", "Kaart %(card)s", "punctuation at the end unlike the English"),
        ("%s lines", "%s van %s reeksen", "placeholders like %s unlike the English"),
        ("{who} passed", "{wie} past", "placeholders like {name} unlike the English"),
        ("<b>Mine</b>", "<b>Mijn<b>", "HTML unlike the English"),
        ("the chip's space", 'het vak van de "fiche"', "signs that HTML minds unlike the English"),
        ("Pass (R14)", "Passen (R13)", "numbers of rules unlike the English"),
        (" and ", " en", "space at the end unlike the English"),
        (" and ", "en ", "space at the beginning unlike the English"),
        ("%(part)s %% done", "%(part)s % klaar", "a bare %"),
        ("Pass", "", "not translated"),
        (("%(n)s card", "%(n)s cards"), ("een kaart", ""), "not translated"),
        (
            ("%(n)s card", "%(n)s cards"),
            ("%(n)s kaart", "kaarten"),
            "placeholders like %(name)s unlike the English",
        ),
    ],
)
def test_a_translation_that_would_break_is_found(
    english: str | tuple[str, str], translated: str | tuple[str, str], fault: str
) -> None:
    assert fault in list(faults_of(Message(english, translated)))


@pytest.mark.parametrize(
    ("english", "translated"),
    [
        ("%(team)s won by %(lines)s.", "%(lines)s: %(team)s wint."),
        (("%(n)s card of {who}", "%(n)s cards of {who}"), ("een kaart van {who}", "{who}: %(n)s kaarten")),
        ("<b>You</b> & %(who)s", "%(who)s & <b>jij</b>"),
    ],
)
def test_a_sound_translation_passes(
    english: str | tuple[str, str], translated: str | tuple[str, str]
) -> None:
    assert list(faults_of(Message(english, translated))) == []


def test_a_guess_does_not_pass() -> None:
    assert list(faults_of(Message("Pass", "Passen", flags=["fuzzy"]))) == ["a guess (fuzzy)"]


def test_a_template_is_read_like_code() -> None:
    text = """
    <p title="{% translate "it's a title" %}">don't read this (
    {% comment %}Translators: of a card{% endcomment %}
    {% translate "two" context "card" %}
    {% blocktranslate trimmed count n=cards|length %}
      {{ n }} card
    {% plural %}
      {{ n }} cards
    {% endblocktranslate %}
    {% include "a.html" with name=_("a name") %} {{ x|default:_("nobody") }}
    """

    found = [(message.id, message.context) for message in translations.texts_of(text, "a.html")]

    assert found == [
        ("it's a title", None),
        ("two", "card"),
        (("%(n)s card", "%(n)s cards"), None),
        ("a name", None),
        ("nobody", None),
    ]


# What is not marked for translation --------------------------------------------------------------------


class Visible(HTMLParser):
    """Collects what a reader sees or hears: text, and the attributes that are read out."""

    SAID = ("alt", "title", "aria-label", "placeholder", "aria-description", "summary")
    UNSEEN = ("script", "style", "code")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen += tag in self.UNSEEN
        self.found += [value for name, value in attrs if name in self.SAID and value]

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in self.UNSEEN

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.found.append(data)


def untranslated_in_template(source: str, *, is_html: bool) -> list[str]:
    """Return the prose of a template that stands outside the tags of translation."""
    left, inside = [], ""
    for token in Lexer(source).tokenize():
        name = token.contents.split()[0] if token.contents.split() else ""
        if token.token_type == TokenType.BLOCK and not inside and name in ("blocktranslate", "comment"):
            inside = f"end{name}"
        elif token.token_type == TokenType.BLOCK and name == inside:
            inside = ""
        elif token.token_type == TokenType.TEXT and not inside:
            left.append(token.contents)
    text = "".join(left)
    if is_html:
        parser = Visible()
        parser.feed(text)
        pieces = parser.found
    else:
        pieces = text.splitlines()
    return [piece.strip() for piece in pieces if PROSE.search(SAME.sub("", piece))]


def test_prose_outside_the_tags_of_translation_is_found() -> None:
    text = (
        '<p title="A title">{% translate "One" %} two {{ three }}'
        "<b>{% blocktranslate %}four{% endblocktranslate %}</b></p>"
    )

    assert untranslated_in_template(text, is_html=True) == ["A title", "two"]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_a_template_says_nothing_that_cannot_be_translated(path: Path) -> None:
    source = path.read_text(encoding="utf-8")

    assert untranslated_in_template(source, is_html=path.suffix == ".html") == []


# What is called with words for people: the place of the words among the arguments.
SPEAKING = {"add_error": 1, "ValidationError": 0, "Problem": 2, "invalid": 1, "MalformedAction": 1}
SPEAKING |= dict.fromkeys(("success", "error", "info", "warning"), 1)
SPOKEN_KEYWORDS = ("label", "help_text", "empty_label", "alert", "preheader", "subject", "detail")


def untranslated_in_code(source: str, keywords: tuple[str, ...] = SPOKEN_KEYWORDS) -> Iterator[str]:
    """Yield the literals that a call shows to people without gettext."""
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "logger":
            continue
        place = SPEAKING.get(name)
        said = [call.args[place]] if place is not None and len(call.args) > place else []
        said += [keyword.value for keyword in call.keywords if keyword.arg in keywords]
        for words in said:
            literal = ast.unparse(words)
            if isinstance(words, ast.Constant | ast.JoinedStr) and PROSE.search(SAME.sub("", literal)):
                yield f"{call.lineno}: {literal}"


def test_words_without_gettext_are_found() -> None:
    code = """
messages.success(request, "Done.")
form.add_error(None, gettext("No."))
forms.CharField(label="Name", help_text=_("Yours."))
raise Problem(403, "not_allowed", f"Not {you}.")
logger.error("trace", "nobody reads this")
"""

    assert [found.split(": ")[1] for found in untranslated_in_code(code)] == [
        "'Done.'", "'Name'", "f'Not {you}.'",
    ]  # fmt: skip


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_a_module_says_nothing_that_cannot_be_translated(path: Path) -> None:
    # Fields of serialisers are explained in the schema, which is in English.
    keywords = () if "api" in str(path.relative_to(PROJECT)) else SPOKEN_KEYWORDS

    assert list(untranslated_in_code(path.read_text(encoding="utf-8"), keywords)) == []


def test_every_refusal_of_the_rules_has_words_that_name_its_rule() -> None:
    pairs = set()
    for path in (PROJECT / "games" / "rules").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refuse":
                code, rule = (arg.value for arg in node.args[:2] if isinstance(arg, ast.Constant))
                pairs.add((code, rule))

    assert pairs == set(ACTIONS)
    for (_code, rule), words in ACTIONS.items():
        assert str(words).endswith(f"({rule}).")
