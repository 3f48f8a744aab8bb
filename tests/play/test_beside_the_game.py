"""What stands beside a game on its page: notes, mail about it, news, the next game, time."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from games.clubs.models import Club
from games.play.models import Game, GameCadence, Note
from games.play.services import mailing, noting
from games.play.services.locking import GameNotFound
from games.play.services.proposing import propose_game
from tests.builders import NOW, make_club, make_member
from tests.play.builders import make_game, play_one, play_to_the_end, player_on_turn
from tests.play.reading import Page, section, signed_in, url

pytestmark = pytest.mark.django_db


def waits_in(game):
    """Return the member of a game of two who is not on turn."""
    return game.places.exclude(member=player_on_turn(game)).get().member


def test_a_note_is_written_shown_to_the_table_and_escaped():
    game = make_game(2)
    writer = player_on_turn(game)

    answer = signed_in(writer).post(f"{url(game)}/notes", {"text": "  Good <b>luck</b>\nto  all "})

    assert answer["Location"] == f"{url(game)}#notes"
    assert Note.objects.get().text == "Good <b>luck</b> to all"
    shown = signed_in(waits_in(game)).get(url(game)).text
    assert "Good &lt;b&gt;luck&lt;/b&gt; to all" in shown
    assert writer.get_full_name() in section(signed_in(waits_in(game)).get(url(game)), "notes-title")


@pytest.mark.parametrize(
    ("text", "words"), [("  ", "Write something first."), ("x" * 281, "at most 280 characters")]
)
def test_a_note_that_is_refused_keeps_its_words(text, words):
    game = make_game(2)

    answer = signed_in(player_on_turn(game)).post(f"{url(game)}/notes", {"text": text})

    assert answer.status_code == 422
    assert words in answer.text
    assert text.strip() in answer.text
    assert not Note.objects.exists()


def test_only_who_plays_writes_notes():
    game = make_game(2, club=make_club(is_open=True))
    watcher = make_member(game.club).user

    assert signed_in(watcher).post(f"{url(game)}/notes", {"text": "Hello"}).status_code == 422
    assert Client().post(f"{url(game)}/notes", {"text": "Hello"})["Location"].startswith("/sign-in")
    hidden = make_game(2)
    assert signed_in(watcher).post(f"{url(hidden)}/notes", {"text": "Hello"}).status_code == 404
    assert signed_in(watcher).post("/games/999999/notes", {"text": "Hello"}).status_code == 404
    assert "A short note" not in signed_in(watcher).get(url(game)).text
    assert not Note.objects.exists()


def test_a_club_may_play_without_notes():
    game = make_game(2)
    member = player_on_turn(game)
    noting.write_note(member=member, game_id=game.pk, text="Hello", now=NOW)
    Club.objects.filter(pk=game.club_id).update(has_notes=False)

    page = signed_in(member).get(url(game))
    answer = signed_in(member).post(f"{url(game)}/notes", {"text": "Once more"})

    assert "Notes to the table" not in page.text
    assert "Hello" not in page.text
    assert (answer.status_code, Note.objects.count()) == (422, 1)
    assert "This club plays without notes." in answer.text


def test_no_more_than_ten_notes_an_hour_are_let_through():
    game = make_game(2)
    member = player_on_turn(game)
    for minute in range(10):
        noting.write_note(
            member=member, game_id=game.pk, text=str(minute), now=NOW + timedelta(minutes=minute)
        )

    with pytest.raises(noting.TooManyNotes):
        noting.write_note(member=member, game_id=game.pk, text="more", now=NOW + timedelta(minutes=59))
    noting.write_note(member=waits_in(game), game_id=game.pk, text="mine", now=NOW + timedelta(minutes=59))
    noting.write_note(member=member, game_id=game.pk, text="later", now=NOW + timedelta(minutes=61))

    assert Note.objects.count() == 12


def test_notes_begin_with_the_game():
    member = make_member(make_club()).user
    game = propose_game(proposer=member, club=member.memberships.get().club, seats=2, now=NOW)

    with pytest.raises(noting.NotesRefused, match="begun"):
        noting.write_note(member=member, game_id=game.pk, text="Who joins?", now=NOW)


def test_a_note_is_deleted_by_its_author_only():
    game = make_game(2)
    member, other = player_on_turn(game), waits_in(game)
    note = noting.write_note(member=member, game_id=game.pk, text="Hello", now=NOW)
    path = f"{url(game)}/notes/{note.pk}/delete"
    assert path in signed_in(member).get(url(game)).text
    assert path not in signed_in(other).get(url(game)).text

    assert signed_in(other).post(path).status_code == 404
    assert signed_in(member).get(path).status_code == 405
    assert signed_in(member).post(path).status_code == 302

    assert not Note.objects.exists()


def test_mail_about_one_game_comes_as_often_as_its_player_wants():
    game = make_game(2)
    client = signed_in(player_on_turn(game))

    assert client.post(f"{url(game)}/mailing", {"cadence": "daily"}).status_code == 302
    assert GameCadence.objects.get().cadence == "daily"
    assert '<option value="daily" selected>' in client.get(url(game)).text
    assert client.post(f"{url(game)}/mailing", {"cadence": "hourly"}).status_code == 400
    client.post(f"{url(game)}/mailing", {"cadence": "at_once"})
    assert GameCadence.objects.get().cadence == "at_once"
    client.post(f"{url(game)}/mailing", {"cadence": ""})

    assert not GameCadence.objects.exists()


def test_who_does_not_play_sets_no_mail():
    game = make_game(2, club=make_club(is_open=True))
    watcher = make_member(game.club).user

    with pytest.raises(GameNotFound):
        mailing.set_game_cadence(member=watcher, game_id=game.pk, cadence="daily")

    assert signed_in(watcher).post(f"{url(game)}/mailing", {"cadence": "daily"}).status_code == 404


def test_news_are_nothing_until_the_game_moves_on():
    game = make_game(2)
    client = signed_in(waits_in(game))
    address = f"{url(game)}/news?version={game.version}"
    assert address in client.get(url(game)).text
    before = client.get(address)

    play_one(game)
    after = client.get(address)

    assert (before.status_code, before.content) == (204, b"")
    assert after.status_code == 200
    assert "It is your turn." in after.text
    assert after["HX-Replace-Url"] == url(game)


def test_news_are_for_those_who_see_the_game():
    game = make_game(2)
    stranger = make_member(make_club()).user

    assert signed_in(stranger).get(f"{url(game)}/news?version=1").status_code == 404
    assert Client().get(f"{url(game)}/news?version=1").status_code == 404


def test_nothing_is_asked_for_on_the_own_turn_and_after_the_end():
    game = make_game(2)
    assert 'id="poll"' not in signed_in(player_on_turn(game)).get(url(game)).text

    play_to_the_end(game)

    assert 'id="poll"' not in signed_in(game.places.first().member).get(url(game)).text


def test_asking_for_news_is_cheap(django_assert_max_num_queries):
    game = make_game(2)
    client = signed_in(waits_in(game))

    with django_assert_max_num_queries(3):
        client.get(f"{url(game)}/news?version={game.version}")


def test_after_a_turn_the_next_game_is_the_one_with_the_soonest_deadline():
    club = make_club()
    member = make_member(club).user
    games = [make_game(2, club=club) for _ in range(3)]
    for game, hours in zip(games, (None, 48, 24), strict=True):
        seat = game.places.get(number=game.turn_seat)
        game.places.filter(pk=seat.pk).update(member=member)
        deadline = None if hours is None else NOW + timedelta(hours=hours)
        Game.objects.filter(pk=game.pk).update(name=f"within {hours}", deadline=deadline)
    client = signed_in(member)
    assert "Next game" not in client.get(url(games[0])).text

    play_one(games[0])
    assert "Next game: within 24" in client.get(url(games[0])).text
    play_one(games[2])
    assert "Next game: within 48" in client.get(url(games[0])).text
    play_one(games[1])

    assert "Next game" not in client.get(url(games[0])).text
    assert '<a class="button" href="/">My turns</a>' in client.get(url(games[0])).text


def test_the_deadline_is_told_in_the_zone_of_the_reader():
    game = make_game(2)
    member = player_on_turn(game)
    member.zone = "Europe/Stockholm"
    member.save()
    Game.objects.filter(pk=game.pk).update(deadline=datetime(2026, 12, 3, 19, 0, tzinfo=UTC))

    text = signed_in(member).get(url(game)).text

    assert "Until Thursday 3 December, 20:00" in text
    assert "(Europe/Stockholm)" in text


def test_without_a_clock_no_time_is_told():
    game = make_game(2)

    assert "until" not in section(signed_in(player_on_turn(game)).get(url(game)), "turn").split("</div>")[0]


def test_a_seat_shows_what_it_has_in_reserve():
    game = make_game(2)
    Game.objects.filter(pk=game.pk).update(turn_hours=72, bank_hours=48)
    game.places.filter(number=0).update(bank_seconds=48 * 3600)
    game.places.filter(number=1).update(bank_seconds=5 * 3600)

    seats = section(signed_in(player_on_turn(game)).get(url(game)), "seats-title")

    assert "2 days in reserve" in seats
    assert "5 hours in reserve" in seats


def test_with_three_seats_it_is_told_who_comes_next():
    game = make_game(3)
    names = [seat.member.get_full_name() for seat in game.places.order_by("number")]
    on_turn = player_on_turn(game)

    mine = signed_in(on_turn).get(url(game)).text
    following = game.places.get(number=(game.turn_seat + 1) % 3)

    assert f"Then {names[following.number]}." in mine
    assert "Then it is your turn." in signed_in(following.member).get(url(game)).text


def test_a_finished_game_offers_a_rematch_to_its_players():
    game = play_to_the_end(make_game(2, club=make_club(is_open=True)))
    link = f'href="/games/new?rematch={game.pk}"'

    assert link in signed_in(game.places.first().member).get(url(game)).text
    assert link not in signed_in(make_member(game.club).user).get(url(game)).text


def test_a_full_page_of_a_player_needs_eight_queries_at_most(django_assert_max_num_queries):
    club = make_club()
    running, over = make_game(2, club=club), play_to_the_end(make_game(2, club=club))
    for game in (running, over):
        for seat in game.places.all():
            noting.write_note(member=seat.member, game_id=game.pk, text="Hello", now=NOW)

    for game in (running, over):
        for seat in game.places.all():
            client = signed_in(seat.member)
            with django_assert_max_num_queries(8):
                client.get(url(game))


def test_an_answer_that_refuses_tells_the_address_to_come_back_to():
    game = make_game(2)
    client = signed_in(player_on_turn(game))
    form = Page(client.get(url(game))).form_with("choice")

    answer = client.post(form.action, form.fields | {"choice": "pass"})

    assert answer["HX-Replace-Url"] == url(game)
    assert "HX-Replace-Url" not in client.get(url(game)).headers
