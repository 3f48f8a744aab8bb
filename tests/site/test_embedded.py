import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from redis import Redis

from sequence_site.embedded import binaries
from sequence_site.embedded.family import processes_with
from sequence_site.embedded.places import APP_ROLE, OWNER_ROLE, places_in, reachable_by_others
from sequence_site.embedded.servers import Postgres, Valkey
from tests.conftest import PROJECT

NOBODY = 65534
IS_ROOT = os.geteuid() == 0
USERS = [None, NOBODY] if IS_ROOT else [None]

pytestmark = pytest.mark.long


@pytest.fixture
def var() -> Iterator[Path]:
    """A directory that everybody may pass through, as a checkout outside of root's home is."""
    with open_directory() as directory:
        yield directory


@contextmanager
def open_directory(prefix: str = "sequence-") -> Iterator[Path]:
    directory = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def owner_of(var: Path, uid: int | None = None) -> Iterator["subprocess.Popen[str]"]:
    """Run the script beside this module until it says what it did with the servers; that is in `said`."""
    words = [sys.executable, "-m", "tests.site.embedded_owner", str(var), *([str(uid)] if uid else [])]
    process = subprocess.Popen(
        words, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    process.said = process.stdout.readline().strip()  # type: ignore[attr-defined]
    try:
        yield process
    finally:
        _, errors = process.communicate()
    assert process.returncode in {0, -signal.SIGKILL}, errors


def servers_of(var: Path) -> list[int]:
    places = places_in(var)
    return processes_with((*Postgres(places).signs(), *Valkey(places).signs()))


def wait_until_gone(var: Path) -> None:
    deadline = time.monotonic() + 90
    while servers_of(var):
        assert time.monotonic() < deadline, f"still there: {servers_of(var)}"
        time.sleep(0.05)


@pytest.mark.parametrize("uid", USERS)
def test_the_servers_come_and_go_with_their_owner(var: Path, uid: int | None) -> None:
    if uid and not reachable_by_others(PROJECT):
        pytest.skip("only root can reach this checkout, so nobody else can run what is in it")
    if uid:
        os.chown(var, uid, uid)

    with owner_of(var, uid) as owner:
        assert owner.said == "owned owned"
        places = places_in(var)
        for role in (OWNER_ROLE, APP_ROLE):
            with psycopg.connect(places.database_url(role)) as connection:
                assert connection.execute("SELECT current_user").fetchone() == (role,)
        assert Redis(unix_socket_path=str(places.valkey_socket)).ping()
        assert places.postgres.stat().st_mode & 0o777 == 0o700

    assert servers_of(var) == []


def test_a_second_process_adopts_and_only_the_owner_stops(var: Path) -> None:
    with owner_of(var):
        with owner_of(var) as second:
            assert second.said == "adopted adopted"
        assert not Postgres(places_in(var)).remove_data()

        url = places_in(var).database_url(APP_ROLE)
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)

    assert servers_of(var) == []
    assert Postgres(places_in(var)).remove_data()
    assert not places_in(var).postgres.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_killing_the_owner_ends_the_servers_and_the_data_stay(var: Path) -> None:
    places = places_in(var)
    with owner_of(var) as owner:
        with psycopg.connect(places.database_url(OWNER_ROLE)) as connection:
            connection.execute("CREATE TABLE kept (fruit text)")
            connection.execute("INSERT INTO kept VALUES ('pear')")
        Redis(unix_socket_path=str(places.valkey_socket)).rpush("kept", "message")
        time.sleep(1.1)  # messages reach the disk once a second
        owner.kill()

    with owner_of(var) as owner:
        assert owner.said == "owned owned"
        with psycopg.connect(places.database_url(OWNER_ROLE)) as connection:
            assert connection.execute("SELECT fruit FROM kept").fetchone() == ("pear",)
        assert Redis(unix_socket_path=str(places.valkey_socket)).lpop("kept") == b"message"
    wait_until_gone(var)


def test_stale_pid_files_that_name_strangers_and_zombies_do_not_hinder(var: Path) -> None:
    places = places_in(var)
    with owner_of(var) as owner:
        for pid in servers_of(var):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        owner.kill()
    wait_until_gone(var)
    zombie = subprocess.Popen(["true"])
    time.sleep(0.2)
    pid_file = places.postgres / "data" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()

    for pid in (os.getpid(), zombie.pid):
        pid_file.write_text("\n".join([str(pid), *lines[1:]]) + "\n")
        (places.postgres_sockets / ".s.PGSQL.5432.lock").write_text(f"{pid}\n")

        with owner_of(var) as owner:
            assert owner.said == "owned owned"

    zombie.wait()


def test_half_made_data_are_made_again(var: Path) -> None:
    places = places_in(var)
    (places.postgres / "data.init" / "base").mkdir(parents=True)
    if IS_ROOT:
        os.chown(places.postgres, NOBODY, NOBODY)

    with owner_of(var) as owner:
        assert owner.said == "owned owned"


def test_a_long_path_with_spaces_gets_short_sockets() -> None:
    with open_directory(f"sequence with spaces, and {'long ' * 12}") as var:
        places = places_in(var)
        assert len(str(places.valkey_socket)) < 80

        with owner_of(var) as owner:
            assert owner.said == "owned owned"
            assert (places.postgres_sockets / ".s.PGSQL.5432").is_socket()
            assert places.postgres.parent == var

        shutil.rmtree(places.valkey_sockets.parent)


@pytest.mark.skipif(not IS_ROOT, reason="only root needs another place")
def test_below_a_closed_home_root_keeps_the_database_elsewhere(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    places = places_in(tmp_path)
    assert not places.postgres.is_relative_to(tmp_path)

    try:
        with owner_of(tmp_path) as owner:
            assert owner.said == "owned owned"
            assert places.postgres.stat().st_uid == NOBODY
            assert tmp_path.stat().st_mode & 0o777 == 0o700
    finally:
        shutil.rmtree(places.postgres.parent, ignore_errors=True)


@pytest.mark.skipif(not IS_ROOT, reason="only root runs PostgreSQL as somebody else")
def test_programs_that_nobody_cannot_reach_are_copied_once(tmp_path: Path, var: Path) -> None:
    tmp_path.chmod(0o700)
    programs = tmp_path / "wheel" / "pginstall" / "bin"
    programs.mkdir(parents=True)
    (programs / "postgres").write_text("#!/bin/sh\nexit 0\n")
    (programs / "postgres").chmod(0o755)
    (tmp_path / "wheel.libs").mkdir()
    user = binaries.unprivileged()

    copied = binaries.runnable(programs, user, var)

    assert copied.is_relative_to(var)
    assert (copied.parent.parent.parent / "wheel.libs").is_dir()
    assert binaries.runnable(copied, user, var) == copied
    assert binaries.runnable(programs, user, var) == copied


def test_the_programs_of_pg_bin_come_first_and_alone(tmp_path: Path) -> None:
    with pytest.raises(binaries.MissingBinary, match="PG_BIN"):
        binaries.find_postgres(str(tmp_path))
    for name in ("postgres", "initdb"):
        (tmp_path / name).touch()

    assert binaries.find_postgres(str(tmp_path)) == tmp_path


def test_a_directory_of_somebody_else_is_refused(var: Path) -> None:
    places = places_in(var)
    places.postgres.symlink_to("/tmp")

    words = [sys.executable, "-m", "tests.site.embedded_owner", str(var)]
    run = subprocess.run(words, cwd=PROJECT, input="", capture_output=True, text=True, check=False)

    assert run.returncode == 1
    assert "belongs to somebody else" in run.stderr
