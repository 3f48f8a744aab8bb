"""Every page but the game's own: nothing scrolls sideways, and axe has nothing to say against it."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from games.accounts.services import issue_token
from games.clubs.models import Role
from games.play.calendars import clock_columns
from games.play.clocks import Clock
from games.play.models import Game
from games.play.services.proposing import propose_game
from tests.browser.conftest import PASSWORD
from tests.builders import NOW, make_member, make_user

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESK = 360, 1280
OPEN_ALL = "document.querySelectorAll('details').forEach(part => { part.open = true; })"


@pytest.fixture
def organiser(game):
    user = make_user("olga", password=PASSWORD, name="Olga van der Veldenhuizen-Andersson")
    return make_member(game.club, user, role=Role.ORGANISER).user


def pages_of(game, organiser):
    """Return the addresses of all pages, on which there is something to see."""
    slug, player = game.club.slug, game.places.get(number=0).member
    Game.objects.filter(pk=game.pk).update(**clock_columns(Clock(72)), deadline=NOW)
    proposal = propose_game(
        proposer=player, club=game.club, seats=6, teams=3, options={"claim": "announce"}, now=NOW
    )
    issue_token(user=organiser, name="A program with quite a long name, as they have", scopes=["read"])
    return [
        "/",
        "/games/open",
        f"/games/{proposal.pk}",
        "/games/new",
        f"/games/new?club={slug}",
        "/settings",
        f"/clubs/{slug}/",
        f"/clubs/{slug}/organise",
        f"/clubs/{slug}/organise/games/{game.pk}",
        f"/clubs/{slug}/organise/members/{player.uuid}",
        "/clubs/new",
        "/rules",
        "/nothing",
    ]


def look_at(page, address):
    """Return what is wrong with the page that is shown."""
    page.evaluate(OPEN_ALL)
    faults = []
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        faults.append(f"{address} scrolls sideways")
    found = Axe().run(page).response["violations"]
    return faults + [f"{address}: {each['id']} {each['nodes'][0]['html'][:200]}" for each in found]


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_pages_fit_and_can_be_read_by_everybody(visit, game, organiser, width, scheme):
    visitor = visit(width, color_scheme=scheme)
    page, faults = visitor.page, []
    for address in ("/", "/sign-in", "/sign-in/code", "/games/open", "/nothing"):
        visitor.go(address)
        faults += look_at(page, f"{address} of a stranger")
    visitor.sign_in(organiser)

    for address in pages_of(game, organiser):
        visitor.go(address)
        faults += look_at(page, address)

    assert faults == []
    assert visitor.complaints == []


def test_an_organiser_annuls_a_game_without_javascript(visit, game, organiser):
    visitor = visit(PHONE, java_script_enabled=False)
    page = visitor.page
    visitor.sign_in(organiser)
    visitor.go(f"/clubs/{game.club.slug}/organise/games/{game.pk}")

    page.get_by_text("Annul the game", exact=True).click()
    part = page.locator("details[open]")
    part.get_by_label("Why?").fill("The wrong people sat down.")
    part.get_by_role("button", name="Next").click()
    assert "The wrong people sat down." in page.inner_text("main")
    page.get_by_role("button", name="Yes, annul the game").click()

    assert "The game is annulled" in page.locator(".messages").inner_text()
    game.refresh_from_db()
    assert game.status == "annulled"
