from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.defaultfilters import pluralize

from games.play.progress import game_ids
from games.play.services.upkeep import rebuild_game
from games.rules.evolve import CorruptEvents


class Command(BaseCommand):
    help = "Make the rows of every game, or of some, anew from the event log and say what was wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", nargs="*", type=int, help="ids of games; all if none is named")

    def handle(self, *args: Any, **options: Any) -> None:
        rebuilt = mended = damaged = 0
        for game_id in game_ids(options["game"], "rebuild"):
            try:
                wrong = rebuild_game(game_id)
            except CorruptEvents as error:
                damaged += 1
                self.stderr.write(f"game {game_id}: the log is damaged: {error}")
                continue
            rebuilt += 1
            mended += bool(wrong)
            for fault in wrong:
                self.stdout.write(f"game {game_id}: mended {fault}")
        if damaged:
            raise CommandError(
                f"{damaged} game{pluralize(damaged, ' has,s have')} a damaged log: see manage.py verify"
            )
        games, their = ("game", "its") if rebuilt == 1 else ("games", "their")
        self.stdout.write(f"{rebuilt} {games} rebuilt from {their} events, {mended} needed mending")
