from celery import shared_task
from django.utils import timezone

from games.hooks import delivering


@shared_task(name="games.hooks.tasks.deliver")  # type: ignore[untyped-decorator]
def deliver() -> None:
    delivering.run(now=timezone.now)


@shared_task(name="games.hooks.tasks.delete_old")  # type: ignore[untyped-decorator]
def delete_old() -> None:
    delivering.delete_old(now=timezone.now())
