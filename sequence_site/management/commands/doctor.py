import sys
from contextlib import ExitStack
from typing import Any

from django.core.management.base import BaseCommand

from sequence_site.diagnosis import SUBJECTS, Finding, Level, bad
from sequence_site.embedded.binaries import MissingBinary
from sequence_site.embedded.servers import ServerFailed
from sequence_site.embedded.stack import embedded_servers


class Command(BaseCommand):
    help = "Look whether this installation can work, and say what to do where it cannot. Exit status 1 if so."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.worst = Level.OK
        with ExitStack() as stack:
            for server in embedded_servers():
                stack.callback(server.stop)
                try:
                    server.start_or_adopt()
                except (ServerFailed, MissingBinary, OSError) as error:
                    self.tell(bad(f"{server.name} cannot be started", str(error)))
            for subject in SUBJECTS:
                for finding in subject():
                    self.tell(finding)
        if self.worst is Level.BAD:
            sys.exit(1)

    def tell(self, finding: Finding) -> None:
        styles = {Level.OK: self.style.SUCCESS, Level.ODD: self.style.WARNING, Level.BAD: self.style.ERROR}
        self.stdout.write(f"{styles[finding.level](f'{finding.level.value:<4}')} {finding.text}")
        if finding.advice:
            self.stdout.write(f"     -> {finding.advice}")
        if finding.level is Level.BAD:
            self.worst = Level.BAD
