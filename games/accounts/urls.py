from django.urls import path

from games.accounts import views

urlpatterns = [
    path("sign-in", views.sign_in, name="sign-in"),
    path("sign-in/code", views.sign_in_code, name="sign-in-code"),
    path("sign-out", views.sign_out, name="sign-out"),
]
