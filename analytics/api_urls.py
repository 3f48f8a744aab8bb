from django.urls import path

from analytics.api import GameFactsView

urlpatterns = [path("stats/games/<int:game_id>", GameFactsView.as_view(), name="api-game-facts")]
