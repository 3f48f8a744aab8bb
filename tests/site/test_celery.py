import os
import socket
import subprocess
import sys
import time

import pytest
from django.conf import settings

from games.accounts.tasks import sweep_sign_in
from sequence_site.celery import app
from sequence_site.management.commands.demo import QUEUES
from tests.conftest import PROJECT, process_environment

PUBLISH = """
import time, django
django.setup()
from games.accounts.tasks import sweep_sign_in
started = time.monotonic()
try:
    sweep_sign_in.delay()
except Exception as error:
    print(type(error).__name__)
print(time.monotonic() - started)
"""


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_worker_does_what_is_asked(celery_worker_process: "subprocess.Popen[bytes]") -> None:
    sweep_sign_in.delay()

    deadline = time.monotonic() + 60
    while True:
        [stats] = app.control.inspect(timeout=1.0).stats().values()
        if stats["total"].get(sweep_sign_in.name) == 1:
            break
        assert time.monotonic() < deadline, stats["total"]


@pytest.mark.long
def test_a_silent_broker_holds_a_caller_for_less_than_three_seconds() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        environment = process_environment(BROKER_URL=f"redis://127.0.0.1:{silent.getsockname()[1]}/0")

        run = subprocess.run(
            [sys.executable, "-c", PUBLISH],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )

    error, seconds = run.stdout.split()
    assert error == "OperationalError"
    # Three seconds on a quiet machine; without the time-outs it is over twenty-five.
    assert float(seconds) < 6


def test_every_task_of_the_schedule_exists_and_goes_to_a_queue_that_is_served() -> None:
    app.loader.import_default_modules()

    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        assert entry["task"] in app.tasks
        queue = app.amqp.router.route({}, entry["task"])["queue"]
        assert queue.name in QUEUES.split(",")
        # What nobody could take in time is asked for again anyway.
        assert entry["options"]["expires"] <= entry["schedule"]


def test_each_process_of_the_tests_has_a_broker_and_files_of_its_own() -> None:
    assert os.environ["BROKER_URL"] == settings.BROKER_URL
    assert os.environ["VAR_DIR"] == str(settings.VAR_DIR)
