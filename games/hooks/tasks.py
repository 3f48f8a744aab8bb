import time

from celery import shared_task
from django.utils import timezone

from games.hooks import delivering

MOST_SECONDS = 20


@shared_task(name="games.hooks.tasks.deliver")  # type: ignore[untyped-decorator]
def deliver() -> None:
    delivering.pull_news(now=timezone.now())
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end and delivering.deliver_one(now=timezone.now()):
        pass


@shared_task(name="games.hooks.tasks.delete_old")  # type: ignore[untyped-decorator]
def delete_old() -> None:
    delivering.delete_old(now=timezone.now())
