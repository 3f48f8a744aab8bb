from django.urls import path

from games.mail import views

urlpatterns = [path("mail/unsubscribe/<str:token>", views.unsubscribe, name="unsubscribe")]
