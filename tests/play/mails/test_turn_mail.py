"""The mail that says whose turn it is: its words, their order, and when it is not sent any more."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from games.accounts.models import Cadence
from games.mail.kinds import KINDS
from games.mail.outbox import Draft, enqueue
from games.mail.unsubscribing import unsubscribe_url
from games.play.mails.pieces import MOST_SENTENCES
from games.play.models import Game, GameCadence
from games.play.services.mailing import quieten, set_game_cadence
from games.play.services.substituting import offer_seat
from tests.builders import NOW, make_member
from tests.mails import letter, rendered, section
from tests.play.builders import player_on_turn
from tests.play.mails.table import (
    change,
    hand_of,
    hand_words,
    mail_of,
    play,
    post_game,
    rule,
    turn_letter,
    view_of_turn,
    words_of,
)

pytestmark = pytest.mark.django_db

DEADLINE = datetime(2026, 12, 3, 19, 0, tzinfo=UTC)


@pytest.fixture
def game():
    return post_game()


def set_deadline(game: Game, deadline: datetime | None = DEADLINE) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=deadline, turn_hours=72)


def in_order(text: str, *parts: str) -> bool:
    """Tell whether each part stands somewhere behind the one before it."""
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at == -1:
            return False
    return True


def history_in(text: str) -> list[str]:
    return re.findall(r"^- (.*)$", text.split("     a ", maxsplit=1)[0], re.MULTILINE)


def test_the_turn_and_its_end_are_told_in_the_zone_of_the_reader(game):
    play(game, 5)
    set_deadline(game)

    shown = turn_letter(game)

    told = "Your turn, turn 6, until Thursday 3 December, 20:00 (Europe/Stockholm)."
    assert told in shown.text.replace("\n", " ")
    assert told in words_of(shown.html)


def test_the_turn_number_stands_in_the_preheader_and_not_in_the_subject(game):
    play(game, 16)

    shown = turn_letter(game)

    assert shown.subject == "Your turn: Four by post"
    preheader = re.search(r'<div class="preheader"[^>]*>(.*?)</div>', shown.html)
    assert preheader is not None
    assert preheader[1] == "Your turn, turn 17."


def test_subject_and_thread_stay_the_same_through_a_game_and_differ_by_seat(game):
    first = turn_letter(game)
    play(game, 1)
    other = turn_letter(game)
    play(game, 3)
    again = turn_letter(game)

    assert (first.subject, first.thread) == (again.subject, again.thread)
    assert other.thread != first.thread
    assert first.list_id == game.club.slug


def test_without_a_clock_nothing_is_said_of_time(game):
    play(game, 5)

    assert "until" not in turn_letter(game).text.split("Since")[0]


def test_while_the_clock_stands_no_end_is_told(game):
    play(game, 5)
    set_deadline(game)
    mail = mail_of("turn")
    rule(game, "pause", reason="Storm.")
    set_deadline(game)

    shown = letter(mail)

    assert "until Thursday" not in shown.text
    assert "The clock stands just now." in shown.text


@pytest.mark.parametrize(
    ("utc", "told"),
    [
        # Clocks go back on 25 October 2026 and forward on 28 March 2027.
        (datetime(2026, 10, 24, 18, 0, tzinfo=UTC), "Saturday 24 October, 20:00"),
        (datetime(2026, 10, 25, 19, 0, tzinfo=UTC), "Sunday 25 October, 20:00"),
        (datetime(2027, 3, 27, 19, 0, tzinfo=UTC), "Saturday 27 March, 20:00"),
        (datetime(2027, 3, 28, 18, 0, tzinfo=UTC), "Sunday 28 March, 20:00"),
    ],
)
def test_a_deadline_is_right_on_both_sides_of_a_change_of_clocks(game, utc, told):
    set_deadline(game, utc)

    assert f"{told} (Europe/Stockholm)" in turn_letter(game).text.replace("\n", " ")


def test_the_parts_of_the_mail_stand_in_their_order(game):
    play(game, 10)
    set_deadline(game)
    seen, shown = view_of_turn(game), turn_letter(game)
    first_card = next(iter(hand_words(seen).values())).split()[0]

    head_hash = bytes(game.head_hash).hex()
    last = ("Your settings for mail", "Fewer mails like this one", head_hash)
    assert in_order(
        shown.text, "Four by post", "Your turn, turn 11", "Since your last turn", "  a ", "Your hand"
    )
    assert in_order(shown.text, "Your hand", first_card, "Take your turn", *last)
    html = shown.html.split("</div>", 1)[1]
    assert in_order(
        html, "Four by post", "Your turn, turn 11", "Since your last turn", "cid:board", "Your hand"
    )
    assert in_order(html[html.find("Your hand") :], first_card, "button-link", *last)
    assert html.count("button-link") == 1


def test_both_parts_say_the_same(game):
    play(game, 10)
    seen, shown = view_of_turn(game), turn_letter(game)

    html = words_of(shown.html)

    assert seen.view is not None
    for line in shown.text.split("\n-- ")[0].split("     a ")[0].splitlines():
        assert line.removeprefix("- ").rstrip(":") in html
    for card in hand_words(seen).values():
        assert card in html
        assert card in shown.text


def test_four_sentences_of_history_at_most_and_how_many_more():
    game = post_game(8)
    play(game, 8)

    shown = turn_letter(game)

    told = history_in(shown.text)
    assert len(told) == MOST_SENTENCES + 1
    assert all(" played the " in sentence for sentence in told[:-1])
    assert told[-1] == "and 3 more"
    assert "<li>and 3 more</li>" in re.sub(r"<li[^>]*>", "<li>", shown.html)


def test_history_begins_after_the_own_last_turn_with_the_newest():
    game = post_game(2)
    play(game, 4)
    seen = view_of_turn(game)
    last = seen.loaded.events[-1]

    told = history_in(turn_letter(game).text)

    assert len(told) == 1
    assert seen.loaded.rules.board.names[last.space] in told[0]
    assert told[0].startswith("Anna Berg" if last.seat == 0 else "Bram Kok")


def test_the_own_first_turn_tells_all_so_far(game):
    play(game, 2)

    text = turn_letter(game).text

    assert "So far:\n- " in text
    assert "Since your last turn" not in text
    assert "The cards were dealt." in text


def test_each_card_is_a_link_to_the_page_of_the_turn_that_only_picks_it(game):
    play(game, 3)
    seen, shown = view_of_turn(game), turn_letter(game)

    link = re.search(r"^ (http://localhost:8000/t/\S+)$", shown.text, re.MULTILINE)
    assert link is not None
    for card in hand_words(seen):
        assert f'href="{link[1]}?card={card}"' in shown.html
    assert shown.text.count("/t/") == 1


def test_dead_cards_and_jacks_have_a_note():
    notes = set()
    game = post_game(2)
    for _ in range(60):
        play(game, 1)
        if game.turn_seat is None:
            break
        seen, shown = view_of_turn(game), turn_letter(game)
        for card, told in hand_words(seen).items():
            assert told in shown.text.replace("\n", " ")
            notes.add(told.partition(" ")[2])
            assert f"?card={card}" in shown.html
    assert {"", "dead", "place anywhere", "remove a chip"} >= notes
    assert notes & {"place anywhere", "remove a chip"}


def test_who_wants_text_only_gets_the_board_as_text_and_no_picture(game):
    change(player_on_turn(game), wants_text_only=True)

    shown = turn_letter(game)

    assert (shown.html, shown.pictures) == ("", ())
    assert " 10 **" in shown.text
    assert "Your hand:" in shown.text
    assert "http://localhost:8000/t/" in shown.text


def test_the_board_in_the_text_is_no_wider_than_it_may_be(game):
    play(game, 12)

    for line in turn_letter(game).text.splitlines():
        # Suit signs are followed by a selector that takes no room.
        assert len(line.replace("\ufe0e", "")) <= 72 or "http" in line


def test_hands_are_left_out_for_who_wants_that(game):
    member = player_on_turn(game)
    change(member, leaves_out_hands=True)

    shown = turn_letter(game)

    assert "Your hand:" not in shown.text
    assert "?card=" not in shown.html
    assert "you asked for mails without it" in words_of(shown.html)
    assert shown.html.count("/t/") == 2  # the button, and the board
    assert "Take your turn" in shown.text


def test_the_mail_of_the_first_turn_tells_of_the_beginning():
    game = post_game(2, lines_to_win=1)
    Game.objects.filter(pk=game.pk).update(turn_hours=72, rests_at_weekends=True, deadline=DEADLINE)

    shown = turn_letter(game)

    for part in (
        "The game has begun.",
        "Seat A: ",
        "Seat B: ",
        "you (",
        "Lines to win: 1",
        "3 days for each turn.",
        "The clock rests on Saturdays and Sundays.",
        "When the time runs out: an organiser decides (R22).",
        game.seal,
    ):
        assert part in shown.text
        assert part in words_of(shown.html)
    assert "Since your last turn" not in shown.text
    assert "lines_to_win" not in shown.text


def test_later_mails_do_not_tell_of_the_beginning(game):
    play(game, 1)

    assert "The game has begun" not in turn_letter(game).text


def test_a_turn_that_was_played_meanwhile_is_not_mailed(game):
    mail = mail_of("turn")
    assert rendered(mail) is not None

    play(game, 1)

    assert rendered(mail) is None
    assert section(mail) is None


def test_a_seat_that_was_handed_over_is_not_mailed_to_who_left_it(game):
    mail = mail_of("turn")
    substitute = make_member(game.club).user

    rule(game, "replace", seat="ABCD"[game.turn_seat], member=str(substitute.uuid), substitute=substitute)

    assert rendered(mail) is None
    again = mail_of("turn")
    assert again.member == substitute
    assert "Your turn, turn 1" in letter(again).text


def test_a_game_that_is_over_is_not_mailed(game):
    mail = mail_of("turn")

    rule(game, "rule", winner="draw", reason="Agreed.")

    assert rendered(mail) is None


def test_a_turn_that_a_bot_plays_is_not_mailed(game):
    Game.objects.filter(pk=game.pk).update(expiry="bot")
    mail = mail_of("turn")

    rule(game, "expire")

    assert rendered(mail) is None


def test_the_board_is_that_of_the_version_the_mail_was_written_at(game):
    play(game, 3)
    mail = mail_of("turn")
    before = letter(mail)
    rule(game, "table_talk", team="blue")

    again = letter(mail)

    assert again.pictures == before.pictures
    assert f"event {mail.refs['version']}:" in again.text
    assert again.text == before.text


def test_rendering_a_mail_twice_gives_the_same_mail(game):
    play(game, 3)

    assert turn_letter(game) == turn_letter(game)


def test_a_mail_shows_the_own_hand_and_no_other(game):
    play(game, 7)
    own = hand_of(game, game.turn_seat)

    shown = turn_letter(game)

    assert sorted(re.findall(r"\?card=(\w+)", shown.html)) == sorted(own)
    hand = shown.text.split("Your hand:")[1].split("Take your turn")[0]
    assert hand.count("\ufe0e") == len(own)


def test_the_name_of_a_game_cannot_become_markup():
    game = post_game(2, name="<b>Tea & cards</b>")

    shown = turn_letter(game)

    assert "<b>Tea" not in shown.html
    assert "&lt;b&gt;Tea &amp; cards&lt;/b&gt;" in shown.html
    assert "<b>Tea & cards</b>" in shown.text


def test_a_digest_tells_the_turn_in_short(game):
    play(game, 9)
    set_deadline(game)

    told = section(mail_of("turn"))

    assert told is not None
    assert told.title == "Four by post"
    assert told.lines[0].startswith("Your turn, turn 10, until Thursday 3 December, 20:00")
    assert len(told.lines) == 4
    assert (told.action, told.link[:25]) == ("Take your turn", "http://localhost:8000/t/" + told.link[24])


def test_cadence_is_the_members_own_but_for_games_that_have_another(game):
    mail = mail_of("turn")
    cadence = KINDS["turn"].cadence
    assert cadence is not None
    change(mail.member, cadence=Cadence.COALESCED)

    usual = cadence(mail)
    set_game_cadence(member=mail.member, game_id=game.pk, cadence=Cadence.DAILY)
    own = cadence(mail)
    set_game_cadence(member=mail.member, game_id=game.pk, cadence="")

    assert (usual, own, cadence(mail)) == ("coalesced", "daily", "coalesced")


def test_fewer_mails_of_one_game_means_a_daily_digest_of_it(game):
    member = player_on_turn(game)

    quieten(member, game.pk)
    quieten(member, game.pk)
    quieten(member, 10**6)

    assert [(row.game, row.cadence) for row in GameCadence.objects.all()] == [(game, "daily")]
    assert unsubscribe_url(member, game.pk) in turn_letter(game).text
    assert turn_letter(game).unsubscribe == unsubscribe_url(member, game.pk)


def test_fewer_mails_of_all_games_leaves_none_at_once(game):
    member = player_on_turn(game)
    set_game_cadence(member=member, game_id=game.pk, cadence=Cadence.AT_ONCE)

    quieten(member, None)

    assert GameCadence.objects.get().cadence == "daily"


def test_a_member_who_changes_zone_is_told_in_the_new_one(game):
    set_deadline(game)
    change(player_on_turn(game), zone="America/New_York")

    assert "14:00 (America/New_York)" in turn_letter(game).text.replace("\n", " ")


def test_a_reminder_tells_the_end_and_shows_the_board(game):
    play(game, 5)
    set_deadline(game)
    refs = {"game": game.pk, "seat": game.turn_seat, "number": 6, "version": game.version}
    member = player_on_turn(game)
    for percent in (50, 85):
        key = f"reminder:{game.uuid}:6:{'ABCD'[game.turn_seat]}:{percent}"
        enqueue([Draft(key, "reminder", member.pk, refs={**refs, "percent": percent})], now=NOW)

    half, last = mail_of("reminder", percent=50), mail_of("reminder", percent=85)

    assert rendered(half) is None  # the other goes as well
    shown = letter(last)
    assert shown.subject == "Reminder, it is your turn: Four by post"
    told = "most of its time is used. Your turn, turn 6, until Thursday 3 December, 20:00 (Europe/Stockholm)"
    assert told in shown.text.replace("\n", " ")
    assert shown.pictures
    assert shown.thread == turn_letter(game).thread
    last.delete()
    assert "half of its time is used" in letter(half).text
    assert rendered(half, DEADLINE + timedelta(seconds=1)) is None
    play(game, 1)
    assert rendered(half) is None


def test_an_offered_seat_changes_nothing_for_its_holder_until_it_is_taken(game):
    mail = mail_of("turn")
    organiser = game.club.memberships.get(role="organiser").user

    offer_seat(
        organiser=organiser,
        game_id=game.pk,
        seat=game.turn_seat,
        member=make_member(game.club).user,
        now=NOW,
    )

    assert rendered(mail) is not None
