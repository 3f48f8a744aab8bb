from celery import shared_task
from django.utils import timezone

from games.accounts import services


@shared_task  # type: ignore[untyped-decorator]
def sweep_sign_in() -> None:
    services.sweep_sign_in(now=timezone.now())
