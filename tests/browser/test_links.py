"""Turn links in a real browser: opening one does nothing, and a finger on a phone plays by it."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from games.play.models import Game, SeatOffer
from games.play.telling.spoken import card_name
from tests.play.builders import legal
from tests.play.links import PURPOSES, everything, make_case

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = 360


def plain_play(case):
    """Return a placement that asks no question: of a card that goes to printed spaces."""
    plays = legal(case.game, case.member)
    return next(data for data in plays if data["act"] == "place" and data["card"][0] != "J")


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_browser_that_opens_a_link_changes_no_row_and_keeps_no_cookie(visit, purpose):
    case = make_case(purpose)
    visitor = visit(PHONE)
    before = everything()

    for query in ("", "?card=Qd", "?card=Qd&space=c5"):
        visitor.go(case.path + query)
        visitor.page.wait_for_load_state("networkidle")
        visitor.page.mouse.wheel(0, 2000)

    assert everything() == before
    assert visitor.context.cookies() == []
    # What htmx keeps of a page is its address, for as long as the tab is open.
    assert visitor.page.evaluate("localStorage.length") == 0
    assert visitor.page.evaluate("Object.values(sessionStorage)") in ([], [f"{case.path}{query}"])
    assert visitor.complaints == []


@pytest.mark.parametrize("purpose", PURPOSES)
def test_the_page_of_a_link_loads_nothing_from_elsewhere_(visit, purpose):
    case = make_case(purpose)
    visitor = visit(PHONE)
    asked = []
    visitor.page.on("request", lambda request: asked.append(request.url))

    visitor.go(case.path)
    visitor.page.wait_for_load_state("networkidle")

    assert asked
    assert all(url.startswith(visitor.address) for url in asked)


@pytest.mark.parametrize("with_javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_finger_on_a_phone_plays_by_a_link(visit, with_javascript):
    case = make_case()
    data = plain_play(case)
    visitor = visit(PHONE, java_script_enabled=with_javascript, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.go(case.path)
    expect(page.get_by_text("It is your turn.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE

    page.get_by_role("region", name="Your hand").get_by_role("link", name=card_name(data["card"])).first.tap()
    page.locator(f'.spots a[href*="space={data["space"]}"]').tap()
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_visible()
    case.game.refresh_from_db()
    assert case.game.turns == 0
    play.tap()

    expect(page.get_by_role("heading", name="This turn is played")).to_be_visible()
    expect(page.locator(".receipt")).to_contain_text(data["space"])
    expect(page.locator(".receipt")).to_contain_text("You drew a card.")
    assert page.url == visitor.address + case.path
    case.game.refresh_from_db()
    assert case.game.turns == 1
    assert visitor.context.cookies() == []
    assert visitor.complaints == []


def test_what_a_mail_has_picked_is_played_at_a_tap(visit):
    case = make_case()
    data = plain_play(case)
    visitor = visit(PHONE, has_touch=True, is_mobile=True)
    visitor.go(f"{case.path}?card={data['card']}&space={data['space']}")

    visitor.page.get_by_role("button", name="Play", exact=True).tap()

    expect(visitor.page.get_by_role("heading", name="This turn is played")).to_be_visible()


@pytest.mark.parametrize("with_javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_finger_draws_by_hand_right_after_the_play(visit, with_javascript):
    case = make_case(draw_mode="manual")
    data = plain_play(case)
    visitor = visit(PHONE, java_script_enabled=with_javascript, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.go(f"{case.path}?card={data['card']}&space={data['space']}")
    page.evaluate("window.scrollTo({top: 500, behavior: 'instant'})")

    page.get_by_role("button", name="Play", exact=True).tap()
    expect(page.locator(".receipt")).to_contain_text("Now draw your card.")
    expect(page.locator(".receipt")).to_contain_text(data["space"])
    draw = page.get_by_role("button", name="Draw a card")
    expect(draw).to_be_in_viewport()
    draw.tap()

    expect(page.locator(".receipt")).to_contain_text("You drew a card.")
    expect(draw).to_have_count(0)
    assert case.game.places.get(member=case.member).draws_due == 0
    assert visitor.context.cookies() == []
    assert visitor.complaints == []


def test_the_receipt_is_in_sight_however_far_the_page_was_scrolled(visit):
    case = make_case()
    data = plain_play(case)
    visitor = visit(PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.go(f"{case.path}?card={data['card']}&space={data['space']}")
    page.evaluate("window.scrollTo({top: 500, behavior: 'instant'})")

    page.get_by_role("button", name="Play", exact=True).tap()

    expect(page.locator(".receipt")).to_be_in_viewport(ratio=1)
    expect(page.locator("#live")).to_contain_text("You played the")


@pytest.mark.parametrize("with_javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_finger_on_the_hand_chooses_the_card_that_table_talk_costs(visit, with_javascript):
    case = make_case("pay")
    card = case.choice.split()[1]
    visitor = visit(PHONE, java_script_enabled=with_javascript, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.go(case.path)
    expect(page.get_by_text("first choose the card to give up")).to_be_in_viewport()
    rows = [label.bounding_box()["y"] for label in page.locator("#pay label").all()]
    assert len(rows) > 1
    assert len(set(rows)) == len(rows)

    page.locator(f'.hand a[href*="card={card}"]').first.tap()
    bar = page.locator(".play.ready")
    expect(bar).to_contain_text(f"You give up the {card_name(card)}")
    expect(bar).to_be_in_viewport(ratio=1)
    bar.get_by_role("button", name="Give up this card").tap()

    expect(page.get_by_role("heading", name="The card is given up")).to_be_visible()
    expect(page.locator(".receipt")).to_contain_text(card_name(card))
    assert visitor.complaints == []


@pytest.mark.parametrize(
    ("language", "day"), [("en", 30), ("nl", 24), ("nl", 30), ("da", 30), ("sv", 24)], ids=str
)
def test_the_longest_deadline_fits_on_a_phone(visit, language, day):
    case = make_case()
    # In September days are Thursday the 24th and Wednesday the 30th.
    Game.objects.update(deadline=datetime(2026, 9, day, 9, 30, tzinfo=UTC))
    case.member.language = language
    case.member.zone = "America/North_Dakota/New_Salem"
    case.member.save()
    visitor = visit(PHONE, has_touch=True, is_mobile=True)

    visitor.go(case.path)

    expect(visitor.page.locator("#turn time")).to_contain_text(str(day))
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE
    assert visitor.page.evaluate("window.innerWidth") <= PHONE


@pytest.mark.parametrize("with_javascript", [True, False], ids=["javascript", "no-javascript"])
@pytest.mark.parametrize(
    ("purpose", "button", "told"),
    [
        ("draw", "Draw a card", "The card is drawn"),
        ("pay", "Give up this card", "The card is given up"),
        ("answer", "Decline", "You have answered"),
        ("offer", "Take over the seat", "The seat is yours"),
    ],
)
def test_the_other_links_do_their_one_thing(visit, purpose, button, told, with_javascript):
    case = make_case(purpose)
    visitor = visit(PHONE, java_script_enabled=with_javascript, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.go(case.path)

    if purpose == "pay":
        page.locator('input[value^="pay "]').first.check()
    page.get_by_role("button", name=button, exact=True).tap()

    expect(page.get_by_role("heading", name=told)).to_be_visible()
    assert visitor.context.cookies() == []
    assert visitor.complaints == []
    assert purpose != "offer" or SeatOffer.objects.get().is_accepted


def test_a_form_left_open_on_another_device_is_told_that_the_turn_is_played(visit):
    case = make_case()
    first = plain_play(case)
    phone, desk = visit(PHONE, has_touch=True), visit(1280)
    phone.go(f"{case.path}?card={first['card']}&space={first['space']}")
    desk.go(f"{case.path}?card={first['card']}&space={first['space']}")

    phone.page.get_by_role("button", name="Play", exact=True).tap()
    expect(phone.page.get_by_role("heading", name="This turn is played")).to_be_visible()
    desk.page.get_by_role("button", name="Play", exact=True).click()

    expect(desk.page.get_by_role("heading", name="This turn is played")).to_be_visible()
    case.game.refresh_from_db()
    assert case.game.turns == 1


def test_the_other_links_are_mailed_at_a_tap_and_a_lost_one_is_asked_for(visit):
    case = make_case()
    visitor = visit(PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.go(case.path)
    page.get_by_role("button", name="Mail me my other links").tap()
    expect(page.get_by_role("heading", name="Look at your mail")).to_be_visible()
    page.get_by_role("link", name="Back to this game").tap()
    expect(page.get_by_text("It is your turn.")).to_be_visible()

    visitor.go(case.path[:-5])
    page.get_by_label("Name or email address").fill("nobody")
    page.get_by_role("button", name="Mail me a fresh link").tap()

    expect(page.get_by_text("If somebody plays here as nobody")).to_be_visible()
    assert visitor.context.cookies() == []
    assert visitor.complaints == []
