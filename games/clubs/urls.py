from django.urls import path

from games.clubs import views

urlpatterns = [
    path("clubs/new", views.new_club, name="new-club"),
    path("clubs/<slug:slug>/invitations", views.invite, name="club-invite"),
    path("clubs/<slug:slug>/leave", views.leave, name="club-leave"),
    path("invitations/<str:code>", views.invitation, name="invitation"),
]
