"""Starts, adopts and stops one PostgreSQL or Valkey that lives in a directory.

The lock of a server is held by its owner for as long as the owner lives, whatever ends it. So whoever gets
the lock may stop what a dead owner left and start anew; whoever does not, waits for the server to answer
and adopts it. Only the owner stops a server.
"""

import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import psycopg
import redis
from psycopg import sql
from redis.backoff import NoBackoff
from redis.retry import Retry

from sequence_site.embedded import binaries
from sequence_site.embedded.family import die_with_parent, processes_with
from sequence_site.embedded.places import APP_ROLE, DATABASE, OWNER_ROLE, SUPERUSER, Places

START_SECONDS = 60.0
STOP_SECONDS = 30.0


class ServerFailed(Exception):
    """A server did not start; the message ends with the last lines of its log, if that is ours."""


class Server(ABC):
    """One server in its `home`.

    To be started from the main thread: it dies with the thread that starts it.
    """

    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals]

    def __init__(self, home: Path, sockets: Path, user: pwd.struct_passwd | None, output: int | None) -> None:
        self.home = home
        self.sockets = sockets
        self.user = user
        self.output = output
        self.process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None

    @property
    def log(self) -> Path:
        return self.home / "server.log"

    @abstractmethod
    def answers(self) -> bool:
        """Tell whether the server takes work now."""

    @abstractmethod
    def prepare(self) -> None:
        """Make the data; the home and the sockets' directory are there."""

    @abstractmethod
    def command(self) -> list[str]: ...

    @abstractmethod
    def signs(self) -> tuple[bytes, ...]:
        """Return what in a command line, its words ended by NUL, tells that a process is of this server."""

    def on_started(self) -> None:  # noqa: B027 - most have nothing to finish
        """Finish what needs the running server."""

    def start_or_adopt(self, timeout_seconds: float = START_SECONDS) -> None:
        """Make sure that the server answers, or raise ServerFailed."""
        self.home.parent.mkdir(parents=True, exist_ok=True)
        deadline = time.monotonic() + timeout_seconds
        while not self._take_lock():
            if self.answers():
                return
            if time.monotonic() > deadline:
                raise ServerFailed(f"{self.name} has an owner (see {self.log}), but does not answer")
            time.sleep(0.05)
        try:
            self._start(timeout_seconds)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server if it is ours."""
        if self.process is not None:
            if self.process.poll() is None:
                self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @property
    def is_ours(self) -> bool:
        return self._lock is not None

    def is_well(self) -> bool:
        """Tell whether the server runs, as far as its owner or an adopter can see at once."""
        return self.process.poll() is None if self.process else self.answers()

    def remove_data(self) -> bool:
        """Forget everything; return False, having done nothing, while somebody owns the server."""
        if not self._take_lock():
            return False
        self._stop_leftovers()
        shutil.rmtree(self.home, ignore_errors=True)
        self.stop()
        return True

    def _take_lock(self) -> bool:
        if self._lock is not None:
            return True
        lock = os.open(self.home.parent / f"{self.name}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        self._lock = lock
        return True

    def _start(self, timeout_seconds: float) -> None:
        self._stop_leftovers()
        for directory in (self.home, self.sockets):
            self._make_private(directory)
        self.prepare()
        self.process = self._popen(self.command(), self._open_log() if self.output is None else self.output)
        deadline = time.monotonic() + timeout_seconds
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                # Whoever gave the output has what was said.
                said = f":\n{self._last_words()}" if self.output is None else ""
                raise ServerFailed(f"{self.name} did not start{said}")
            time.sleep(0.02)
        self.on_started()

    def _open_log(self) -> int:
        return os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)

    def _last_words(self) -> str:
        with suppress(OSError):
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])
        return "(no log)"

    def _popen(self, command: list[str], output: int) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.home,
                env=self._environment(),
                # A session of its own: Ctrl-C is for the supervisor, which stops things in order.
                start_new_session=True,
                preexec_fn=die_with_parent(self.stop_signal),  # noqa: PLW1509 - started before any thread
                user=self.user.pw_uid if self.user else None,
                group=self.user.pw_gid if self.user else None,
                extra_groups=[] if self.user else None,
            )
        finally:
            if output != self.output:
                os.close(output)

    def _environment(self) -> dict[str, str]:
        # None of PGDATA, PGPORT and the like may reach the server.
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        return {**kept, "HOME": str(self.home), "LC_ALL": "C", "TZ": "UTC"}

    def _make_private(self, directory: Path) -> None:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            directory.mkdir(mode=0o700)
        owner = self.user.pw_uid if self.user else os.geteuid()
        stat = directory.lstat()
        if directory.is_symlink() or stat.st_uid not in {owner, os.geteuid()}:
            raise ServerFailed(
                f"{directory} belongs to somebody else: remove it, or set VAR_DIR to a directory of yours"
            )
        if self.user:
            os.chown(directory, self.user.pw_uid, self.user.pw_gid)
        directory.chmod(0o700)

    def _stop_leftovers(self) -> None:
        """Stop what a dead owner left; where the system does not tell a child, it lives on."""
        left = processes_with(self.signs())
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, self.stop_signal)
        deadline = time.monotonic() + STOP_SECONDS
        while left and time.monotonic() < deadline:
            time.sleep(0.05)
            left = processes_with(self.signs())
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class Postgres(Server):
    """PostgreSQL with two roles: the owner of the schema and the app's, which owns nothing."""

    name = "postgres"
    stop_signal = signal.SIGINT  # fast: it breaks connections and writes a checkpoint

    def __init__(
        self, places: Places, *, pg_bin: str = "", settings: tuple[str, ...] = (), output: int | None = None
    ) -> None:
        super().__init__(places.postgres, places.postgres_sockets, binaries.unprivileged(), output)
        self.places = places
        self.pg_bin = pg_bin
        self.settings = settings
        self.data = self.home / "data"
        self.cluster_name = f"sequence-{places.key}"

    def answers(self) -> bool:
        try:
            with self._connect():
                return True
        except psycopg.OperationalError:
            return False

    def _connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        url = self.places.database_url(SUPERUSER, "postgres")
        return psycopg.connect(url, connect_timeout=2, autocommit=True)

    def prepare(self) -> None:
        self.programs = binaries.runnable(binaries.find_postgres(self.pg_bin), self.user, self.home)
        if not self.data.exists():
            self._make_data()
        # They may name a zombie, or a stranger who got the number since; our own are stopped by now.
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
            (self.sockets / name).unlink(missing_ok=True)

    def _make_data(self) -> None:
        # Made aside and renamed: half a database directory is never mistaken for one.
        unfinished = self.home / "data.init"
        shutil.rmtree(unfinished, ignore_errors=True)
        command = [
            str(self.programs / "initdb"),
            f"--pgdata={unfinished}",
            f"--username={SUPERUSER}",
            "--auth=trust",  # the directory is 0700 and the only socket is behind 0700
            "--encoding=UTF8",
            *self._locale(),
            *(["--no-sync"] if "fsync=off" in self.settings else []),
        ]
        # It talks much; only what went wrong is for the reader of the stream.
        process = self._popen(command, self._open_log())
        try:
            failed = process.wait()
        except BaseException:
            # Ctrl-C: it is not given up to the background, nor is the single-user server below it.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        if failed:
            raise ServerFailed(f"initdb failed:\n{self._last_words()}")
        unfinished.rename(self.data)

    def _locale(self) -> list[str]:
        """Return a locale that every machine has; from 17 on PostgreSQL brings one itself."""
        version = subprocess.run(
            [self.programs / "postgres", "--version"], check=True, capture_output=True, text=True
        ).stdout
        major = int(version.split()[-1 if "(" not in version else 2].split(".")[0])
        builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if major >= 17 else []
        return [*builtin, "--locale=C"]

    def command(self) -> list[str]:
        settings = (
            "listen_addresses=",
            f"unix_socket_directories={self.sockets}",
            "unix_socket_permissions=0700",
            f"cluster_name={self.cluster_name}",
            "max_connections=200",
            "timezone=UTC",
            "log_timezone=UTC",
            *self.settings,
        )
        options = [word for setting in settings for word in ("-c", setting)]
        return [str(self.programs / "postgres"), "-D", str(self.data), *options]

    def signs(self) -> tuple[bytes, ...]:
        data = os.fsencode(self.data)
        return b"-D\0" + data + b"\0", b"postgres: " + self.cluster_name.encode() + b": "

    def on_started(self) -> None:
        with self._connect() as connection:
            roles = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles")}
            # The owner may make databases: the tests' own.
            for role, rights in ((OWNER_ROLE, "LOGIN CREATEDB"), (APP_ROLE, "LOGIN")):
                if role not in roles:
                    connection.execute(sql.SQL(f"CREATE ROLE {{}} {rights}").format(sql.Identifier(role)))
            names = {row[0] for row in connection.execute("SELECT datname FROM pg_database")}
            if DATABASE not in names:
                connection.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(
                        sql.Identifier(DATABASE), sql.Identifier(OWNER_ROLE)
                    )
                )


class Valkey(Server):
    """Valkey on a socket, its messages written to disk as they come."""

    name = "valkey"
    stop_signal = signal.SIGTERM

    def __init__(
        self,
        places: Places,
        *,
        settings: tuple[str, ...] = ("--appendonly", "yes"),
        output: int | None = None,
    ) -> None:
        super().__init__(places.valkey, places.valkey_sockets, None, output)
        self.socket = places.valkey_socket
        self.settings = settings

    def answers(self) -> bool:
        client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2, retry=Retry(NoBackoff(), 0))
        try:
            return bool(client.ping())
        except (redis.RedisError, OSError):
            return False
        finally:
            client.close()

    def prepare(self) -> None:
        self.socket.unlink(missing_ok=True)

    def command(self) -> list[str]:
        return [
            *(str(binaries.find_valkey()), "--port", "0", "--databases", "64"),
            *("--unixsocket", str(self.socket), "--unixsocketperm", "700"),
            *("--dir", str(self.home), "--save", "", "--maxmemory-policy", "noeviction"),
            *("--loglevel", "warning"),
            *self.settings,
        ]

    def signs(self) -> tuple[bytes, ...]:
        return (b"unixsocket:" + os.fsencode(self.socket),)
