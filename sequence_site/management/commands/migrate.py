from typing import Any

from django.core.management.commands.migrate import Command as DjangoMigrate
from django.db import connections

from sequence_site.roles import app_role, grant_rights


class Command(DjangoMigrate):
    """Django's migrate, and afterwards the rights of the app's role, as the tables then are."""

    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        if options.get("check_unapplied") or options.get("plan"):
            return
        granted = grant_rights(connections[options["database"]])
        if options["verbosity"] > 0:
            self.stdout.write(
                f"Granted {app_role()} its rights."
                if granted
                else self.style.WARNING("Owner and app are one role: only triggers guard the events.")
            )
