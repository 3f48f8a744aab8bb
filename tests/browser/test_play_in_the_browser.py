"""A person plays: with and without JavaScript, on a phone and on a desk, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from games.play.models import Game, Status
from games.play.services.proposing import propose_game
from tests.builders import NOW
from tests.play.builders import legal, make_game, play_one, play_to_the_end, player_left

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


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("with_javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_member_signs_in_opens_the_waiting_game_and_plays(visit, game, player, width, with_javascript):
    visitor = visit(width, java_script_enabled=with_javascript)
    page = visitor.page
    visitor.sign_in(player)

    page.get_by_role("region", name="Waiting for you").get_by_role("link", name=f"Game {game.pk}").click()
    expect(page.get_by_text("It is your turn.")).to_be_visible()
    expect(page.get_by_role("region", name="Your hand").get_by_role("listitem")).to_have_count(6)
    choice = next(d for d in legal(game, player) if d["act"] == "place" and d["card"][0] != "J")
    page.locator(f'input[value="place {choice["card"]} {choice["space"]}"]').check()
    page.get_by_role("button", name="Play").click()

    expect(page.get_by_role("status")).to_contain_text(f"a chip on {choice['space']}")
    expect(page.get_by_text("It is the turn of")).to_be_visible()
    game.refresh_from_db()
    assert game.turns == 1
    assert visitor.complaints == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_space_on_the_board_chooses_the_play(visit, game, player, width):
    visitor = visit(width, java_script_enabled=False)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")
    choice = next(d for d in legal(game, player) if d["act"] == "place" and d["card"][0] != "J")

    page.locator(f'svg.board a[href*="space={choice["space"]}"]').click()
    game.refresh_from_db()
    assert game.turns == 0
    chosen = page.locator('input[name="choice"]:checked')
    expect(chosen).to_have_value(f"place {choice['card']} {choice['space']}")
    page.get_by_role("button", name="Play").click()

    expect(page.get_by_role("status")).to_contain_text(f"a chip on {choice['space']}")
    game.refresh_from_db()
    assert game.turns == 1


def test_the_button_says_whether_a_play_is_chosen(visit, game, player):
    visitor = visit(PHONE, java_script_enabled=False)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")
    hint, told = page.get_by_text("Choose a play first"), page.locator(".preset-words")
    expect(hint).to_be_visible()
    first, second = [d for d in legal(game, player) if d["act"] == "place" and d["card"][0] != "J"][:2]

    page.locator(f'input[value="place {first["card"]} {first["space"]}"]').check()
    expect(hint).to_be_hidden()

    visitor.go(f"/games/{game.pk}?card={first['card']}&space={first['space']}")
    expect(hint).to_be_hidden()
    expect(told).to_contain_text(first["space"])
    page.locator(f'input[value="place {second["card"]} {second["space"]}"]').check()
    expect(told).to_be_hidden()


def test_a_hand_of_seven_stands_in_one_row_and_its_notes_are_whole(visit, game, member):
    pair = make_game(2, club=game.club)
    pair.places.filter(number=0).update(member=member)
    visitor = visit(DESK)
    visitor.sign_in(member)
    visitor.go(f"/games/{pair.pk}")

    cards = visitor.page.get_by_role("region", name="Your hand").get_by_role("listitem").all()

    assert len(cards) == 7
    assert len({card.bounding_box()["y"] for card in cards}) == 1
    assert visitor.page.evaluate(
        "[...document.querySelectorAll('.hand .note')].every(note => note.scrollWidth <= note.clientWidth)"
    )


def test_the_keyboard_alone_plays_a_turn(visit, game, player):
    visitor = visit(DESK)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")

    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "choice":
            break
    page.keyboard.press("Space")
    page.keyboard.press("Enter")

    expect(page.get_by_role("status")).to_contain_text("You ")
    game.refresh_from_db()
    assert game.version > 5


def test_a_page_left_open_is_told_that_the_game_has_moved_on(visit, game, player):
    visitor = visit(DESK)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")
    play_one(game)

    page.locator('#play input[name="choice"]').first.check()
    page.get_by_role("button", name="Play").click()

    expect(page.get_by_role("alert")).to_contain_text("The game has moved on")
    expect(page.get_by_text("It is the turn of")).to_be_visible()


def test_a_game_is_proposed_filled_with_bots_and_begun(visit, game, member):
    visitor = visit(PHONE, java_script_enabled=False)
    page = visitor.page
    visitor.sign_in(member)

    page.get_by_role("link", name="Propose a game").click()
    page.get_by_label("Name of the game").fill("Friday night")
    page.get_by_label("Lines to win (R7)").fill("0")
    page.get_by_role("button", name="Propose the game").click()
    expect(page.get_by_text("lines_to_win must be")).to_be_visible()
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


def test_the_spaces_of_the_board_can_be_hit_on_a_phone(visit, game, player):
    visitor = visit(PHONE)
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")

    box = visitor.page.locator("svg.board .space").first.bounding_box()

    assert min(box["width"], box["height"]) >= 30


def test_spaces_have_names_to_hear(visit, game):
    visitor = visit(DESK)
    visitor.go(f"/games/{game.pk}")

    board = visitor.page.get_by_role("group", name="The board")

    expect(board.get_by_role("img", name="c5, seven of clubs", exact=True)).to_have_count(1)
    expect(visitor.page.get_by_text("Your hand")).to_have_count(0)
