"""Numbers of rules in the texts of pages, as links to the page that explains them."""

import re

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

RULE = re.compile(r"\bR([1-9]|1[0-9]|2[0-3])\b")


@register.filter
def rule_links(text: str) -> SafeString:
    """Return `text`, escaped, with a link at every number of a rule."""
    page = reverse("rules")
    linked = RULE.sub(rf'<a class="rule" href="{page}#\g<0>">\g<0></a>', conditional_escape(text))
    return mark_safe(linked)  # noqa: S308 - escaped above
