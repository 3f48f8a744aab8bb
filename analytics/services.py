"""Deriving facts: one idempotent job a game, keyed by the game's version."""

from dataclasses import asdict
from datetime import datetime

from django.db import transaction

from analytics.facts import count_facts
from analytics.models import GameFacts
from games.play.models import Game, Status
from games.play.queries import engine_events


def derive_game(*, game_id: int, now: datetime) -> bool:
    """Bring the facts of one game up to its version; return whether anything was to do.

    Running it twice, or twice at once, leaves the same one row; an annulled game leaves none.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().filter(pk=game_id).first()
        if game is None:
            return False
        if game.status == Status.ANNULLED:
            return GameFacts.objects.filter(game=game).delete()[0] > 0
        known = GameFacts.objects.filter(game=game).first()
        if game.status not in (Status.FINISHED, Status.UNFINISHED) or (
            known is not None and known.version == game.version
        ):
            return False
        facts = count_facts(*engine_events(game))
        GameFacts.objects.update_or_create(
            game=game, defaults={**asdict(facts), "version": game.version, "derived_at": now}
        )
    return True
