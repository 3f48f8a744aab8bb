from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.defaultfilters import pluralize

from games.play.progress import game_ids
from games.play.services.upkeep import verify_game


class Command(BaseCommand):
    help = "Check the hash chain, the fold, the rows, the outcome and the deal of every game, or of some."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", nargs="*", type=int, help="ids of games; all if none is named")

    def handle(self, *args: Any, **options: Any) -> None:
        checked = damaged = 0
        for game_id in game_ids(options["game"], "verify"):
            checked += 1
            faults = verify_game(game_id)
            damaged += bool(faults)
            for fault in faults:
                self.stdout.write(f"game {game_id}: {fault}")
        if options["game"] and checked < len(set(options["game"])):
            raise CommandError("some of these games do not exist")
        if damaged:
            raise CommandError(
                f"{damaged} of {checked} game{pluralize(checked)} {pluralize(damaged, 'is,are')} damaged"
            )
        self.stdout.write(f"{checked} game{pluralize(checked)} verified, nothing is wrong")
