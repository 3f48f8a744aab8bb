#!/usr/bin/env python
"""Run a management command, with the embedded servers where no others are configured."""

import os
import sys

# The commands that own the schema. Every other command is the app, which cannot change an event.
OWNER_COMMANDS = {"migrate", "makemigrations", "sqlmigrate", "flush", "test"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sequence_site.settings")
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command in OWNER_COMMANDS:
        os.environ["DATABASE_ROLE"] = "owner"

    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from environs import EnvError

    from sequence_site.embedded.binaries import MissingBinary
    from sequence_site.embedded.servers import ServerFailed
    from sequence_site.embedded.stack import servers_for

    try:
        with servers_for(command):
            execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, EnvError, MissingBinary, ServerFailed) as error:
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)  # as shells name it: Ctrl-C is a wish, and no fault to show the trace of
