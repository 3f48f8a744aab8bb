from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "games.mail"
    label = "mail"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from anymail.signals import tracking

        from games.mail import bounces, digest
        from games.mail.kinds import Kind, register

        register({digest.KIND: Kind(render=digest.render)})
        # Another package's signal: its webhooks say no other way that mail came back.
        tracking.connect(bounces.hear, dispatch_uid="games.mail.bounces")
