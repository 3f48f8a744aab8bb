from django.urls import path

from games.clubs import views

urlpatterns = [
    path("invitations/<str:code>", views.invitation, name="invitation"),
]
