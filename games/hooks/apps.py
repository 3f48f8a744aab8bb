from django.apps import AppConfig


class HooksConfig(AppConfig):
    name = "games.hooks"
    label = "hooks"
    default_auto_field = "django.db.models.BigAutoField"
