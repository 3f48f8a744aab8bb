from celery import shared_task
from django.utils import timezone

from games.accounts import services

MOST_MAILS = 100


@shared_task(name=services.SEND_CODES)  # type: ignore[untyped-decorator]
def send_codes() -> None:
    for _ in range(MOST_MAILS):
        if not services.send_codes(now=timezone.now()):
            break


@shared_task  # type: ignore[untyped-decorator]
def sweep_sign_in() -> None:
    services.sweep_sign_in(now=timezone.now())
