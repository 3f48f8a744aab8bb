from django.urls import path

from games.clubs import api

urlpatterns = [
    path("clubs", api.Clubs.as_view(), name="api-clubs"),
    path("clubs/<slug:slug>", api.ClubDetail.as_view(), name="api-club"),
    path("clubs/<slug:slug>/members", api.Members.as_view(), name="api-members"),
    path("clubs/<slug:slug>/members/<uuid:uuid>", api.MemberDetail.as_view(), name="api-member"),
    path("clubs/<slug:slug>/invitations", api.Invitations.as_view(), name="api-invitations"),
    path("invitations/accept", api.AcceptInvitation.as_view(), name="api-accept-invitation"),
]
