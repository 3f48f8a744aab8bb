"""Servers of the benchmarks' own, durable as in production, with one installation in them."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sequence_site.embedded.places import APP_ROLE, OWNER_ROLE, places_in
from sequence_site.embedded.servers import Postgres, Valkey

PROJECT = Path(__file__).resolve().parent.parent


@contextmanager
def installation() -> Iterator[None]:
    """Start PostgreSQL (fsync on) and Valkey in a directory that goes at the end, and migrate."""
    base = Path(tempfile.mkdtemp(prefix="sequence-bench-", dir="/tmp"))
    base.chmod(0o755)
    places = places_in(base)
    servers = [Postgres(places, pg_bin=os.environ.get("PG_BIN", "")), Valkey(places)]
    os.environ |= {
        "DATABASE_URL": places.database_url(APP_ROLE),
        "DATABASE_OWNER_URL": places.database_url(OWNER_ROLE),
        "BROKER_URL": places.broker_url(),
        "VAR_DIR": str(base),
        "SECRET_KEY": "benchmarks",
        "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        "LOG_LEVEL": "ERROR",
    }
    try:
        for server in servers:
            server.start_or_adopt()
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"],
            cwd=PROJECT,
            env={**os.environ, "DATABASE_ROLE": "owner"},
            check=True,
        )
        yield
    finally:
        for server in reversed(servers):
            server.stop()
        shutil.rmtree(base, ignore_errors=True)
