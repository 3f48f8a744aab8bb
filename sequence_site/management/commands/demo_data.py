from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

# Each room may have a module `demo` with `seed(now=...)`, that yields what to tell the person watching.
ROOMS = ("games.clubs", "games.play", "games.bots", "analytics")


class Command(BaseCommand):
    help = "Fill the site with the demo's clubs, members and games. What is there already stays as it is."

    def handle(self, *args: Any, **options: Any) -> None:
        for room in ROOMS:
            if find_spec(f"{room}.demo"):
                for line in import_module(f"{room}.demo").seed(now=timezone.now()):
                    self.stdout.write(line)
