from django.urls import path

from games.accounts import api

urlpatterns = [
    path("auth/codes", api.Codes.as_view(), name="api-codes"),
    path("auth/tokens", api.Tokens.as_view(), name="api-tokens"),
    path("auth/tokens/<uuid:public_id>", api.TokenDetail.as_view(), name="api-token"),
    path("auth/sign-out", api.SignOut.as_view(), name="api-sign-out"),
    path("me", api.Me.as_view(), name="api-me"),
]
