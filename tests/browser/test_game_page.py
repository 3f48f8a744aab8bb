"""A person plays on the page of a game: by mouse, by touch and by keyboard, with and without JavaScript."""

from datetime import UTC, datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.play.models import Game
from games.play.services.noting import write_note
from tests.builders import NOW
from tests.play.builders import legal, make_game, play_one, play_to_the_end, player_left, player_on_turn

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (360, 1280)
PHONE, DESK = WIDTHS


@pytest.fixture
def placement(game, player):
    """A card of the board in the hand of the player, that may go to two spaces; and one of them."""
    places = [d for d in legal(game, player) if d["act"] == "place" and d["card"][0] != "J"]
    cards = [d["card"] for d in places]
    return next(d for d in places if cards.count(d["card"]) == 2)


def card_link(page, card):
    return page.locator(f'.hand a[href*="card={card}"]').first


def space(page, name):
    return page.locator(f"#at-{name}")


def expect_played(page, game, where):
    expect(page.locator(".messages")).to_contain_text(f"a chip on {where}")
    expect(page.get_by_text("It is the turn of")).to_be_visible()
    game.refresh_from_db()
    assert game.turns == 1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("with_javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_card_then_a_space_then_play(visit, game, player, placement, width, with_javascript):
    visitor = visit(width, java_script_enabled=with_javascript)
    page = visitor.page
    visitor.sign_in(player)

    page.get_by_role("region", name="Waiting for you").get_by_role("link", name=f"Game {game.pk}").click()
    expect(page.get_by_text("It is your turn.")).to_be_visible()
    expect(page.locator(".hand li")).to_have_count(6)
    card_link(page, placement["card"]).click()
    expect(page.locator(".spaces .lit")).to_have_count(2)
    space(page, placement["space"]).click()
    expect(page.get_by_text(f"a chip on {placement['space']}.")).to_be_visible()
    game.refresh_from_db()
    assert game.turns == 0
    page.get_by_role("button", name="Play", exact=True).click()

    expect_played(page, game, placement["space"])
    assert page.url.endswith(f"/games/{game.pk}")
    assert visitor.complaints == []


def test_a_finger_taps_a_space_first(visit, game, player, placement):
    visitor = visit(PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")

    space(page, placement["space"]).tap()
    if page.get_by_text("Which card do you play").is_visible():
        page.locator(f'.spots a[href*="card={placement["card"]}"]').tap()
    bar = page.locator(".play.ready")
    expect(bar).to_be_in_viewport()
    expect(space(page, placement["space"])).to_be_in_viewport()
    bar.get_by_role("button", name="Play", exact=True).tap()

    expect_played(page, game, placement["space"])


def test_the_keyboard_alone_plays_a_turn(visit, game, player, placement):
    visitor = visit(DESK)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")

    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    card = card_link(page, placement["card"])
    tab_to(page, card)
    page.keyboard.press("Enter")
    expect(page.locator(".spaces .lit")).to_have_count(2)
    expect(card).to_be_focused()
    tab_to(page, page.locator('.spaces td[tabindex="0"]'))
    move_to(page, placement["space"])
    page.keyboard.press("Enter")
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_visible()
    expect(space(page, placement["space"])).to_be_focused()
    page.keyboard.press("Tab")
    expect(play).to_be_focused()
    page.keyboard.press("Enter")

    expect_played(page, game, placement["space"])
    expect(page.locator("#content")).to_be_focused()
    expect(page.locator("#live")).to_contain_text(f"a chip on {placement['space']}")


def tab_to(page, target):
    for _ in range(60):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the Tab key does not come there")


def move_to(page, name):
    """Press arrow keys from the focused space to another."""
    here = page.evaluate("document.activeElement.id").removeprefix("at-")
    right = ord(name[0]) - ord(here[0])
    down = int(name[1:]) - int(here[1:])
    for steps, forth, back in ((right, "ArrowRight", "ArrowLeft"), (down, "ArrowDown", "ArrowUp")):
        for _ in range(abs(steps)):
            page.keyboard.press(forth if steps > 0 else back)
    expect(page.locator(f"#at-{name}")).to_be_focused()


def test_the_board_is_one_stop_of_the_tab_key_and_arrows_stay_on_it(visit, game, player):
    visitor = visit(DESK)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")
    focused = "document.activeElement.id"
    expect(page.locator('.spaces [tabindex="0"]')).to_have_count(1)

    page.locator('.spaces td[tabindex="0"]').focus()
    page.keyboard.press("Control+Home")
    keys = [
        "ArrowLeft",
        "ArrowUp",
        "End",
        "ArrowRight",
        "ArrowDown",
        "Home",
        "Control+End",
        "ArrowDown",
        "PageUp",
    ]
    places = []
    for key in keys:
        page.keyboard.press(key)
        places.append(page.evaluate(focused))

    names = [place.removeprefix("at-") for place in places]
    assert names == ["a1", "a1", "j1", "j1", "j2", "a2", "j10", "j10", "j1"]
    expect(page.locator('.spaces [tabindex="0"]')).to_have_count(1)


def test_spaces_are_cells_of_a_grid_with_names_to_hear(visit, game):
    visitor = visit(DESK)
    visitor.go(f"/games/{game.pk}")

    board = visitor.page.get_by_role("grid", name="The board")

    expect(board.get_by_role("gridcell")).to_have_count(100)
    expect(board.get_by_role("gridcell", name="c5, seven of clubs", exact=True)).to_have_count(1)
    expect(visitor.page.get_by_text("Your hand")).to_have_count(0)


def test_the_spaces_of_the_board_can_be_hit_on_a_phone(visit, game, player):
    visitor = visit(PHONE)
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")

    boxes = [visitor.page.locator(f"#at-{name}").bounding_box() for name in ("a1", "e5", "j10")]

    assert min(min(box["width"], box["height"]) for box in boxes) >= 30
    assert visitor.page.evaluate(
        "getComputedStyle(document.querySelector('.field-of-play')).touchAction"
    ) == ("manipulation")


def test_the_grid_lies_on_the_spaces_of_the_picture(visit, game, player):
    for width in WIDTHS:
        visitor = visit(width)
        visitor.sign_in(player)
        visitor.go(f"/games/{game.pk}")

        for number, name in ((0, "a1"), (44, "e5"), (99, "j10")):
            drawn = visitor.page.locator(".board .space").nth(number).bounding_box()
            cell = visitor.page.locator(f"#at-{name}").bounding_box()
            assert abs(drawn["x"] + drawn["width"] / 2 - cell["x"] - cell["width"] / 2) < 2
            assert abs(drawn["y"] + drawn["height"] / 2 - cell["y"] - cell["height"] / 2) < 2


def test_a_hand_of_seven_stands_in_one_row(visit, game, member):
    pair = make_game(2, club=game.club)
    pair.places.filter(number=0).update(member=member)
    for width in WIDTHS:
        visitor = visit(width)
        visitor.sign_in(member)
        visitor.go(f"/games/{pair.pk}")

        cards = [card.bounding_box() for card in visitor.page.locator(".hand li").all()]

        assert len(cards) == 7
        assert len({card["y"] for card in cards}) == 1
        assert min(card["width"] for card in cards) >= 40
        assert min(card["height"] for card in cards) >= 44


def test_a_space_that_cannot_be_chosen_says_why(visit, game, player, placement):
    visitor = visit(PHONE)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}?card={placement['card']}")

    bar = page.locator(".play.ready")
    expect(bar).to_be_in_viewport()
    expect(bar).to_contain_text("choose one of its spaces")
    space(page, "a1").click()

    expect(bar).to_contain_text("not to a1 (R8)")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(page.locator(f"#spot-{placement['space']}")).to_be_in_viewport()
    expect(page.locator(".spaces .chosen")).to_have_count(0)
    expect(space(page, "a1")).to_have_class("refused")
    expect(page.locator("#live")).to_contain_text("not to a1 (R8)")
    expect(page.locator(".play a.rule")).to_have_attribute("href", "/rules#R8")


def test_the_frame_of_a_chosen_space_leaves_its_card_and_chip_whole(visit, game, player, placement):
    visitor = visit(PHONE)
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}?card={placement['card']}&space={placement['space']}")

    frame = visitor.page.locator(".spaces .chosen a").evaluate("node => getComputedStyle(node).boxShadow")

    assert frame.count("px") > 0
    assert "inset" not in frame


def test_picking_keeps_the_place_on_the_page_and_what_is_unfolded(visit, game, player, placement):
    visitor = visit(DESK, reduced_motion="reduce")
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")
    page.locator("#gone summary").click()
    page.evaluate("window.scrollTo({top: 60, behavior: 'instant'})")

    card_link(page, placement["card"]).click()
    expect(page.locator(".spaces .lit")).to_have_count(2)

    assert page.evaluate("scrollY") == 60
    expect(page.locator("#gone table")).to_be_visible()
    expect(page).to_have_url(f"{visitor.address}/games/{game.pk}?card={placement['card']}")


def test_nothing_of_a_hand_is_kept_in_the_browser(visit, game, player, placement):
    visitor = visit(DESK)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")
    card_link(page, placement["card"]).click()
    expect(page.locator(".spaces .lit")).to_have_count(2)

    assert page.evaluate("localStorage.length") == 0
    assert "<" not in page.evaluate("JSON.stringify(sessionStorage)")


def test_a_page_left_open_is_told_that_the_game_has_moved_on(visit, game, player, placement):
    visitor = visit(DESK)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}?card={placement['card']}&space={placement['space']}")
    play_one(game)

    page.get_by_role("button", name="Play", exact=True).click()

    expect(page.locator("#content").get_by_role("alert")).to_contain_text("The game has moved on")
    expect(page.get_by_text("It is the turn of")).to_be_visible()
    expect(page).to_have_url(f"{visitor.address}/games/{game.pk}")


def test_who_waits_sees_the_turn_of_another_without_loading_the_page(visit, game, player):
    waiting = next(seat.member for seat in game.places.all() if seat.number == (game.turn_seat + 1) % 4)
    waiting.set_password("a password of many words")
    waiting.save()
    visitor = visit(DESK)
    page = visitor.page
    visitor.sign_in(waiting)
    page.clock.install()
    visitor.go(f"/games/{game.pk}")
    expect(page.locator(".turn.mine")).to_have_count(0)
    play_one(game)

    page.clock.run_for(31_000)
    expect(page.locator(".turn.mine")).to_be_visible()
    page.clock.run_for(1_000)

    expect(page.locator("#live")).to_contain_text("It is your turn.")


def test_a_note_is_written(visit, game, player):
    visitor = visit(PHONE)
    page = visitor.page
    visitor.sign_in(player)
    visitor.go(f"/games/{game.pk}")

    page.get_by_label("A short note to everybody at the table").fill("A good game to all")
    page.get_by_role("button", name="Send the note").click()

    expect(page.get_by_role("region", name="Notes to the table")).to_contain_text("A good game to all")


def severe(page):
    """Return what axe finds serious or critical on a page."""
    found = Axe().run(page).response["violations"]
    return [
        (finding["id"], [node["html"][:150] for node in finding["nodes"]][:3])
        for finding in found
        if finding["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_serious(visit, game, player, placement, width, scheme):
    write_note(member=player, game_id=game.pk, text="Good luck", now=NOW)
    visitor = visit(width, color_scheme=scheme)
    visitor.sign_in(player)
    here = f"/games/{game.pk}"
    played = make_game(3, club=game.club)
    for _ in range(30):
        if player_left(played):
            play_one(played, pick=3)
    over = play_to_the_end(make_game(2, club=game.club))
    pick = f"?card={placement['card']}"

    for address in (
        here,
        f"{here}{pick}",
        f"{here}{pick}&space={placement['space']}",
        f"{here}{pick}&space=a1",
        f"/games/{played.pk}",
        f"/games/{over.pk}",
        f"{here}/resign",
    ):
        visitor.go(address)
        assert severe(visitor.page) == [], address
    assert visitor.complaints == []


def test_with_many_teams_and_plays_nothing_scrolls_sideways(visit, game, player):
    for _ in range(40):
        if player_left(game):
            play_one(game, pick=3)
    on_turn = player_on_turn(Game.objects.get(pk=game.pk))
    on_turn.set_password("a password of many words")
    on_turn.save()
    visitor = visit(PHONE)
    visitor.sign_in(on_turn)
    visitor.go(f"/games/{game.pk}")

    for card in visitor.page.locator(".hand a").all():
        address = card.get_attribute("href")
        visitor.go(address.split("#")[0])
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE
        visitor.page.go_back()


def test_long_deadlines_and_choices_fit_on_the_phone_of_who_signs_in(visit, game, player):
    Game.objects.update(deadline=datetime(2026, 9, 30, 9, 30, tzinfo=UTC))
    visitor = visit(PHONE)
    page = visitor.page
    visitor.sign_in(player)

    for address in ("/", f"/games/{game.pk}", "/clubs/thursday", "/games/new?club=thursday"):
        visitor.go(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE, address

    rows = [
        label.bounding_box()["y"]
        for label in page.locator('fieldset label:has(input[type="radio"])').all()
        if label.is_visible()
    ]
    assert len(rows) > 1
    assert len(set(rows)) == len(rows)
