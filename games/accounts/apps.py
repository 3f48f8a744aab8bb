from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "games.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Registers how the API's sign-in is described in the OpenAPI schema.
        from games.accounts import api_schema  # noqa: F401
