from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "games.play"
    label = "play"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.mail.kinds import register, register_unsubscribe
        from games.mail.unsubscribing import register_games
        from games.play.mails.kinds import KINDS
        from games.play.services.mailing import name_of_game, quieten, restore

        register(KINDS)
        register_unsubscribe(quieten)
        register_games(name=name_of_game, restore=restore)
