from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "games.play"
    label = "play"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.mail.kinds import register, register_unsubscribe
        from games.play.mails.kinds import KINDS
        from games.play.services.mailing import quieten

        register(KINDS)
        register_unsubscribe(quieten)
