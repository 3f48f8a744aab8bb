from celery import shared_task
from django.utils import timezone

from games.bots.services import play_due_bots


@shared_task(name="games.bots.tasks.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    play_due_bots(now=timezone.now())
