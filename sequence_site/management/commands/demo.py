import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from sequence_site.celery import app as celery_app
from sequence_site.demo_logs import Logs, is_grave
from sequence_site.embedded.binaries import MissingBinary
from sequence_site.embedded.servers import Server, ServerFailed
from sequence_site.embedded.stack import embedded_servers, keep_secret_key
from sequence_site.processes import KeepsFailing, Processes
from sequence_site.running import Announcement

HOST = "127.0.0.1"
PORT_SECONDS = 20.0  # a site that was killed needs a moment to let go of its port
READY_SECONDS = 60.0
WORKER_SECONDS = 30.0
WATCH_SECONDS = 2.0
QUEUES = "play,mail,hooks,analytics"
SERVERS = {"postgres": "database", "valkey": "broker"}


class Stopped(BaseException):
    """Somebody asked the demo to end: Ctrl-C, a signal, or the end of `uv run`."""


class Command(BaseCommand):
    help = (
        "Run the whole site on this machine: database, broker, worker, clock, web. Ctrl-C ends all of it; "
        "the data stays."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="where the site answers (8000)")
        parser.add_argument("--reset", action="store_true", help="forget all data of this installation first")

    def handle(self, *args: Any, port: int, reset: bool, **options: Any) -> None:
        self.is_ending = False
        self.parent = os.getppid() if is_run_by_uv() else None
        self.url = os.environ.get("PUBLIC_URL") or f"http://localhost:{port}"
        self.port = port
        self.logs = Logs(settings.VAR_DIR / "logs")
        self.processes = Processes(self.hear, environment=environment(self.url), directory=settings.BASE_DIR)
        self.servers = embedded_servers(output=self.processes.pipe)
        try:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, self.end)
            self.run(reset=reset)
        except (Stopped, KeyboardInterrupt):
            self.say("demo", "stopping")
        except BrokenPipeError:
            # Nobody reads any more; Python would complain once more at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        finally:
            self.stop()

    def run(self, *, reset: bool) -> None:
        self.say("demo", "starting: the first start takes up to half a minute")
        if reset:
            self.forget()
        keep_secret_key()
        self.logs.open()
        self.say("demo", f"logs are in {self.logs.directory}; errors are shown here too")
        announcement = Announcement(settings.VAR_DIR, self.url)
        self.wait_for_port()
        self.watch_servers()
        self.say("demo", "migrations: bringing the tables up to date")
        self.manage("migrate", "--verbosity=0")
        # Root may try the demo; the worker would warn of it at length.
        python = [sys.executable, "-W", "ignore:You're running the worker", "-m"]
        celery = [*python, "celery", "-q", "-A", "sequence_site"]
        self.say("demo", "web: starting")
        self.processes.start("web", [*python, "gunicorn", "sequence_site.wsgi", *gunicorn_options(self.port)])
        self.say("demo", "demo data: making members, clubs and games")
        greeting = self.manage("demo_data")
        # Only now: the bots' sweep and the making of the data would play the same games.
        self.say("demo", "worker: starting")
        self.processes.start(
            "worker",
            [*celery, "worker", f"--queues={QUEUES}", "--concurrency=2", "--loglevel=WARNING"],
        )
        self.processes.start("beat", [*celery, "beat", "--loglevel=WARNING"])
        self.wait_until_ready()
        announcement.ready()
        self.greet(greeting)
        watched_at = time.monotonic()
        while True:
            self.go_on(0.5)
            self.restart_ended()
            if time.monotonic() - watched_at > WATCH_SECONDS:
                self.watch_servers()
                watched_at = time.monotonic()

    def go_on(self, seconds: float) -> None:
        """Hand on output for a while; raise Stopped when the demo is to end."""
        self.processes.pump(seconds)
        # `uv run` stays between the terminal and us; when it is killed, nobody can stop us any more.
        if self.is_ending or (self.parent is not None and os.getppid() != self.parent):
            raise Stopped

    def end(self, _number: int, _frame: FrameType | None) -> None:
        """Note that the demo is to end. A second Ctrl-C, or the one that uv hands on, adds nothing."""
        if not self.is_ending:
            self.is_ending = True
            raise Stopped

    def stop(self) -> None:
        self.is_ending = True
        self.processes.stop()
        for server in reversed(self.servers):
            server.stop()
        self.processes.pump(0)

    def say(self, name: str, line: str) -> None:
        self.stdout.write(f"{name:<9}| {line}")
        self.stdout.flush()

    def hear(self, name: str, line: str) -> None:
        """Keep what a process said; while we stop them they only say that they are stopped."""
        self.logs.keep(name, line)
        if is_grave(line) and not self.is_ending:
            self.say(name, line)

    def failure(self, name: str, message: str) -> CommandError:
        """Return the error with the last words of the process that is to blame."""
        self.processes.pump(0)
        return CommandError("\n".join([message, *self.logs.last(name), f"All of it: {self.logs.path(name)}"]))

    def watch_servers(self) -> None:
        """Start what is not there: at first, and when it was somebody else's who stopped it."""
        for server in self.servers:
            if not server.is_well():
                self.start_server(server)

    def start_server(self, server: Server) -> None:
        self.say("demo", f"{SERVERS[server.name]}: starting {server.name}")
        try:
            server.start_or_adopt()
        except MissingBinary as error:
            raise CommandError(str(error)) from error
        except ServerFailed as error:
            raise self.failure(server.name, str(error)) from error
        if not server.is_ours:
            self.say(server.name, "found running, and used")

    def restart_ended(self) -> None:
        try:
            for name, status in self.processes.restart_ended():
                self.say(name, f"ended with status {status} and is started again: {self.logs.path(name)}")
        except KeepsFailing as error:
            raise self.failure(error.name, str(error)) from error

    def forget(self) -> None:
        if len(self.servers) < 2:
            raise CommandError("--reset is for the embedded servers; DATABASE_URL or BROKER_URL is set")
        for server in self.servers:
            if not server.remove_data():
                raise CommandError(f"{server.name} is running for another command: end that first")
        shutil.rmtree(settings.VAR_DIR / "inbox", ignore_errors=True)
        Path(settings.CELERY_BEAT_SCHEDULE_FILENAME).unlink(missing_ok=True)

    def wait_for_port(self) -> None:
        deadline = time.monotonic() + PORT_SECONDS
        while True:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((HOST, self.port))
                except OSError as error:
                    if time.monotonic() > deadline:
                        raise CommandError(f"port {self.port} is taken ({error}): try --port") from error
                else:
                    return
            self.go_on(0.2)

    def manage(self, *command: str) -> list[str]:
        """Run a management command of the site; return what it said."""
        status, said = self.processes.run([sys.executable, "manage.py", *command])
        if status:
            raise CommandError("\n".join([f"manage.py {' '.join(command)} failed:", *said]))
        return said

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while not answers(f"http://{HOST}:{self.port}/healthz/ready"):
            if time.monotonic() > deadline:
                raise self.failure("web", "the site does not answer")
            self.go_on(0.2)
            self.restart_ended()
        deadline = time.monotonic() + WORKER_SECONDS
        while not celery_app.control.ping(timeout=0.3):
            if time.monotonic() > deadline:
                self.say("worker", f"does not answer yet: {self.logs.path('worker')}")
                return
            self.go_on(0.1)
            self.restart_ended()

    def greet(self, lines: list[str]) -> None:
        inbox = [f"The mail it sends:   {self.url}/inbox/"] if settings.HAS_INBOX else []
        for line in (
            "",
            f"{settings.SITE_NAME} is at {self.url}/",
            f"The API's pages:     {self.url}/api/v1/docs/",
            *inbox,
            *lines,
            "Ctrl-C ends everything; the data stays.",
            "",
        ):
            self.say("demo", line)


def environment(url: str) -> dict[str, str]:
    """Return what the demo's processes get: ours, and the address that the browser will use."""
    return {**os.environ, "PUBLIC_URL": url, "DATABASE_ROLE": "app", "PYTHONUNBUFFERED": "1"}


def gunicorn_options(port: int) -> list[str]:
    return [
        f"--bind={HOST}:{port}",
        "--worker-class=gthread",
        *("--workers=2", "--threads=4", "--graceful-timeout=5", "--log-level=warning"),
        "--no-control-socket",
    ]


def is_run_by_uv() -> bool:
    """Tell whether our parent is `uv run`, which starts us and waits."""
    try:
        name = Path(f"/proc/{os.getppid()}/comm").read_text(encoding="utf-8")
    except OSError:
        command = ["/bin/ps", "-o", "comm=", "-p", str(os.getppid())]
        name = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    return Path(name.strip()).name == "uv"


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
