from django.urls import path

from games.accounts import views
from games.accounts.languages import choose_language

urlpatterns = [
    path("language", choose_language, name="language"),
    path("sign-in", views.sign_in, name="sign-in"),
    path("sign-in/code", views.sign_in_code, name="sign-in-code"),
    path("sign-out", views.sign_out, name="sign-out"),
]
