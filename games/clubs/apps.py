from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "games.clubs"
    label = "clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Adds the refusals of clubs to the API's table of codes.
        from games.clubs import address_mails, api_problems, mails  # noqa: F401
        from games.mail.kinds import register

        register(mails.KINDS)
        register(address_mails.KINDS)
