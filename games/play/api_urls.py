from django.urls import path

from games.play import api_editions, api_events, api_games, api_records, api_seats, api_turns

GAME = "games/<int:game_id>"

urlpatterns = [
    path("editions", api_editions.Editions.as_view(), name="api-editions"),
    path("editions/<slug:name>", api_editions.EditionDetail.as_view(), name="api-edition"),
    path("games", api_games.Games.as_view(), name="api-games"),
    path(GAME, api_games.GameDetail.as_view(), name="api-game"),
    path(f"{GAME}/legal", api_games.Legal.as_view(), name="api-legal"),
    path(f"{GAME}/seats", api_seats.Seats.as_view(), name="api-seats"),
    path(f"{GAME}/seats/<slug:letter>", api_seats.SeatDetail.as_view(), name="api-seat"),
    path(
        f"{GAME}/seats/<slug:letter>/invitation",
        api_seats.SeatInvitation.as_view(),
        name="api-seat-invitation",
    ),
    path(f"{GAME}/bots", api_seats.Bots.as_view(), name="api-bots"),
    path(f"{GAME}/turns", api_turns.Turns.as_view(), name="api-turns"),
    path(f"{GAME}/rulings", api_turns.Rulings.as_view(), name="api-rulings"),
    path(f"{GAME}/events", api_events.Events.as_view(), name="api-events"),
    path(f"{GAME}/tenures", api_events.Tenures.as_view(), name="api-tenures"),
    path(f"{GAME}/record", api_records.RecordDetail.as_view(), name="api-record"),
    path(f"{GAME}/deal", api_records.DealDetail.as_view(), name="api-deal"),
    path("records", api_records.Records.as_view(), name="api-records"),
    path("records/check", api_records.RecordCheck.as_view(), name="api-record-check"),
]
