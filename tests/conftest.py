"""What every test may ask for beside pytest-django's own fixtures."""

# ruff: noqa: E402 - the servers come first, since their addresses are settings
from tests import servers

servers.provide()

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from signal import SIGTERM
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from games.play.services import proposing
from sequence_site.celery import app as celery_app
from sequence_site.embedded.family import die_with_parent
from sequence_site.embedded.places import APP_ROLE, SUPERUSER
from tests.mail.servers import Mailbox, smtp_server

PROJECT = Path(__file__).resolve().parent.parent
TRUNCATE_TRIGGERS_OF_EVENTS = """
    SELECT tgname FROM pg_trigger
    WHERE tgrelid = to_regclass('play_event') AND NOT tgisinternal AND tgtype & 32 <> 0
"""


def pytest_configure() -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Let pytest-django empty the tables after tests that commit: in the test database only."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(TRUNCATE_TRIGGERS_OF_EVENTS)
        for (trigger,) in cursor.fetchall():
            cursor.execute(f'ALTER TABLE play_event DISABLE TRIGGER "{trigger}"')
    connection.close()


def database_url(role: str) -> str:
    """Return the address of the current test database for `role`."""
    user_part, rest = settings.DATABASE_URL.split("@")
    server, _ = rest.rsplit("/", 1)
    return f"{user_part.rsplit('/', 1)[0]}/{role}@{server}/{connection.settings_dict['NAME']}"


@contextmanager
def connected_as(role: str) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
    with psycopg.connect(database_url(role), autocommit=True) as opened:
        yield opened


@pytest.fixture
def app_role_connection(transactional_db: None) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
    """A raw connection to the test database as the site has it: autocommit, and no right to change events."""
    with connected_as(APP_ROLE) as opened:
        yield opened


@pytest.fixture
def superuser_connection(transactional_db: None) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
    """A raw connection to the test database that may do everything."""
    with connected_as(SUPERUSER) as opened:
        yield opened


def process_environment(**more: str) -> dict[str, str]:
    """Return the environment of a process that serves the test database as the app's role."""
    settings_module = {"DJANGO_SETTINGS_MODULE": "sequence_site.settings"}
    return {
        **os.environ,
        **settings_module,
        "DATABASE_URL": database_url(APP_ROLE),
        "DATABASE_ROLE": "app",
        **more,
    }


@contextmanager
def running(*command: str, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run `python -m COMMAND` on the test database until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=PROJECT,
        env=process_environment(**environment),
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=die_with_parent(SIGTERM),  # noqa: PLW1509 - it only asks the system
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(autouse=True)
def known_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the games of each test be dealt alike in every run."""
    numbers = count(1)
    monkeypatch.setattr(proposing, "new_secret", lambda: next(numbers).to_bytes(32, "big"))


@pytest.fixture
def mailbox(settings: Any) -> Iterator[Mailbox]:
    """A real mail server, to which the site sends."""
    taken = Mailbox()
    with smtp_server(taken) as port:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST = "127.0.0.1"
        settings.EMAIL_PORT = port
        yield taken


@pytest.fixture
def celery_worker_process(transactional_db: None) -> Iterator["subprocess.Popen[bytes]"]:
    """A real Celery worker on the test database and this test process's own broker, ready when given."""
    command = (
        "celery",
        "-A",
        "sequence_site",
        "worker",
        "--queues=play,mail,hooks,analytics",
        "--concurrency=1",
    )
    with running(*command, "--without-gossip", "--without-mingle", "--loglevel=WARNING") as process:
        deadline = time.monotonic() + 120
        while not celery_app.control.ping(timeout=0.5):
            assert process.poll() is None, "the worker ended before it was ready"
            assert time.monotonic() < deadline, "the worker is not ready"
        yield process
