from celery import shared_task
from django.utils import timezone

from analytics.queries import games_to_derive
from analytics.services import derive_game


@shared_task(name="analytics.tasks.sweep")  # type: ignore[untyped-decorator]
def sweep(most_games: int = 500) -> int:
    """Derive the games that wait for it, whatever messages were lost; return how many."""
    ids = games_to_derive().order_by("finished_at", "pk").values_list("pk", flat=True)[:most_games]
    return sum(derive_game(game_id=game_id, now=timezone.now()) for game_id in ids)
