from django.urls import path

from games.play.pages import about, calendar, club, game, proposals, settings, start, table

urlpatterns = [
    path("", start.start, name="start"),
    path("clubs/<slug:slug>/", club.club, name="club"),
    path("calendar/<str:token>.ics", calendar.calendar, name="calendar"),
    path("rules", about.rules, name="rules"),
    path("settings", settings.settings_page, name="settings"),
    path("games/new", proposals.new_game, name="new-game"),
    path("games/<int:game_id>", game.game, name="game"),
    path("games/<int:game_id>/act", game.take_action, name="game-act"),
    path("games/<int:game_id>/resign", game.resign, name="game-resign"),
    path("games/<int:game_id>/table", table.change_table, name="game-table"),
]
