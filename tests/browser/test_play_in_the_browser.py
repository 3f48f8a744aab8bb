"""What holds for all pages in a browser: nothing scrolls sideways, all text stands out; a game is begun."""

import pytest
from playwright.sync_api import expect

from games.play.models import Game, Status
from games.play.services.proposing import propose_game
from tests.builders import NOW
from tests.play.builders import play_one, play_to_the_end, player_left

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (360, 1280)
PHONE, DESK = WIDTHS

# The lowest contrast of text on its background, of what can be seen, with what it was; pictures apart.
CONTRASTS = """
() => {
  const channels = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    const [x, y, z] = [r, g, b].map(v => linear(v / 255));
    return .2126 * x + .7152 * y + .0722 * z;
  };
  const behind = node => {
    for (let at = node; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const node of document.querySelectorAll('body *')) {
    const own = [...node.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || node.closest('svg, .visually-hidden, .skip') || !node.checkVisibility()) continue;
    const [a, b] = [luminance(channels(getComputedStyle(node).color)), luminance(behind(node))];
    found.push([(Math.max(a, b) + .05) / (Math.min(a, b) + .05), node.outerHTML.slice(0, 200)]);
  }
  return found.sort((p, q) => p[0] - q[0])[0];
}
"""


def pages_of(game, member):
    """Return the addresses of all kinds of pages."""
    over = play_to_the_end(Game.objects.get(pk=game.pk))
    proposal = propose_game(
        proposer=member, club=game.club, seats=6, teams=3, options={"claim": "announce"}, now=NOW
    )
    return {
        "start": "/",
        "club": f"/clubs/{game.club.slug}/",
        "proposal": f"/games/{proposal.pk}",
        "new": f"/games/new?club={game.club.slug}",
        "over": f"/games/{over.pk}",
        "sign in": "/sign-in",
        "rules": "/rules",
        "found": "/clubs/new",
        "nothing": "/nothing",
    }


def test_a_game_is_proposed_filled_with_bots_and_begun(visit, game, member):
    visitor = visit(PHONE, java_script_enabled=False)
    page = visitor.page
    visitor.sign_in(member)

    page.get_by_role("link", name="Propose a game").click()
    page.get_by_label("Name of the game").fill("Friday night")
    page.get_by_label("Lines to win (R7)").fill("0")
    page.get_by_role("button", name="Propose the game").click()
    expect(page.get_by_text("A whole number from 1")).to_be_visible()
    page.get_by_label("Lines to win (R7)").fill("1")
    page.get_by_role("button", name="Propose the game").click()
    expect(page.get_by_role("heading", name="Friday night")).to_be_visible()
    page.get_by_role("button", name="Let a bot have it").click()

    expect(page.get_by_role("status")).to_contain_text("The game has begun.")
    proposed = Game.objects.get(name="Friday night")
    assert proposed.status == Status.ACTIVE
    assert proposed.house_rules == {"lines_to_win": 1}


def test_no_page_scrolls_sideways_and_all_text_stands_out(visit, game, player, member):
    for _ in range(40):
        if player_left(game):
            play_one(game, pick=3)
    pages = {"running": f"/games/{game.pk}"}
    visitors = [visit(width, color_scheme=scheme) for width in WIDTHS for scheme in ("light", "dark")]
    for visitor in visitors:
        visitor.sign_in(player)

    for addresses in (pages, pages_of(game, member)):
        for visitor in visitors:
            for name, address in addresses.items():
                visitor.go(address)
                width = visitor.page.viewport_size["width"]
                assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
                contrast, what = visitor.page.evaluate(CONTRASTS)
                assert contrast >= 4.5, (name, width, what)
                assert visitor.page.evaluate("document.querySelectorAll('h1').length") == 1
                assert visitor.complaints == []
