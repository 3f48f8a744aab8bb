from celery import shared_task
from django.utils import timezone

from games.play.services import expiring, link_mails

MOST_REQUESTS = 100


@shared_task  # type: ignore[untyped-decorator]
def meet_link_requests() -> None:
    for _ in range(MOST_REQUESTS):
        if not link_mails.meet_request(now=timezone.now()):
            break


@shared_task  # type: ignore[untyped-decorator]
def sweep_clocks() -> None:
    expiring.sweep_clocks(now=timezone.now())
