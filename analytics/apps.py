from django.apps import AppConfig


class AnalyticsConfig(AppConfig):
    name = "analytics"
    label = "analytics"
    default_auto_field = "django.db.models.BigAutoField"
