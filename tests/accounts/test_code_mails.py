"""Codes by mail with real processes: a worker sends them, and a silent broker keeps nobody waiting."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from games.accounts import services
from games.accounts.models import CodeRequest
from games.mail.tasks import deliver
from tests.builders import make_user
from tests.conftest import PROJECT, process_environment

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]
REQUEST = """
import time, django
django.setup()
from django.utils import timezone
from games.accounts.services import request_codes
request_codes(email="warm@example.org", now=timezone.now())
started = time.monotonic()
request_codes(email="anna@example.org", now=timezone.now())
print(time.monotonic() - started)
"""


def mails_to(address: str) -> list[Path]:
    root = Path(settings.MAIL_PREVIEW_ROOT)
    return [path for path in root.rglob("*") if path.is_file() and address.encode() in path.read_bytes()]


def test_a_worker_that_is_woken_mails_a_code_within_seconds(
    celery_worker_process: "subprocess.Popen[bytes]",
) -> None:
    make_user("anna", email="anna@code-mails.example")

    services.request_codes(email="anna@code-mails.example", now=timezone.now())
    deliver.delay()

    deadline = time.monotonic() + 10
    while not mails_to("anna@code-mails.example"):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_silent_broker_does_not_hold_a_request_for_codes() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        environment = process_environment(BROKER_URL=f"redis://127.0.0.1:{silent.getsockname()[1]}/0")

        run = subprocess.run(
            [sys.executable, "-c", REQUEST],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )

    assert float(run.stdout) < 0.5
    assert CodeRequest.objects.count() == 2
