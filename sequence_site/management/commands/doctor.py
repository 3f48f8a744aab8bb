import sys
import time
from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from sequence_site.diagnosis import SUBJECTS, Finding, Level, bad
from sequence_site.embedded.binaries import MissingBinary
from sequence_site.embedded.servers import ServerFailed
from sequence_site.embedded.stack import embedded_servers
from sequence_site.running import RunningDemo, running_demo

DEMO_SECONDS = 60.0


class Command(BaseCommand):
    help = "Look whether this installation can work, and say what to do where it cannot. Exit status 1 if so."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.worst = Level.OK
        self.advised: set[str] = set()
        self.wait_for_demo()
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

    def wait_for_demo(self) -> None:
        """Wait for a demo that is starting: half of what one would find would be right a moment later."""
        demo = starting_demo()
        if demo is None:
            return
        self.stdout.write(f"wait a demo is starting at {demo.url}")
        self.stdout.flush()
        deadline = time.monotonic() + DEMO_SECONDS
        while starting_demo() and time.monotonic() < deadline:
            time.sleep(0.2)

    def tell(self, finding: Finding) -> None:
        styles = {Level.OK: self.style.SUCCESS, Level.ODD: self.style.WARNING, Level.BAD: self.style.ERROR}
        self.stdout.write(f"{styles[finding.level](f'{finding.level.value:<4}')} {finding.text}")
        if finding.advice and finding.advice not in self.advised:
            self.advised.add(finding.advice)
            self.stdout.write(f"     -> {finding.advice}")
        if finding.level is Level.BAD:
            self.worst = Level.BAD


def starting_demo() -> RunningDemo | None:
    demo = running_demo(settings.VAR_DIR)
    return None if demo is None or demo.is_ready else demo
