from celery import shared_task
from django.utils import timezone

from games.mail import services


# Ends well before the lease of what it took up.
@shared_task(soft_time_limit=90, time_limit=100)  # type: ignore[untyped-decorator]
def deliver() -> None:
    services.deliver(now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]
def delete_old() -> None:
    services.delete_old(now=timezone.now())
