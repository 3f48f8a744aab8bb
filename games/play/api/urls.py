from django.urls import path

from games.play.api import editions, events, games, records, rests, seats, turns

GAME = "games/<int:game_id>"

urlpatterns = [
    path("editions", editions.Editions.as_view(), name="api-editions"),
    path("editions/<slug:name>", editions.EditionDetail.as_view(), name="api-edition"),
    path("games", games.Games.as_view(), name="api-games"),
    path(GAME, games.GameDetail.as_view(), name="api-game"),
    path(f"{GAME}/legal", games.Legal.as_view(), name="api-legal"),
    path(f"{GAME}/seats", seats.Seats.as_view(), name="api-seats"),
    path(f"{GAME}/seats/<slug:letter>", seats.SeatDetail.as_view(), name="api-seat"),
    path(
        f"{GAME}/seats/<slug:letter>/invitation",
        seats.SeatInvitation.as_view(),
        name="api-seat-invitation",
    ),
    path(f"{GAME}/bots", seats.Bots.as_view(), name="api-bots"),
    path(f"{GAME}/turns", turns.Turns.as_view(), name="api-turns"),
    path(f"{GAME}/rulings", turns.Rulings.as_view(), name="api-rulings"),
    path(f"{GAME}/events", events.Events.as_view(), name="api-events"),
    path(f"{GAME}/tenures", events.Tenures.as_view(), name="api-tenures"),
    path(f"{GAME}/record", records.RecordDetail.as_view(), name="api-record"),
    path(f"{GAME}/deal", records.DealDetail.as_view(), name="api-deal"),
    path("me/leaves", rests.Leaves.as_view(), name="api-leaves"),
    path("me/leaves/<int:leave_id>", rests.LeaveDetail.as_view(), name="api-leave"),
    path("clubs/<slug:slug>/holidays", rests.Holidays.as_view(), name="api-holidays"),
    path("clubs/<slug:slug>/holidays/<int:holiday_id>", rests.HolidayDetail.as_view(), name="api-holiday"),
    path("records", records.Records.as_view(), name="api-records"),
    path("records/check", records.RecordCheck.as_view(), name="api-record-check"),
]
