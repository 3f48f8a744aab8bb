"""The first page, for members and for strangers."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from games.accounts.models import User
from games.play.models import Game
from games.play.services.proposing import propose_game
from games.play.services.turns import take_turn
from tests.builders import NOW, make_club, make_member
from tests.play.builders import make_game, play_to_the_end, player_on_turn
from tests.play.reading import section, signed_in, url

pytestmark = pytest.mark.django_db


def ask(game, member, act):
    game.refresh_from_db()
    take_turn(game_id=game.pk, member=member, data={"act": act}, expected_version=game.version, now=NOW)


def test_an_offered_draw_waits_for_the_other_team_on_the_start_page():
    game = make_game(2)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member
    ask(game, on_turn, "offer_draw")

    waits = section(signed_in(other).get("/"), "waiting")

    assert url(game) in waits
    assert "A draw is offered: agree or decline." in waits
    ask(game, other, "decline_draw")
    assert url(game) not in section(signed_in(other).get("/"), "waiting")


def test_who_offered_a_draw_does_not_wait_for_the_own_team():
    game = make_game(2)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member
    ask(game, other, "offer_draw")

    assert url(game) not in section(signed_in(other).get("/"), "waiting")
    assert url(game) in section(signed_in(on_turn).get("/"), "waiting")


def test_games_among_bots_are_listed_only_where_there_is_nothing_else():
    club = make_club()
    member = make_member(club).user
    by_bots = play_to_the_end(make_game(2, club=club))
    by_bots.places.update(member=None, is_bot=True)

    assert url(by_bots) in section(signed_in(member).get("/"), "finished")
    by_members = play_to_the_end(make_game(2, club=club))
    elsewhere = play_to_the_end(make_game(2, club=make_club(is_open=True)))

    text = section(signed_in(member).get("/"), "finished")
    assert "Finished lately in your clubs" in text
    assert url(by_members) in text
    assert "30 November 2026" in text
    assert url(by_bots) not in text
    assert url(elsewhere) not in text


def test_the_start_page_shows_what_waits_for_the_viewer_first():
    club = make_club()
    game = make_game(2, club=club)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member

    mine, theirs = signed_in(on_turn).get("/"), signed_in(other).get("/")

    assert section(mine, "waiting").count(url(game)) == 1
    assert url(game) not in section(mine, "running")
    assert url(game) not in section(theirs, "waiting")
    assert section(theirs, "running").count(url(game)) == 1


def test_the_start_page_shows_proposals_of_the_viewers_clubs():
    club, elsewhere = make_club(), make_club(is_open=True)
    member = make_member(club).user
    here = propose_game(proposer=make_member(club).user, club=club, seats=2, now=NOW)
    there = propose_game(proposer=make_member(elsewhere).user, club=elsewhere, seats=2, now=NOW)

    shown = section(signed_in(member).get("/"), "proposals")

    assert url(here) in shown
    assert url(there) not in shown


def test_strangers_see_what_the_site_is_and_games_of_open_clubs_only(settings):
    opened, closed = make_club(is_open=True), make_club()
    shown, hidden = make_game(2, club=opened), make_game(2, club=closed)

    text = Client().get("/").content.decode()

    assert settings.SITE_NAME in text
    assert "/sign-in" in text
    assert url(shown) in text
    assert url(hidden) not in text
    assert opened.name in text
    assert closed.name not in text


def test_turns_with_the_soonest_deadline_stand_first_and_those_without_last():
    club = make_club()
    member = make_member(club).user
    games = [make_game(2, club=club) for _ in range(3)]
    for game, days in zip(games, (None, 3, 1), strict=True):
        game.refresh_from_db()
        game.places.filter(number=game.turn_seat).update(member=member)
        game.deadline = None if days is None else NOW + timedelta(days=days)
        game.save()

    waits = section(signed_in(member).get("/"), "waiting")

    assert sorted(games, key=lambda game: waits.index(f'"{url(game)}"')) == games[::-1]
    assert waits.count("Your turn.") == 3
    assert waits.count("Until") == 2


def test_a_deadline_is_told_as_the_readers_clock_shows_it():
    game = make_game(2)
    member = player_on_turn(game)
    User.objects.filter(pk=member.pk).update(zone="Europe/Stockholm")
    Game.objects.filter(pk=game.pk).update(deadline=datetime(2026, 12, 3, 19, 0, tzinfo=UTC))

    assert "Thursday 3 December, 20:00" in section(signed_in(member).get("/"), "waiting")


def test_a_deadline_of_another_is_not_told_as_ones_own():
    game = make_game(2)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member
    ask(game, on_turn, "offer_draw")
    Game.objects.filter(pk=game.pk).update(deadline=NOW + timedelta(days=1))

    waits = section(signed_in(other).get("/"), "waiting")

    assert "A draw is offered" in waits
    assert "Your turn" not in waits
    assert "Until" not in waits


def test_every_kind_of_thing_that_waits_is_named():
    game = make_game(2, draw_mode="manual")
    member = player_on_turn(game)
    game.places.filter(member=member).update(cards_owed=2, draws_due=1)

    waits = section(signed_in(member).get("/"), "waiting")

    assert "You owe 2 cards for table talk. Your turn. You have a card to draw." in waits


def test_a_seat_that_is_kept_is_shown_with_the_rules_that_joining_agrees_to():
    club = make_club()
    member, host = make_member(club).user, make_member(club).user
    kept = propose_game(
        proposer=host, club=club, seats=2, options={"hands": "open"}, invited={1: member}, now=NOW
    )

    page = signed_in(member).get("/")

    shown = section(page, "kept")
    assert url(kept) in shown
    assert "Hands: open to everybody" in shown
    assert "No clock" in shown
    assert url(kept) not in section(page, "proposals")
    assert url(kept) not in section(signed_in(make_member(club).user).get("/"), "proposals")


def test_the_start_page_takes_the_same_queries_for_many_games(django_assert_max_num_queries):
    club = make_club()
    member = make_member(club).user
    for _ in range(6):
        game = make_game(2, club=club)
        game.refresh_from_db()
        game.places.filter(number=game.turn_seat).update(member=member)
        propose_game(proposer=make_member(club).user, club=club, seats=2, now=NOW)
    client = signed_in(member)

    with django_assert_max_num_queries(22):
        assert client.get("/").status_code == 200


# Open games


def test_open_games_show_what_may_be_joined_with_its_rules_and_others_apart():
    own, opened, closed = make_club(), make_club(is_open=True), make_club()
    member = make_member(own).user
    joinable, elsewhere, hidden = (
        propose_game(
            proposer=make_member(club).user, club=club, seats=2, options={"end": "full_board"}, now=NOW
        )
        for club in (own, opened, closed)
    )
    mine = propose_game(proposer=member, club=own, seats=2, now=NOW)

    page = signed_in(member).get("/games/open")

    assert url(joinable) in section(page, "to-join")
    assert "The game ends: with a full board" in section(page, "to-join")
    assert url(elsewhere) in section(page, "others")
    assert url(hidden) not in page.text
    assert url(mine) not in page.text


def test_strangers_see_open_games_of_open_clubs_and_how_to_join():
    opened, closed = make_club(is_open=True), make_club()
    shown, hidden = (
        propose_game(proposer=make_member(club).user, club=club, seats=2, now=NOW)
        for club in (opened, closed)
    )

    page = Client().get("/games/open")

    assert url(shown) in page.text
    assert url(hidden) not in page.text
    assert "/sign-in?next=/games/open" in page.text


def test_without_an_open_game_the_page_says_what_to_do():
    assert "You can propose one yourself" in signed_in(make_member(make_club()).user).get("/games/open").text
    assert "No open club has a game" in Client().get("/games/open").text


def test_bots_are_told_by_number_and_their_own_games_are_folded_away():
    club = make_club("tuesday", name="Tuesday")
    member = make_member(club).user
    mixed, by_bots = make_game(3, club=club), make_game(3, club=club)
    mixed.places.filter(number__gt=0).update(member=None, is_bot=True)
    by_bots.places.update(member=None, is_bot=True)
    host = mixed.places.get(number=0).member.get_full_name()

    text = section(signed_in(member).get("/clubs/tuesday/"), "running")

    shown, folded = text.split("<summary>Games among bots</summary>")
    assert f'<span class="quiet">{host}, 2 bots</span>' in shown
    assert url(by_bots) not in shown
    assert url(by_bots) in folded
    assert '<span class="quiet">3 bots</span>' in folded
