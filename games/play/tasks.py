from celery import shared_task
from django.utils import timezone

from games.play.services import expiring, link_mails

MOST_ROUNDS = 100


@shared_task  # type: ignore[untyped-decorator]
def meet_link_requests() -> None:
    for _ in range(MOST_ROUNDS):
        if not link_mails.meet_requests(now=timezone.now()):
            break


@shared_task  # type: ignore[untyped-decorator]
def sweep_clocks() -> None:
    expiring.sweep_clocks(now=timezone.now())
