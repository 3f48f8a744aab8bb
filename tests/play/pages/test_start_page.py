"""The first page, for members and for strangers."""

import pytest
from django.test import Client

from games.play.services.proposing import propose_game
from tests.builders import NOW, make_club, make_member
from tests.play.builders import make_game, play_to_the_end, player_on_turn
from tests.play.reading import play, section, signed_in, url

pytestmark = pytest.mark.django_db


def test_an_offered_draw_waits_for_the_other_team_on_the_start_page():
    game = make_game(2)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member
    play(signed_in(on_turn), game, "offer_draw")

    waits = section(signed_in(other).get("/"), "waiting")

    assert url(game) in waits
    assert "a draw is offered" in waits
    play(signed_in(other), game, "decline_draw")
    assert url(game) not in section(signed_in(other).get("/"), "waiting")


def test_who_offered_a_draw_does_not_wait_for_the_own_team():
    game = make_game(2)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member
    play(signed_in(other), game, "offer_draw")

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
