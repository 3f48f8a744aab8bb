from django.urls import path

from games.play.pages import about, calendar, club, start
from games.play.pages.game import beside, by_link, table
from games.play.pages.game import page as game
from games.play.pages.organise import club as organise
from games.play.pages.organise import game as organise_game
from games.play.pages.organise import member as organise_member
from games.play.pages.proposing import page as proposals
from games.play.pages.settings import address
from games.play.pages.settings import page as settings

urlpatterns = [
    path("t/<str:token>/links", by_link.mail_links, name="mail-links"),
    path("t/<path:token>", by_link.turn_link, name="turn-link"),
    path("links", by_link.fresh_links, name="fresh-links"),
    path("", start.start, name="start"),
    path("clubs/<slug:slug>/", club.club, name="club"),
    path("calendar/<str:token>.ics", calendar.calendar, name="calendar"),
    path("clubs/<slug:slug>/organise", organise.organise, name="club-organise"),
    path(
        "clubs/<slug:slug>/organise/games/<int:game_id>",
        organise_game.organise_game,
        name="organise-game",
    ),
    path(
        "clubs/<slug:slug>/organise/members/<uuid:uuid>",
        organise_member.organise_member,
        name="organise-member",
    ),
    path("rules", about.rules, name="rules"),
    path("settings", settings.settings_page, name="settings"),
    path("settings/confirm/<str:token>", address.confirm_address, name="confirm-address"),
    path("games/open", start.open_games, name="open-games"),
    path("games/new", proposals.new_game, name="new-game"),
    path("games/<int:game_id>", game.game, name="game"),
    path("games/<int:game_id>/act", game.take_action, name="game-act"),
    path("games/<int:game_id>/news", beside.news, name="game-news"),
    path("games/<int:game_id>/notes", beside.write_note, name="game-notes"),
    path("games/<int:game_id>/notes/<int:note_id>/delete", beside.delete_note, name="game-note"),
    path("games/<int:game_id>/mailing", beside.set_mailing, name="game-mailing"),
    path("games/<int:game_id>/resign", game.resign, name="game-resign"),
    path("games/<int:game_id>/table", table.change_table, name="game-table"),
]
