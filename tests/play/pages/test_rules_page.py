"""The page of the rules, and the numbers that lead to it."""

import re
from pathlib import Path

import pytest
from django.test import Client

from games.play.templatetags.rule_links import rule_links

pytestmark = pytest.mark.django_db


def test_the_page_of_the_rules_has_every_number_of_docs_rules():
    numbered = re.findall(r"^\*\*(R\d+)", Path("docs/rules.md").read_text(), flags=re.MULTILINE)

    text = Client().get("/rules").content.decode()

    assert len(numbered) == 23
    assert re.findall(r'<dt id="(R\d+)"', text) == numbered
    assert 'href="/rules"' in Client().get("/").content.decode()


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("a <b> (R2)", 'a &lt;b&gt; (<a class="rule" href="/rules#R2">R2</a>)'),
        ("R24, R0, R230, xR2", "R24, R0, R230, xR2"),
    ],
)
def test_only_rules_that_exist_are_linked_and_the_rest_is_escaped(text, linked):
    assert rule_links(text) == linked
