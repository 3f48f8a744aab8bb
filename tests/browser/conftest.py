"""A real browser for the pages: Debian's Chromium, or another that is on the path."""

import os
import shutil

import pytest
from playwright.sync_api import Browser, Page

from tests.builders import make_club, make_member, make_user
from tests.play.builders import make_game, player_on_turn

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
    "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
]  # fmt: skip
PASSWORD = "a password of many words"


@pytest.fixture(scope="session")
def browser_type_launch_args():
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.fail("no browser is installed: apt-get update && apt-get install -y chromium", pytrace=False)
    return {"executable_path": path, "chromium_sandbox": False, "args": FLAGS}


@pytest.fixture(scope="session", autouse=True)
def database_beside_an_event_loop():
    """Playwright runs an event loop in this thread, beside which Django forbids the database by default."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Visitor:
    """Somebody at a browser; `complaints` is what it has to say against a page."""

    def __init__(self, browser: Browser, address: str, **options):
        self.address = address
        self.complaints: list[str] = []
        self.context = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message):
        # Answers of 4xx are complaints to the browser, and are looked at by the tests themselves.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    def go(self, path):
        answer = self.page.goto(f"{self.address}{path}")
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy

    def sign_in(self, member):
        self.go("/sign-in")
        form = self.page.locator("form").filter(has=self.page.get_by_label("Password"))
        form.get_by_label("Name or email address").fill(member.username)
        form.get_by_label("Password").fill(PASSWORD)
        form.get_by_role("button", name="Sign in").click()
        self.page.get_by_role("heading", name="My turns").wait_for()


@pytest.fixture
def visit(browser, live_server):
    """Return a function that opens a browser window; all are closed afterwards."""
    visitors = []

    def visit(width=1280, **options):
        visitor = Visitor(browser, live_server.url, viewport={"width": width, "height": 800}, **options)
        visitors.append(visitor)
        return visitor

    yield visit
    for visitor in visitors:
        visitor.context.close()


@pytest.fixture
def game(transactional_db):
    """A running game of four in an open club."""
    return make_game(4, club=make_club("thursday", is_open=True, organiser=make_user()))


@pytest.fixture
def player(game):
    """The member on turn, who can sign in with a password."""
    member = player_on_turn(game)
    member.set_password(PASSWORD)
    member.save()
    return member


@pytest.fixture
def member(game):
    """Another member of the game's club, without a seat."""
    return make_member(game.club, make_user("robin", password=PASSWORD)).user
