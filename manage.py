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

    from django.core.management import execute_from_command_line

    from sequence_site.embedded.stack import servers_for

    with servers_for(command):
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
