"""What holds for every page, of nobody, players and organisers: axe has nothing serious to say against it."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import URLPattern, URLResolver, get_resolver

from tests.browser.every_page import every_page, sign_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

NO_PAGES = {
    "health-live", "health-ready", "sign-out", "language", "club-invite", "club-leave", "mail-links",
    "game-act", "game-news", "game-notes", "game-note", "game-mailing", "game-table", "calendar",
}  # fmt: skip
"""Addresses that take what is sent, or are read by programs."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_serious_on_any_page(visit: Any, width: int, scheme: str) -> None:
    found = {}
    windows: dict[Any, Any] = {}
    for name, (who, address) in every_page().items():
        if who not in windows:
            windows[who] = visit(width, color_scheme=scheme)
            if who is not None:
                sign_in(windows[who], who)
        page = windows[who].page
        page.goto(f"{windows[who].address}{address}")
        faults = Axe().run(page).response["violations"]
        serious = [fault["id"] for fault in faults if fault["impact"] in ("serious", "critical")]
        if serious or page.evaluate("document.documentElement.scrollWidth") > width:
            found[name] = serious or "scrolls sideways"

    assert found == {}


def test_every_address_of_a_page_is_looked_at() -> None:
    resolver = get_resolver()
    looked_at = {
        resolver.resolve(address.partition("?")[0]).url_name
        for _, address in every_page().values()
        if address != "/nothing-here"
    }

    named = {
        pattern.name
        for entry in resolver.url_patterns
        if not (isinstance(entry, URLResolver) and str(entry.pattern).startswith(("api/", "inbox/")))
        for pattern in (entry.url_patterns if isinstance(entry, URLResolver) else [entry])
        if isinstance(pattern, URLPattern) and pattern.name
    }
    assert named - NO_PAGES == looked_at
