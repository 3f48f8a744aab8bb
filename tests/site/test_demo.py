import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.conftest import PROJECT
from tests.site.test_embedded import open_directory

pytestmark = pytest.mark.long

READY = "Ctrl-C ends everything"
OURS = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_ROLE", "BROKER_URL", "PUBLIC_URL", "SECRET_KEY")


class Site:
    """An installation of its own below `var`, whose demo and commands a test runs."""

    def __init__(self, var: Path) -> None:
        self.var = var
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        self.environment = {**kept, "VAR_DIR": str(var)}
        self.log = var / "demo.log"

    def popen(self, *before: str) -> "subprocess.Popen[bytes]":
        with self.log.open("wb") as log:
            return subprocess.Popen(
                [*before, "manage.py", "demo", f"--port={self.port}"],
                cwd=PROJECT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def start(self, *before: str) -> "subprocess.Popen[bytes]":
        demo = self.popen(*(before or (sys.executable,)))
        deadline = time.monotonic() + 180
        while READY not in self.log.read_text():
            assert demo.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.1)
        return demo

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=PROJECT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://localhost:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def get_status(self, path: str) -> int:
        try:
            self.get(path)
        except HTTPError as refusal:
            return refusal.code
        return 200

    def is_ready(self) -> bool:
        with suppress(OSError):
            return '"database": "ok"' in self.get("/healthz/ready")
        return False

    def processes(self) -> dict[int, str]:
        """Return all processes that have this installation in their environment or command line."""
        mark = os.fsencode(self.var)
        found = {}
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                command = (entry / "cmdline").read_bytes()
                if mark in command or mark in (entry / "environ").read_bytes():
                    found[int(entry.name)] = command.replace(b"\0", b" ").decode()
        return found

    def wait_until_gone(self) -> None:
        deadline = time.monotonic() + 120
        while left := self.processes():
            assert time.monotonic() < deadline, left
            time.sleep(0.1)


@pytest.fixture
def site() -> Iterator[Site]:
    with open_directory() as var:
        site = Site(var)
        yield site
        for pid in site.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_the_demo_serves_survives_kill_9_and_leaves_no_process_behind(site: Site) -> None:
    demo = site.start()
    assert '"broker": "ok"' in site.get("/healthz/ready")
    assert "inbox" in site.get("/inbox/").lower()
    key = (site.var / "secret-key").read_text()
    doctor = site.run("doctor")
    assert doctor.returncode == 0, doctor.stdout
    assert "workers that answer" in doctor.stdout
    assert f"the demo is running at http://localhost:{site.port}\n" in doctor.stdout
    assert "localhost:8000" not in doctor.stdout
    assert site.get_status("/nowhere") == 404
    said = site.log.read_text()
    steps = [
        "starting: ",
        "logs are in ",
        "database: ",
        "broker: ",
        "migrations: ",
        "web: ",
        "demo data: ",
        "worker: ",
    ]
    assert re.findall(r"^demo +\| (.*?(?:: |are in ))", said, re.M)[: len(steps)] == steps
    assert {line.split("|")[0].strip() for line in said.splitlines()} == {"demo"}
    assert "is ready to accept connections" in (site.var / "logs" / "postgres.log").read_text()
    assert "Not Found: /nowhere" in (site.var / "logs" / "web.log").read_text()
    reset = site.run("demo", "--reset", f"--port={site.port}")
    assert reset.returncode == 1
    assert "is running for another command" in reset.stderr

    demo.kill()
    demo.wait()
    site.wait_until_gone()

    demo = site.start()
    assert '"migrations": "ok"' in site.get("/healthz/ready")
    assert (site.var / "secret-key").read_text() == key

    os.killpg(demo.pid, signal.SIGINT)
    assert demo.wait(120) == 0, site.log.read_text()
    assert site.processes() == {}


@pytest.mark.parametrize("seconds", [0.3, 0.8, 1.6])
def test_ctrl_c_just_after_the_start_shows_no_trace(site: Site, seconds: float) -> None:
    demo = site.popen(sys.executable)
    time.sleep(seconds)

    os.killpg(demo.pid, signal.SIGINT)

    assert demo.wait(60) in {0, 130}
    assert "Traceback" not in site.log.read_text()
    assert site.processes() == {}


@pytest.mark.skipif(shutil.which("uv") is None, reason="this is about `uv run`")
def test_the_demo_starts_again_what_ends_and_ends_when_uv_is_killed(site: Site) -> None:
    uv = site.start("uv", "run", "--no-sync")
    victims = [pid for pid, line in site.processes().items() if "gunicorn" in line or "postgres -D" in line]
    assert len(victims) >= 2

    for pid in victims:
        os.kill(pid, signal.SIGKILL)

    deadline = time.monotonic() + 120
    while not site.is_ready():
        assert time.monotonic() < deadline, site.log.read_text()
        time.sleep(0.2)

    uv.kill()
    uv.wait()

    site.wait_until_gone()
    assert re.search(r"demo +\| stopping", site.log.read_text())


def test_the_doctor_says_what_an_empty_installation_lacks(site: Site) -> None:
    doctor = site.run("doctor")

    assert doctor.returncode == 1
    assert doctor.stdout.count("-> run `manage.py migrate`\n") == 1
    assert site.processes() == {}
