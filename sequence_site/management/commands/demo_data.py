from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.bots.demo import seed


class Command(BaseCommand):
    help = "Fill the site with the demo's clubs, members and games. What is there already stays as it is."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in seed(now=timezone.now()):
            self.stdout.write(line)
