"""The pages of turn links: each purpose, each state, and all that may be sent to them."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.mail.models import Mail
from games.play import queries
from games.play.models import Game, LinkRequest, SeatOffer, Status
from games.play.services.substituting import answer_offer
from games.play.telling.spoken import card_name
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import legal, make_game, play_one, play_to_the_end, player_on_turn
from tests.play.links import (
    PURPOSES,
    Case,
    act,
    bearer,
    choice_of,
    everything,
    hand_of,
    heading,
    make_case,
    make_link,
    offer_draw,
    rule,
)

pytestmark = pytest.mark.django_db
SITE = "http://testserver"


@pytest.fixture
def device() -> Client:
    return bearer()


def types_of(game: Game) -> list[str]:
    return [event.type for event in queries.events_after(game, 0, 999)]


def shows_hand(page: Any, case: Case) -> bool:
    return any(f">{card_name(card)}" in page.text for card in hand_of(case.game, case.member))


# Looking ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("purpose", PURPOSES)
@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_changes_no_row_and_sets_no_cookie(device: Client, purpose: str, method: str) -> None:
    case = make_case(purpose)
    before = everything()

    for query in ("", "?card=Qd", "?card=Qd&space=c5", "?choice=pass&version=1&key=x"):
        page = getattr(device, method)(case.path + query)

        assert page.status_code == 200
        assert not page.cookies
    assert everything() == before


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_link_stays_out_of_caches_search_engines_and_referrers(device: Client, purpose: str) -> None:
    page = device.get(make_case(purpose).path)

    assert "no-store" in page["Cache-Control"]
    assert page["X-Robots-Tag"] == "noindex, nofollow"
    assert page["Referrer-Policy"] == "same-origin"
    assert "default-src 'none'" in page["Content-Security-Policy"]


def test_the_page_shows_the_board_and_the_own_hand(device: Client) -> None:
    case = make_case()

    page = device.get(case.path)

    for card in hand_of(case.game, case.member):
        assert card_name(card) in page.text
    assert "Your hand" in page.text
    assert 'class="board"' in page.text


def test_no_card_of_the_hand_stands_in_the_head_of_the_page(device: Client) -> None:
    case = make_case()

    head = device.get(f"{case.path}?card={hand_of(case.game, case.member)[0]}").text.split("</head>")[0]

    assert not any(card_name(card) in head for card in hand_of(case.game, case.member))
    assert "http://" not in head.replace("http://www.w3.org", "")
    assert "https://" not in head


def test_the_page_of_a_link_has_nobodys_name_and_no_cookie_whoever_is_signed_in(device: Client) -> None:
    case = make_case()
    plain = device.get(case.path).text
    stranger = make_user("stranger", name="Stranger Danger", language="nl")
    device.force_login(stranger)
    session = device.cookies["sessionid"].value

    page = device.get(case.path)

    def bare(text: str) -> str:
        return "".join(line for line in text.splitlines() if 'name="key"' not in line)

    assert bare(page.text) == bare(plain)
    assert not page.cookies
    assert device.cookies["sessionid"].value == session
    assert "Sign out" not in page.text


def test_the_page_speaks_the_language_of_its_member_whatever_the_browser_asks(device: Client) -> None:
    case = make_case()
    case.member.language = "sv"
    case.member.save()

    page = device.get(case.path, headers={"accept-language": "nl"})

    assert page["Content-Language"] == "sv"
    assert '<html lang="sv">' in page.text


def test_a_bearer_sees_what_any_other_deal_of_the_hidden_cards_would_show(device: Client) -> None:
    case = make_case()
    other = next(place.member for place in case.game.places.all() if place.member != case.member)
    assert other is not None
    own, hidden = set(hand_of(case.game, case.member)), set(hand_of(case.game, other))

    page = device.get(case.path)

    board_and_hand = page.text.split('id="board"')[0]
    assert not any(f">{card_name(card)}" in board_and_hand for card in hidden - own)


# Playing ------------------------------------------------------------------------------------------


def test_a_turn_is_played_by_its_link_and_the_page_becomes_the_receipt(device: Client) -> None:
    case = make_case()
    before = case.game.version

    answer = device.post(case.path, case.form())

    assert (answer.status_code, answer["Location"]) == (303, case.path)
    assert not answer.cookies
    case.game.refresh_from_db()
    assert case.game.version == before + 1
    logged = queries.events_after(case.game, before, 9)
    assert [(event.type, event.actor) for event in logged] == [("ChipPlaced", str(case.member.uuid))]
    receipt = device.get(case.path)
    assert receipt.status_code == 200
    assert "This turn is played" in heading(receipt)
    assert "You played the" in receipt.text
    assert case.choice.split()[2] in receipt.text
    assert "You drew a card." in receipt.text
    on_turn = player_on_turn(case.game)
    assert f"It is the turn of {on_turn.get_full_name()}." in receipt.text
    assert not receipt.cookies


def test_a_link_dies_with_its_turn_and_shows_no_hand_any_more(device: Client) -> None:
    case = make_case()
    device.post(case.path, case.form())
    play_one(case.game)
    assert player_on_turn(case.game) == case.member
    before = everything()

    again = device.post(case.path, case.form(choice=choice_of(legal(case.game, case.member)[0]), key="new"))
    page = device.get(case.path)

    assert again.status_code == 409
    assert "This turn is played" in heading(again)
    assert everything() == before
    assert "Your hand" not in page.text
    assert "The newest mail has the link to your turn." in page.text


def test_a_card_is_drawn_by_its_link(device: Client) -> None:
    case = make_case("draw")

    assert device.post(case.path, case.form()).status_code == 303

    assert types_of(case.game)[-1] == "CardDrawn"
    page = device.get(case.path)
    assert "The card is drawn" in heading(page)
    assert "You drew a card." in page.text
    assert "Your hand" not in page.text


def test_a_card_is_given_up_by_its_link(device: Client) -> None:
    case = make_case("pay")

    assert device.post(case.path, case.form()).status_code == 303

    assert types_of(case.game)[-1] == "CardPaid"
    page = device.get(case.path)
    assert "The card is given up" in heading(page)
    assert "for table talk" in page.text


def test_a_link_for_two_cards_stays_open_until_both_are_given_up(device: Client) -> None:
    case = make_case("pay")
    seen = queries.seen_game(case.game.pk, case.member)
    assert seen is not None
    assert seen.seat is not None
    rule(case.game, {"act": "table_talk", "team": seen.loaded.rules.team_names[seen.seat % 2]})
    second = make_link(case.game, case.member, "pay")

    device.post(case.path, case.form())

    assert "The card is given up" in heading(device.get(case.path))
    page = device.get(second)
    assert 'value="pay ' in page.text
    pays = [data for data in legal(case.game, case.member) if data["act"] == "pay"]
    assert device.post(second, case.form(choice=choice_of(pays[0]), key="2")).status_code == 303
    assert "The card is given up" in heading(device.get(second))
    assert types_of(case.game).count("CardPaid") == 2


@pytest.mark.parametrize(("choice", "last"), [("decline_draw", "DrawDeclined"), ("accept_draw", "GameEnded")])
def test_a_draw_is_answered_by_its_link(device: Client, choice: str, last: str) -> None:
    case = make_case("answer")

    assert device.post(case.path, case.form(choice=choice)).status_code == 303

    assert last in types_of(case.game)[-2:]
    assert "You have answered" in heading(device.get(case.path))


def test_a_seat_is_taken_over_by_its_link(device: Client) -> None:
    case = make_case("offer")
    page = device.get(case.path)
    assert "You are asked to take over seat A" in page.text
    assert "Your hand" not in page.text

    assert device.post(case.path, {"choice": "accept"}).status_code == 303

    assert case.game.places.get(number=0).member == case.member
    assert "The seat is yours" in heading(device.get(case.path))
    assert device.post(case.path, {"choice": "accept"}).status_code == 303
    assert types_of(case.game).count("SeatReplaced") == 1


def test_a_seat_is_declined_by_its_link(device: Client) -> None:
    case = make_case("offer")

    assert device.post(case.path, {"choice": "decline"}).status_code == 303

    assert not SeatOffer.objects.get().is_accepted
    page = device.get(case.path)
    assert page.status_code == 410
    assert "This link is not open any more" in heading(page)
    assert device.post(case.path, {"choice": "accept"}).status_code == 409
    assert case.game.places.get(number=0).member != case.member


@pytest.mark.parametrize("sent", [{}, {"choice": "pass"}, {"choice": ""}])
def test_an_offer_wants_one_of_its_two_answers(device: Client, sent: dict[str, str]) -> None:
    case = make_case("offer")

    assert device.post(case.path, sent).status_code == 400
    assert SeatOffer.objects.get().answered_at is None


@pytest.mark.parametrize("purpose", ["turn", "draw", "pay", "answer"])
@pytest.mark.parametrize(
    "choice", ["resign", "leave", "offer_draw", "accept", "pass Qd", "draw", "accept_draw"]
)
def test_a_link_does_only_what_it_is_for(device: Client, purpose: str, choice: str) -> None:
    case = make_case(purpose)
    own = {"draw": {"draw"}, "turn": {"draw", "pass Qd"}, "answer": {"accept_draw"}}.get(purpose, set())
    before = everything()

    answer = device.post(case.path, case.form(choice=choice))

    if choice in own:
        assert answer.status_code in {303, 400, 422}
    else:
        assert answer.status_code == (400 if choice == "accept" else 403)
        assert everything() == before


def test_a_turn_link_swaps_a_dead_card_and_stays_open_for_the_play(device: Client) -> None:
    case = make_case("draw")
    turn = make_link(case.game, player_on_turn(case.game))
    page = device.get(turn)

    assert page.status_code == 200
    assert "Your hand" in page.text


# What a link has become ---------------------------------------------------------------------------


def test_a_turn_that_is_taken_elsewhere_meanwhile_is_told(device: Client) -> None:
    case = make_case()
    form = case.form()
    play_one(case.game)

    answer = device.post(case.path, form)

    assert answer.status_code == 409
    assert "This turn is played" in heading(answer)
    assert types_of(case.game).count("ChipPlaced") == 1


def test_a_form_of_a_board_that_has_moved_on_is_not_played(device: Client) -> None:
    case = make_case()
    form = case.form()
    offer_draw(case.game, case.member)

    answer = device.post(case.path, form)

    assert answer.status_code == 412
    assert "The game has moved on" in answer.text
    assert "Your hand" in answer.text
    assert "ChipPlaced" not in types_of(case.game)


def test_a_guess_at_a_version_to_come_is_not_played(device: Client) -> None:
    case = make_case()
    form = case.form(version=str(case.game.version + 1))

    assert device.post(case.path, form).status_code == 412
    assert device.post(case.path, case.form(version="")).status_code == 412
    assert device.post(case.path, case.form(version="9" * 40)).status_code == 412


def test_the_same_form_sent_twice_is_one_turn_and_one_receipt(device: Client) -> None:
    case = make_case()
    form = case.form()

    answers = [device.post(case.path, form) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [303] * 3
    assert types_of(case.game).count("ChipPlaced") == 1


def test_a_seat_that_was_handed_over_shows_no_hand_to_its_former_holder(device: Client) -> None:
    case = make_case()
    hand = hand_of(case.game, case.member)
    letter = case.game.places.get(member=case.member).letter
    rule(case.game, {"act": "replace", "seat": letter}, make_member(case.game.club).user)
    before = everything()

    for answer in (device.get(case.path), device.post(case.path, case.form())):
        assert answer.status_code == 410
        assert "Another player has this seat now" in heading(answer)
        assert not any(card_name(card) in answer.text for card in hand)
        assert 'id="board"' not in answer.text
    assert everything() == before


def test_who_comes_back_in_another_seat_does_not_play_it_by_an_old_link(device: Client) -> None:
    game = make_game(4)
    first = player_on_turn(game)
    letter = game.places.get(member=first).letter
    path = make_link(game, first)
    act(game, first, act="resign")
    game.refresh_from_db()
    on_turn = game.places.get(number=game.turn_seat)
    rule(game, {"act": "replace", "seat": on_turn.letter}, first)
    data = legal(game, first)[0]
    case = Case(game, first, "turn", path, choice_of(data))
    before = everything()

    page = device.get(path)
    answer = device.post(path, case.form())

    assert letter != on_turn.letter
    assert (page.status_code, answer.status_code) == (410, 410)
    assert "Your seat is out of the game" in heading(page)
    assert "Your hand" not in page.text
    assert everything() == before


def test_a_turn_whose_time_ran_out_is_told(device: Client) -> None:
    case = make_case(seats=4)
    Game.objects.filter(pk=case.game.pk).update(expiry="pass")
    rule(case.game, {"act": "expire"})

    page = device.get(case.path)
    answer = device.post(case.path, case.form())

    assert (page.status_code, answer.status_code) == (410, 410)
    assert "The time for this turn ran out" in heading(page)
    assert "Your hand" not in page.text


def test_a_seat_that_the_clock_took_out_is_told_of_its_time(device: Client) -> None:
    case = make_case(seats=4)
    Game.objects.filter(pk=case.game.pk).update(expiry="forfeit_seat")
    rule(case.game, {"act": "expire"})

    page = device.get(case.path)

    assert page.status_code == 410
    assert "The time for this turn ran out" in heading(page)


def test_a_bot_that_stands_in_ends_the_link(device: Client) -> None:
    case = make_case()
    Game.objects.filter(pk=case.game.pk).update(expiry="bot")
    rule(case.game, {"act": "expire"})

    assert "The time for this turn ran out" in heading(device.get(case.path))


def test_a_stopped_clock_leaves_the_link_open_and_is_explained(device: Client) -> None:
    case = make_case()
    rule(case.game, {"act": "pause", "reason": "holidays"})

    page = device.get(case.path)

    assert page.status_code == 200
    assert "The clock of this game is stopped" in page.text
    assert device.post(case.path, case.form()).status_code == 303


@pytest.mark.parametrize("purpose", ["turn", "draw", "pay", "answer"])
def test_a_game_that_is_over_shows_its_result(device: Client, purpose: str) -> None:
    case = make_case(purpose)
    rule(case.game, {"act": "rule", "winner": "draw", "reason": "by agreement"})

    page = device.get(case.path)

    assert page.status_code == 200
    assert "The game is over" in heading(page)
    assert "A draw, by a ruling of an organiser" in page.text
    assert device.post(case.path, case.form()).status_code == 409


def test_the_link_of_the_last_turn_shows_receipt_and_result(device: Client) -> None:
    game = make_game(2, idle_rounds=2)
    paths = []
    while game.turn_seat is not None and game.turns < 400:
        paths.append(make_link(game, player_on_turn(game)))
        play_one(game, pick=game.turns * 7)
        game.refresh_from_db()

    page = device.get(paths[-1])

    assert game.status == Status.FINISHED
    assert page.status_code == 200
    assert "This turn is played" in heading(page)
    assert "You" in page.text
    assert "have won" in page.text or "A draw" in page.text or "has won" in page.text


def test_a_draw_that_was_answered_by_another_closes_the_link(device: Client) -> None:
    game = make_game(3)
    offering = player_on_turn(game)
    offer_draw(game, offering)
    others = [place.member for place in game.places.all() if place.member != offering]
    assert others[0] is not None
    assert others[1] is not None
    path = make_link(game, others[0], "answer")
    act(game, others[1], act="decline_draw")

    page = device.get(path)

    assert page.status_code == 410
    assert "This link is not open any more" in heading(page)
    offer_draw(game, offering)
    assert device.get(path).status_code == 410
    assert device.get(make_link(game, others[0], "answer")).status_code == 200


def test_a_card_that_was_lost_closes_its_link(device: Client) -> None:
    case = make_case("draw", loss_of_card="next_play_and_draw")
    other = player_on_turn(case.game)
    play_one(case.game)
    act(case.game, other, act="draw")

    page = device.get(case.path)

    assert page.status_code == 410
    assert "The card cannot be drawn any more" in page.text
    assert device.post(case.path, case.form()).status_code == 410


def played_by_hand(device: Client, **options: Any) -> Case:
    """Return the link of a turn that was just played by it, in a game where cards are drawn by hand."""
    case = make_case(draw_mode="manual", **options)
    assert device.post(case.path, case.form()).status_code == 303
    return case


def test_the_card_of_a_turn_is_drawn_by_the_link_of_the_turn(device: Client) -> None:
    case = played_by_hand(device)
    before = everything()

    page = device.get(case.path)

    assert everything() == before
    assert "This turn is played" in heading(page)
    receipt = page.text.split('class="good receipt"')[1].split("</section>")[0]
    assert receipt.index("Now draw your card.") < receipt.index("You played the")
    assert 'name="choice" value="draw" class="primary"' in receipt
    assert page.text.count('value="draw"') == 1
    assert "Your hand" not in page.text
    assert device.post(case.path, case.form(choice="draw", key="2")).status_code == 303
    assert types_of(case.game)[-1] == "CardDrawn"
    assert case.game.places.get(member=case.member).draws_due == 0
    page = device.get(case.path)
    assert "You drew a card." in page.text
    assert 'value="draw"' not in page.text
    assert device.post(case.path, case.form(choice="draw", key="3")).status_code == 409
    assert types_of(case.game).count("CardDrawn") == 1


def test_a_card_to_draw_opens_the_link_of_its_turn_for_nothing_else(device: Client) -> None:
    case = played_by_hand(device)
    before = everything()

    for choice in (case.choice, "pass", "pay Qd"):
        assert device.post(case.path, case.form(choice=choice, key="2")).status_code == 409

    assert everything() == before


def test_the_card_of_a_turn_is_not_drawn_by_the_link_of_another_turn(device: Client) -> None:
    case = played_by_hand(device, loss_of_card="never")
    assert device.post(case.path, case.form(choice="draw", key="2")).status_code == 303
    play_one(case.game)
    play_one(case.game)
    assert case.game.places.get(member=case.member).draws_due == 1

    assert 'value="draw"' not in device.get(case.path).text
    assert device.post(case.path, case.form(choice="draw", key="3")).status_code == 409


def test_who_lost_the_card_of_a_turn_is_told_so_on_the_page_of_the_turn(device: Client) -> None:
    case = played_by_hand(device, loss_of_card="next_play_and_draw")
    other = player_on_turn(case.game)
    play_one(case.game)
    assert "that is not drawn in time is lost" in device.get(case.path).text
    act(case.game, other, act="draw")

    page = device.get(case.path)

    assert "This turn is played" in heading(page)
    assert "The card cannot be drawn any more" in page.text
    assert "Now draw your card" not in page.text
    assert device.post(case.path, case.form(choice="draw", key="2")).status_code == 409


def test_two_cards_are_drawn_by_the_link_of_the_later_turn(device: Client) -> None:
    case = played_by_hand(device, loss_of_card="never")
    play_one(case.game)
    later = make_link(case.game, case.member)
    play_one(case.game)

    for key in ("2", "3"):
        assert "Now draw your card." in device.get(later).text
        assert device.post(later, case.form(choice="draw", key=key)).status_code == 303

    assert "Now draw your card." not in device.get(later).text
    assert "Now draw your card." not in device.get(case.path).text


def test_nothing_is_drawn_by_the_link_of_a_turn_once_the_game_is_over(device: Client) -> None:
    case = played_by_hand(device)
    rule(case.game, {"act": "rule", "winner": "draw", "reason": "by agreement"})

    page = device.get(case.path)

    assert "Now draw your card" not in page.text
    assert "cannot be drawn any more" not in page.text
    assert device.post(case.path, case.form(choice="draw", key="2")).status_code == 409


def test_a_receipt_tells_the_play_once_and_where_the_next_turn_is_taken(device: Client) -> None:
    case = make_case()
    device.post(case.path, case.form())

    page = device.get(case.path).text.split("plays-title")[0]

    assert page.count(f" on {case.choice.split()[2]}") == 1
    assert f"{case.member.get_full_name()} played" not in page
    play_one(case.game)
    page = device.get(case.path).text
    assert page.index("It is your turn.") < page.index("The newest mail has the link to your turn.")


def test_a_link_for_two_cards_stays_open_until_both_are_drawn(device: Client) -> None:
    case = make_case("draw")
    play_one(case.game)
    play_one(case.game)
    assert case.game.places.get(member=case.member).draws_due == 2
    second = make_link(case.game, case.member, "draw")

    device.post(second, case.form(key="1"))

    assert "The card is drawn" in heading(device.get(case.path))
    assert device.get(second).status_code == 200
    assert "The card is drawn" not in heading(device.get(second))
    assert device.post(case.path, case.form(key="2")).status_code == 409
    assert device.post(second, case.form(key="3")).status_code == 303
    assert "The card is drawn" in heading(device.get(second))
    assert types_of(case.game).count("CardDrawn") == 2


def test_an_offer_closes_when_another_has_the_seat(device: Client) -> None:
    case = make_case("offer")
    rule(case.game, {"act": "replace", "seat": "A"}, make_member(case.game.club).user)

    assert device.get(case.path).status_code == 410
    assert device.post(case.path, {"choice": "accept"}).status_code == 409


def test_an_offer_closes_with_the_game(device: Client) -> None:
    case = make_case("offer")
    rule(case.game, {"act": "annul", "reason": "wrong deck"})

    page = device.get(case.path)

    assert page.status_code == 200
    assert "The game is over" in heading(page)
    assert device.post(case.path, {"choice": "accept"}).status_code == 409


def test_a_seat_that_was_taken_over_and_handed_on_shows_nothing(device: Client) -> None:
    case = make_case("offer")
    answer_offer(member=case.member, offer_id=SeatOffer.objects.get().pk, accept=True, now=NOW)
    rule(case.game, {"act": "replace", "seat": "A"}, make_member(case.game.club).user)

    assert device.get(case.path).status_code == 410


# What no mail carries -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/t/x", "/t/" + "a" * 43, "/t/" + "a" * 42, "/t/a/b/c", "/t/%C3%A9", "/t/" + "a" * 3000],
)
@pytest.mark.parametrize("method", ["get", "head", "post"])
def test_a_link_that_is_not_known_offers_a_fresh_one(device: Client, path: str, method: str) -> None:
    make_case()
    before = everything()

    page = getattr(device, method)(path)

    assert page.status_code == 404
    assert not page.cookies
    assert page["X-Robots-Tag"] == "noindex, nofollow"
    if method != "head":
        assert "Copy the whole of it" in page.text
        assert 'action="/links"' in page.text
    assert everything() == before


def test_a_part_of_a_link_opens_nothing_and_a_full_stop_behind_it_does_no_harm(device: Client) -> None:
    case = make_case()

    assert device.get(case.path[:-1]).status_code == 404
    assert device.get(f"{case.path}a").status_code == 404
    for more in ("/", ".", ">", ")", "%20"):
        assert device.get(case.path + more).status_code == 200


def test_a_member_who_is_switched_off_plays_by_no_link(device: Client) -> None:
    case = make_case()
    case.member.is_active = False
    case.member.save()

    assert device.get(case.path).status_code == 404
    assert device.post(case.path, case.form()).status_code == 404


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
@pytest.mark.parametrize("more", ["", "/links"])
def test_other_methods_are_not_taken(device: Client, method: str, more: str) -> None:
    case = make_case()

    assert getattr(device, method)(case.path + more).status_code == 405
    assert device.get(f"{case.path}/links").status_code == 405


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"choice=\x00&version=1", "application/x-www-form-urlencoded", 400),
        (b"choice=place%00Qd&key=%00", "application/x-www-form-urlencoded", 400),
        (b"choice=" + b"x" * 5000, "application/x-www-form-urlencoded", 400),
        (b"x" * 2_000_000, "application/x-www-form-urlencoded", 413),
        (b"choice=pass", "application/x-www-form-urlencoded; charset=utf-7", 400),
        (b"--x\r\n", "multipart/form-data", 400),
        (b"&".join(b"a%d=1" % n for n in range(1001)), "application/x-www-form-urlencoded", 400),
        (b"{}", "application/json", 400),
        (b"", "application/x-www-form-urlencoded", 400),
        (b"choice=%ff%fe", "application/x-www-form-urlencoded", 400),
    ],
)
def test_what_cannot_be_read_is_refused(body: bytes, content_type: str, status: int) -> None:
    device = bearer(raise_request_exception=False)
    case = make_case()
    before = everything()

    answer = device.generic("POST", case.path, body, content_type=content_type)

    assert answer.status_code == status
    assert "<h1>" in answer.text
    assert everything() == before


@pytest.mark.parametrize("choice", ["place", "place Qd", "place Zz c5", "place Qd z9", "swap", "announce x"])
def test_a_choice_that_means_nothing_is_refused_beside_the_board(device: Client, choice: str) -> None:
    case = make_case()

    answer = device.post(case.path, case.form(choice=choice))

    assert answer.status_code in {400, 422}
    assert 'role="alert"' in answer.text
    assert "Your hand" in answer.text


def test_what_the_rules_refuse_is_told_beside_the_board(device: Client) -> None:
    case = make_case()
    card = hand_of(case.game, case.member)[0]

    answer = device.post(case.path, case.form(choice=f"swap {card}"))

    assert answer.status_code == 422
    assert "This card is not dead" in answer.text


# Where the form comes from ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "is_taken"),
    [
        ({}, True),
        ({"origin": SITE}, True),
        ({"origin": SITE, "sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"origin": "https://play.example"}, True),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": "https://play.example.evil.example"}, False),
        ({"origin": "http://play.example"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"origin": SITE, "sec-fetch-site": "cross-site"}, False),
    ],
)
@pytest.mark.parametrize("purpose", ["turn", "offer"])
def test_only_a_form_of_our_own_plays(
    device: Client, settings: LazySettings, headers: dict[str, str], is_taken: bool, purpose: str
) -> None:
    case = make_case(purpose)
    settings.PUBLIC_URL = "https://play.example"
    before = everything()

    answer = device.post(case.path, case.form(), headers=headers)

    assert answer.status_code == (303 if is_taken else 403)
    if not is_taken:
        assert "Nothing was done" in heading(answer)
        assert case.path in answer.text
        assert everything() == before


# More links ---------------------------------------------------------------------------------------


def test_the_bearer_has_the_other_links_mailed_to_the_member(device: Client) -> None:
    case = make_case()
    play_one(case.game)

    answer = device.post(f"{case.path}/links")

    assert answer.status_code == 200
    assert not answer.cookies
    assert "Look at your mail" in heading(answer)
    assert [mail.member for mail in Mail.objects.filter(kind="links")] == [case.member]


def test_links_are_mailed_a_few_times_an_hour_only(device: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    case = make_case()
    second = iter(range(100))
    monkeypatch.setattr(timezone, "now", lambda: NOW.replace(second=next(second)))

    answers = [device.post(f"{case.path}/links") for _ in range(6)]

    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert int(answers[-1]["Retry-After"]) > 3000
    assert "Links were asked for often" in heading(answers[-1])
    assert Mail.objects.filter(kind="links").count() == 5


@pytest.mark.parametrize("path", ["/links", "links of a game"])
def test_no_other_site_asks_for_links(device: Client, path: str) -> None:
    path = path if path == "/links" else f"{make_case().path}/links"

    answer = device.post(path, {"who": "anna"}, headers={"origin": "https://evil.example"})

    assert answer.status_code == 403
    assert not LinkRequest.objects.exists()
    assert not Mail.objects.filter(kind="links").exists()


def test_a_fresh_link_is_promised_to_everybody_alike(device: Client) -> None:
    make_user("anna")
    said = []

    for who in ("anna", "nobody", "anna@example.org", "no@example.org"):
        answer = device.post("/links", {"who": who})
        assert answer.status_code == 200
        assert not answer.cookies
        said.append(answer.text.replace(f"as {who},", "as X,"))

    assert len(set(said)) == 1
    assert [request.who for request in LinkRequest.objects.order_by("pk")] == [
        "anna", "nobody", "anna@example.org", "no@example.org",
    ]  # fmt: skip


@pytest.mark.parametrize("who", ["", " ", "a\0b", "x" * 255])
def test_a_fresh_link_wants_a_name(device: Client, who: str) -> None:
    assert device.get("/links").status_code == 200

    answer = device.post("/links", {"who": who})

    assert answer.status_code == 400
    assert not LinkRequest.objects.exists()


def test_a_fresh_link_is_asked_for_a_few_times_an_hour_only(device: Client) -> None:
    answers = [device.post("/links", {"who": "nobody"}) for _ in range(6)]

    assert [answer.status_code for answer in answers] == [200] * 5 + [429]


# Two at once --------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_one_key", [False, True])
@pytest.mark.parametrize("purpose", ["turn", "draw", "pay", "answer", "offer"])
def test_two_devices_at_once_play_once(purpose: str, has_one_key: bool) -> None:
    case = make_case(purpose)
    version = case.game.version
    start = Barrier(4)

    def play(number: int) -> int:
        form = case.form(key="k" if has_one_key else f"k{number}")
        try:
            start.wait(10)
            return bearer().post(case.path, form).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        statuses = sorted(pool.map(play, range(4)))

    case.game.refresh_from_db()
    assert case.game.version == version + 1
    if has_one_key or purpose == "offer":
        assert statuses == [303] * 4
    else:
        assert statuses[0] == 303
        assert set(statuses[1:]) <= {409, 412}


def test_the_page_of_the_game_is_for_who_may_see_it(device: Client) -> None:
    case = make_case(club=make_club("open", is_open=True, organiser=make_user()))
    device.post(case.path, case.form())

    page = device.get(case.path)

    assert f'href="/games/{case.game.pk}"' in page.text
    assert "sign in first" not in page.text
    assert play_to_the_end(case.game).status == Status.FINISHED
    assert device.get(case.path).status_code == 200
