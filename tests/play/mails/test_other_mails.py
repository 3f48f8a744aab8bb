"""The other mails of games: what each tells, to whom, and when it is not wanted any more."""

import re
from typing import Any

import pytest

from games.clubs.models import Role
from games.mail.models import Mail
from games.mail.outbox import Draft, enqueue
from games.play.mails.board_text import card_text
from games.play.models import Game, TurnLink
from games.play.services.link_mails import mail_links
from games.play.services.substituting import answer_offer, offer_seat
from games.play.vault import DealSource
from tests.builders import NOW, make_member, make_user
from tests.mails import letter, rendered, section, waiting
from tests.play.builders import legal, player_on_turn
from tests.play.mails.table import (
    NAMES,
    act,
    change,
    hand_of,
    mail_of,
    play,
    post_game,
    rule,
    words_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return post_game()


def plain(mail: Mail) -> str:
    """Return the text of a mail in one line; its HTML says the same."""
    shown = letter(mail)
    text = " ".join(shown.text.split())
    for sentence in re.findall(r"[A-Z][^.:]*\.", shown.text.split("\n -- ")[0].split("     a ")[0]):
        assert " ".join(sentence.split()) in words_of(shown.html)
    return text


def organiser_of(game: Game) -> Any:
    return game.club.memberships.get(role=Role.ORGANISER).user


def seat_on_turn(game: Game) -> int:
    game.refresh_from_db()
    assert game.turn_seat is not None
    return game.turn_seat


# Beginning and end


def test_the_others_are_told_that_the_game_has_begun(game):
    first, mails = seat_on_turn(game), waiting("started")

    assert len(mails) == 3
    for mail in mails:
        seat, shown = mail.refs["seat"], letter(mail)
        text = plain(mail)
        assert shown.subject == "The game has begun: Four by post"
        assert f"Seat {'ABCD'[seat]}: you (" in text
        assert f"{NAMES[first]} (seat {'ABCD'[first]}) plays first." in text
        assert game.seal in text
        assert all(card_text(card) in text.split("Your hand:")[1] for card in hand_of(game, seat))
        assert "/t/" not in shown.text + shown.html
        assert f"http://localhost:8000/games/{game.pk}" in shown.text
        assert shown.pictures
        assert section(mail).lines[0] == "The game has begun."


def test_that_a_game_has_begun_is_not_told_once_it_is_over(game):
    rule(game, "rule", winner="draw", reason="Agreed.")

    assert [rendered(mail) for mail in waiting("started")] == [None] * 3


def test_the_end_is_told_with_the_result_the_secret_and_the_seal(game):
    secret = bytes(DealSource.objects.get(game=game).secret).hex()
    rule(game, "rule", winner="blue", reason="Agreed.")

    won, lost = plain(mail_of("over", 0)), plain(mail_of("over", 1))

    assert letter(mail_of("over", 0)).subject == "The game is over: Four by post"
    assert "You and Cleo Dam (blue) have won by a ruling of an organiser." in won
    assert "Anna Berg and Cleo Dam (blue) have won by a ruling of an organiser; you have lost." in lost
    for text in (won, lost):
        assert secret in text
        assert game.seal in text
        assert f"http://localhost:8000/games/{game.pk} " in text
        assert f"http://localhost:8000/games/new?rematch={game.pk}" in text
    assert section(mail_of("over", 0)).link == f"http://localhost:8000/games/{game.pk}"


def test_the_end_is_told_with_its_reason_the_last_plays_and_the_lines(game):
    play(game, 6)
    rule(game, "rule", winner="blue", reason="They had\n-- agreed.")
    mail = mail_of("over", 0)

    shown, text = letter(mail), plain(mail)

    for part in (text, words_of(shown.html)):
        assert "The reason given: They had -- agreed." in part
        assert "An organiser ruled the result." in part.split("Last plays")[1]
        assert part.split("Last plays")[1].count(" played the ") == 3
        assert "Blue, disc: 0 of 2 lines." in part
        # Long numbers for who wants to check stand at the end, below what everybody reads.
        assert part.index("Your settings for mail") < part.index(game.seal)
    assert section(mail).lines[1] == "The reason given: They had -- agreed."


def test_who_has_left_is_told_the_end_as_well(game):
    act(game, 1, act="leave")
    rule(game, "rule", winner="draw", reason="Agreed.")

    assert "A draw, by a ruling of an organiser." in plain(mail_of("over", 1))


def test_of_a_game_that_was_annulled_after_its_end_only_that_is_told(game):
    rule(game, "rule", winner="blue", reason="Agreed.")
    ended = mail_of("over", 0)
    rule(game, "annul", reason="A mistake.")

    assert rendered(ended) is None
    told = plain(mail_of("over", 0))
    assert "Annulled by an organiser." in told
    assert "The reason given: A mistake." in told
    assert "Agreed." not in told


def test_no_mail_before_the_end_holds_the_secret_or_the_hand_of_another():
    game = post_game(2)
    secret = bytes(DealSource.objects.get(game=game).secret).hex()
    for _ in range(6):
        play(game, 1)
        member = player_on_turn(game)
        other = hand_of(game, 1 - seat_on_turn(game))
        own = hand_of(game, seat_on_turn(game))
        for mail in Mail.objects.filter(member=member).select_related("member"):
            shown = rendered(mail)
            if shown is None or mail.refs["version"] != game.version:
                continue
            assert secret not in shown.text + shown.html
            hand = shown.text.split("Your hand:")[1].split("Take your turn")[0]
            assert all(card_text(card) not in hand for card in set(other) - set(own))


# Time


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("pass", "The turn was passed: nothing was played, discarded or drawn. You go on playing"),
        ("bot", "A bot plays this one turn for you. You go on playing"),
        ("ask", "The clock stands until an organiser decides how the game goes on. You can still play"),
        ("forfeit_seat", "As agreed, your seat is out of the game."),
    ],
)
def test_what_became_of_a_turn_whose_time_ran_out(game, policy, told):
    Game.objects.filter(pk=game.pk).update(expiry=policy)
    seat = seat_on_turn(game)

    rule(game, "expire")

    mail = mail_of("expired", seat)
    text = plain(mail)
    assert letter(mail).subject == "Your time ran out: Four by post"
    assert f"The time for turn 1 ran out before you played (R22). {told}" in text
    assert ("/t/" in text) == (policy == "ask")
    assert section(mail).lines[0].startswith("The time for turn 1 ran out")


def test_the_third_pass_by_the_clock_is_told_to_end_the_seat():
    game = post_game(2)
    Game.objects.filter(pk=game.pk).update(expiry="pass")
    for _ in range(5):
        rule(game, "expire")
    third = waiting("expired")[-1]

    assert third.refs["number"] == 5
    # The last team has won by that: the end is told, and no more of the time.
    assert rendered(third) is None
    four = post_game(4)
    Game.objects.filter(pk=four.pk).update(expiry="pass")
    for _ in range(9):
        rule(four, "expire")
    assert "third in a row, so your seat is out of the game" in plain(mail_of("expired", game=four.pk))


def test_who_may_go_on_after_a_ruling_is_told_until_when(game):
    Game.objects.filter(pk=game.pk).update(expiry="ask")
    seat = seat_on_turn(game)
    rule(game, "expire")
    rule(game, "resume", reason="A day more.")

    assert "The clock stands" not in plain(mail_of("expired", seat))


def test_who_is_on_turn_is_told_that_the_clock_stands_and_why(game):
    seat = seat_on_turn(game)
    rule(game, "pause", reason="Half the club is ill.")
    mail = mail_of("paused", seat)

    text = plain(mail)

    assert letter(mail).subject == "The clock stands: Four by post"
    assert "The clock stands until an organiser decides how the game goes on. You can still play" in text
    assert "The reason given: Half the club is ill." in text
    assert "http://localhost:8000/t/" in text
    assert section(mail).action == "Take your turn"
    play(game, 1)
    assert rendered(mail) is None


def test_who_is_on_turn_is_told_that_the_clock_runs_again_and_until_when(game):
    seat = seat_on_turn(game)
    rule(game, "pause", reason="Half the club is ill.")
    stands = mail_of("paused", seat)
    rule(game, "resume", reason="All are well.")
    runs = mail_of("paused", seat)

    assert rendered(stands) is None
    assert letter(runs).subject == "The clock runs: Four by post"
    assert "The clock runs again: it is your turn. The reason given: All are well." in plain(runs)
    Game.objects.filter(pk=game.pk).update(deadline=NOW.replace(year=2027))
    assert "lets the clock run again: it is your turn until" in plain(runs)


def test_organisers_are_told_of_a_game_that_waits_for_them(game):
    Game.objects.filter(pk=game.pk).update(expiry="ask")
    seat = seat_on_turn(game)
    rule(game, "expire")
    (mail,) = waiting("late")

    text = plain(mail)

    assert mail.member == organiser_of(game)
    assert letter(mail).subject == "A game waits for you: Four by post"
    assert f"The time of {NAMES[seat]} (seat {'ABCD'[seat]}) for turn 1 ran out." in text
    address = f"http://localhost:8000/clubs/{game.club.slug}/organise/games/{game.pk}"
    assert address in text
    assert "Your hand" not in text
    rule(game, "resume", reason="A day more.")
    assert rendered(mail) is None


def test_organisers_are_told_of_a_seat_that_time_put_out(game):
    Game.objects.filter(pk=game.pk).update(expiry="forfeit_seat")
    rule(game, "expire")

    mail = mail_of("late")

    assert letter(mail).subject == "Out of time: Four by post"
    assert "the seat is out of the game (R21)" in plain(mail)


def test_who_is_no_organiser_any_more_is_not_told(game):
    Game.objects.filter(pk=game.pk).update(expiry="ask")
    rule(game, "expire")
    game.club.memberships.filter(role=Role.ORGANISER).update(role=Role.MEMBER)

    assert rendered(mail_of("late")) is None


# The stricter rules


def test_who_has_not_drawn_is_told_until_they_have():
    game = post_game(2, draw_mode="manual")
    seat = seat_on_turn(game)
    play(game, 1)
    mail = mail_of("draw", seat)

    text = plain(mail)

    assert letter(mail).subject == "You have a card to draw: Four by post"
    assert "You have not drawn after your play." in text
    assert "a card that is not drawn in time is lost (R16)" in text
    assert "http://localhost:8000/t/" in text
    assert section(mail).action == "Draw the card"
    act(game, seat, act="draw")
    assert rendered(mail) is None
    assert section(mail) is None


def test_table_talk_asks_a_card_of_some_and_tells_the_others(game):
    rule(game, "table_talk", team="blue")
    owes, others = mail_of("pay", 0), mail_of("talk", 1)

    text = plain(owes)

    assert letter(owes).subject == "You owe a card: Four by post"
    assert "Table talk was called on your team: you owe a card." in text
    assert all(card_text(card) in text.split("Your hand:")[1] for card in hand_of(game, 0))
    assert "http://localhost:8000/t/" in text
    told = plain(others)
    assert "Table talk was called on the team blue (R17)." in told
    assert "Anna Berg owes a card of their own choice." in told
    assert "You have nothing to do." in told
    assert "/t/" not in told
    assert section(others).lines[0] == "Table talk was called on the team blue (R17)."


def test_who_has_paid_is_not_asked(game):
    rule(game, "table_talk", team="blue")
    mail = mail_of("pay", 0)
    assert section(mail).action == "Choose the card"

    act(game, 0, act="pay", card=hand_of(game, 0)[0])

    assert rendered(mail) is None
    assert section(mail) is None


def test_other_teams_are_asked_about_a_draw(game):
    act(game, 0, act="offer_draw")

    mails = waiting("answer")

    assert [mail.refs["seat"] for mail in mails] == [1, 3]
    assert letter(mails[0]).subject == "A draw is offered: Four by post"
    assert "The team blue offers a draw." in plain(mails[0])
    assert "http://localhost:8000/t/" in letter(mails[0]).text
    assert section(mails[0]).action == "Answer"


def test_an_answer_of_the_team_ends_the_asking():
    game = post_game(6, teams=3)
    act(game, 0, act="offer_draw")
    green, red = mail_of("answer", 1), mail_of("answer", 2)

    act(game, 4, act="accept_draw")

    assert rendered(green) is None
    assert rendered(red) is not None
    act(game, 2, act="decline_draw")
    assert rendered(red) is None


# Substitutes


def offered(game: Game, seat: int) -> Mail:
    asked = make_member(game.club).user
    offer_seat(organiser=organiser_of(game), game_id=game.pk, seat=seat, member=asked, now=NOW)
    return mail_of("offer", seat)


def test_a_member_is_asked_to_take_over_a_seat_and_does_not_see_its_hand(game):
    play(game, 4)
    mail = offered(game, seat_on_turn(game))

    shown, text = letter(mail), plain(mail)

    seat = "ABCD"[mail.refs["seat"]]
    assert shown.subject == "Would you take over a seat? Four by post"
    assert f"would you take over seat {seat} in this game?" in text
    assert "the game is at turn 5. The seat is on turn." in text
    assert "Its hand is shown to you once you have accepted (R21)." in text
    assert "Your hand" not in text
    assert "?card=" not in shown.html
    assert f"asked to take over seat {seat}" in text
    assert TurnLink.objects.get(purpose="offer").number == mail.refs["offer"]


@pytest.mark.parametrize("accept", [True, False])
def test_who_has_answered_is_not_asked(game, accept):
    mail = offered(game, 0)

    answer_offer(member=mail.member, offer_id=mail.refs["offer"], accept=accept, now=NOW)

    assert rendered(mail) is None


def test_of_two_who_are_asked_the_second_is_not_once_the_seat_is_taken(game):
    first, second = offered(game, 0), offered(game, 0)

    answer_offer(member=first.member, offer_id=first.refs["offer"], accept=True, now=NOW)

    assert rendered(second) is None


def test_who_has_left_the_club_is_not_asked(game):
    mail = offered(game, 0)
    game.club.memberships.filter(user=mail.member).update(left_at=NOW.replace(year=2027))

    assert rendered(mail) is None


# Links and addresses


def test_all_that_waits_is_mailed_with_its_links(game):
    rule(game, "table_talk", team="blue")
    other = post_game(2, name="Two by post", club=game.club, draw_mode="manual")
    member = game.places.get(number=0).member
    for place in other.places.all():
        other.places.filter(pk=place.pk).update(member=member if place.number == other.turn_seat else None)
    mail_links(member=member, now=NOW)

    shown = letter(mail_of("links"))

    assert shown.subject == "Your turns"
    assert "Two by post\nYour turn, turn 1:\n http://localhost:8000/t/" in shown.text
    assert "Four by post\nYou owe a card for table talk:\n http://localhost:8000/t/" in shown.text
    pay = letter(mail_of("pay", 0))
    again = re.search(r"http://localhost:8000/t/\S+", pay.text)
    assert again is not None
    assert again[0] in shown.text
    assert {"Open Two by post", "Open Four by post"} <= set(re.findall(r">(Open [^<]+)</a>", shown.html))
    assert shown.html.count('class="button-link"') == shown.text.count("/t/")


def test_where_nothing_waits_that_is_said(game):
    nobody = make_user()
    mail_links(member=nobody, now=NOW)

    text = plain(mail_of("links"))

    assert "Nothing waits for you now." in text
    assert "/t/" not in text


def test_organisers_are_told_of_an_address_from_which_mail_comes_back(game):
    about, organiser = player_on_turn(game), organiser_of(game)
    refs = {"club": game.club_id, "about": about.pk}
    key = f"bounced:{about.uuid}:1:{organiser.pk}"
    enqueue([Draft(key, "bounced", member_id=organiser.pk, refs=refs)], now=NOW)
    mail = mail_of("bounced")

    text = plain(mail)

    assert letter(mail).subject == f"Mail to {about.name} comes back"
    assert f"http://localhost:8000/clubs/{game.club.slug}/organise/members/{about.uuid}" in text
    assert about.email not in text
    game.club.memberships.filter(user=organiser).update(role=Role.MEMBER)
    assert rendered(mail) is None


def test_a_mail_of_a_version_that_a_restored_database_does_not_have_is_dropped(game):
    mail = mail_of("turn")
    mail.refs["version"] = game.version + 1000

    assert rendered(mail) is None


def test_hands_are_left_out_of_every_mail_for_who_wants_that(game):
    for place in game.places.select_related("member"):
        change(place.member, leaves_out_hands=True)
    rule(game, "table_talk", team="blue")

    for mail in Mail.objects.select_related("member"):
        shown = rendered(mail)
        assert shown is None or "Your hand:" not in shown.text
        assert shown is None or "?card=" not in shown.html


def test_the_turn_can_be_taken_with_what_the_mail_of_it_says(game):
    """The page of the link is another room's; this holds the mail to what is legal."""
    play(game, 3)
    member = player_on_turn(game)

    cards = {card for data in legal(game, member) if (card := data.get("card"))}

    assert all(f"?card={card}" in letter(mail_of("turn")).html for card in cards)
