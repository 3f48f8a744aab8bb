"""The tests' own PostgreSQL and Valkey, there before settings are read.

The first process starts them and puts their addresses into the environment, which xdist's workers and any
process that a test starts inherit. They die with that process, whatever ends it.

`tests/conftest.py` calls `provide()` before anything else. A plugin named by `-p` could not be imported:
the console script `pytest` does not have the project on its path that early. For the same reason the
settings are named here and not in pyproject.toml, where pytest-django would read them sooner.
"""

import atexit
import os
import re
import shutil
import tempfile
from pathlib import Path

import django

from sequence_site.embedded.places import (
    APP_ROLE,
    OWNER_ROLE,
    SUPERUSER,
    Places,
    places_in,
    reachable_by_others,
)
from sequence_site.embedded.servers import Postgres, Server, Valkey

VAR = "SEQUENCE_TESTS_VAR"  # set in every process below the one that owns the servers
PREFIX = "sequence-tests-"
# Nothing here outlives the run, so nothing waits for a disk.
POSTGRES_SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300")
VALKEY_SETTINGS = ("--appendonly", "no")


def provide() -> None:
    """Start the servers, if no process above did, and make Django ready to use them."""
    if VAR not in os.environ:
        _start()
    _set_addresses(places_in(Path(os.environ[VAR])))
    os.environ["DJANGO_SETTINGS_MODULE"] = "sequence_site.settings"
    django.setup()
    # xdist's workers inherit the environment, and pytest-django would read the settings in them before
    # they have addresses of their own.
    del os.environ["DJANGO_SETTINGS_MODULE"]


def _start() -> None:
    base = _temporary_base()
    _remove_leftovers(base)
    var = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=base))
    var.chmod(0o755)  # PostgreSQL may run as nobody, in a closed directory of its own below
    places = places_in(var)
    servers: list[Server] = [
        Postgres(places, pg_bin=os.environ.get("PG_BIN", ""), settings=POSTGRES_SETTINGS),
        Valkey(places, settings=VALKEY_SETTINGS),
    ]
    atexit.register(_stop, os.getpid(), servers, var)
    for server in servers:
        server.start_or_adopt()
    os.environ[VAR] = str(var)


def _stop(owner: int, servers: list[Server], var: Path) -> None:
    if os.getpid() != owner:
        return  # a fork of the owner ends
    for server in servers:
        server.stop()
    shutil.rmtree(var, ignore_errors=True)


def _temporary_base() -> Path:
    base = Path(tempfile.gettempdir())
    is_fit = len(str(base)) < 30 and (os.geteuid() != 0 or reachable_by_others(base))
    return base if is_fit else Path("/tmp")


def _remove_leftovers(base: Path) -> None:
    """Remove the directories of runs that were killed."""
    for left in base.glob(f"{PREFIX}*"):
        owner = re.match(rf"{PREFIX}(\d+)-", left.name)
        if owner and left.stat().st_uid == os.geteuid() and not Path(f"/proc/{owner[1]}").exists():
            shutil.rmtree(left, ignore_errors=True)


def _set_addresses(places: Places) -> None:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    number = int(worker.removeprefix("gw")) + 1 if worker else 0
    os.environ |= {
        "DATABASE_URL": places.database_url(APP_ROLE),
        "DATABASE_OWNER_URL": places.database_url(OWNER_ROLE),
        "DATABASE_SUPERUSER_URL": places.database_url(SUPERUSER),
        # The tests make and change databases; what the app may not do is tested over its own connection.
        "DATABASE_ROLE": "owner",
        "BROKER_URL": places.broker_url(virtual_host=number),
        "VAR_DIR": str(Path(os.environ[VAR]) / (worker or "main")),
        "SECRET_KEY": "tests",
        "PUBLIC_URL": "http://localhost:8000",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
    }
    for name in (
        "DEBUG",
        "EMAIL_URL",
        "EMAIL_BACKEND",
        "ANYMAIL",
        "CACHE_URL",
        "SITE_NAME",
        "DEFAULT_FROM_EMAIL",
    ):
        os.environ.pop(name, None)
