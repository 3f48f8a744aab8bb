"""From the mail in the inbox to "turn taken": as a member does it, on a phone and on a desk."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.mail.services import deliver
from games.play.models import Game
from tests.builders import NOW
from tests.play.builders import legal, player_on_turn

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESK = 360, 1280
WAYS = [
    pytest.param(PHONE, "touch", True, id="phone-touch"),
    pytest.param(PHONE, "touch", False, id="phone-touch-no-javascript"),
    pytest.param(PHONE, "keyboard", True, id="phone-keyboard"),
    pytest.param(DESK, "mouse", True, id="desk-mouse"),
    pytest.param(DESK, "mouse", False, id="desk-mouse-no-javascript"),
    pytest.param(DESK, "keyboard", True, id="desk-keyboard"),
    pytest.param(DESK, "keyboard", False, id="desk-keyboard-no-javascript"),
]


@pytest.fixture
def inbox(settings: Any, live_server: Any, tmp_path: Path) -> str:
    """The web inbox of a local site; return its address."""
    settings.PUBLIC_URL = live_server.url
    settings.EMAIL_BACKEND = "django_mail_preview.backends.EmailBackend"
    settings.MAIL_PREVIEW_ROOT = tmp_path / "inbox"
    return f"{live_server.url}/inbox/"


def use(page: Page, target: Any, way: str) -> None:
    """Use a link or button by a finger, the mouse, or the keyboard alone."""
    if way == "touch":
        target.tap()
    elif way == "mouse":
        target.click()
    else:
        handle = target.element_handle()
        for _ in range(250):
            page.keyboard.press("Tab")
            if page.evaluate("node => node === document.activeElement", handle):
                break
        expect(target).to_be_focused()
        page.keyboard.press("Enter")


def turn_link_in(page: Page, inbox: str, game: Game) -> str:
    """Open the mail of the turn in the inbox, as HTML, and return where its button leads."""
    page.goto(inbox)
    page.get_by_text(re.compile("Your turn")).first.click()
    page.wait_for_load_state("networkidle")
    for frame in page.frames:
        button = frame.locator('a[href*="/t/"]', has_text="Take your turn")
        if button.count():
            expect(frame.locator("img").first).to_be_visible()
            return str(button.first.get_attribute("href"))
    raise AssertionError("the mail shows no button")


@pytest.mark.parametrize(("width", "way", "with_javascript"), WAYS)
def test_a_member_comes_from_the_mail_and_takes_the_turn(
    visit: Any, inbox: str, game: Game, width: int, way: str, with_javascript: bool
) -> None:
    deliver(now=NOW)
    # The inbox itself is a page of a package and wants JavaScript.
    link = turn_link_in(visit(DESK).page, inbox, game)
    member = player_on_turn(game)
    play = next(data for data in legal(game, member) if data["act"] == "place" and data["card"][0] != "J")
    visitor = visit(width, java_script_enabled=with_javascript, has_touch=way == "touch")
    page = visitor.page
    page.goto(link)

    expect(page.get_by_text("It is your turn.")).to_be_visible()
    use(page, page.locator(f'.hand a[href*="card={play["card"]}"]').first, way)
    use(page, page.locator(f"#spot-{play['space']}"), way)
    expect(page.locator(".what")).to_contain_text(play["space"])
    use(page, page.get_by_role("button", name="Play", exact=True), way)

    expect(page.get_by_role("heading", name="This turn is played")).to_be_visible()
    expect(page.get_by_text("It is the turn of")).to_be_visible()
    game.refresh_from_db()
    assert game.turns == 1
    assert visitor.context.cookies() == []
    assert visitor.complaints == []
