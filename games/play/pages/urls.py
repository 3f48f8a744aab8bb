from django.urls import path

from games.play.pages import game, table, views

urlpatterns = [
    path("", views.start, name="start"),
    path("clubs/<slug:slug>/", views.club, name="club"),
    path("rules", views.rules, name="rules"),
    path("games/new", views.new_game, name="new-game"),
    path("games/<int:game_id>", game.game, name="game"),
    path("games/<int:game_id>/act", game.take_action, name="game-act"),
    path("games/<int:game_id>/resign", game.resign, name="game-resign"),
    path("games/<int:game_id>/table", table.change_table, name="game-table"),
]
