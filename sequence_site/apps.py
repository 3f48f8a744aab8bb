from django.apps import AppConfig


class SequenceSiteConfig(AppConfig):
    """The wiring as an app, so that its commands (demo, doctor, migrate) are found."""

    name = "sequence_site"
