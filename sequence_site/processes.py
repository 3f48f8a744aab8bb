"""Runs several processes as one: their output in one stream, and all of them gone at the end.

No threads, so that forking is safe: whoever runs this calls `pump` again and again.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sequence_site.embedded.family import die_with_parent

STOP_SECONDS = 10.0
RESTART_SECONDS = 1.0
# A process that ends sooner after its start, so many times in a row, will not do better the next time.
QUICK_SECONDS = 5.0
MOST_QUICK_ENDS = 3


class KeepsFailing(Exception):
    """The process `name` ended too often, too soon."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} ended {MOST_QUICK_ENDS} times just after its start")
        self.name = name


@dataclass
class Child:
    """A process that is to run until the end."""

    name: str
    command: list[str]
    process: "subprocess.Popen[bytes]"
    started_at: float = field(default_factory=time.monotonic)
    quick_ends: int = 0


class Processes:
    """The children of one supervisor; `write(name, line)` gets each line that they say."""

    def __init__(
        self, write: Callable[[str, str], None], *, environment: Mapping[str, str], directory: Path
    ) -> None:
        self.write = write
        self.environment = dict(environment)
        self.directory = directory
        self._children: list[Child] = []
        self._selector = selectors.DefaultSelector()
        self._rest: dict[int, bytes] = {}

    def pipe(self, name: str) -> int:
        """Return a descriptor; what is written to it becomes lines of `name`."""
        reading, writing = os.pipe()
        self._listen(reading, partial(self.write, name))
        return writing

    def start(self, name: str, command: list[str]) -> None:
        """Start a process that is started again whenever it ends."""
        self._children.append(Child(name, command, self._popen(command, partial(self.write, name))))

    def run(self, command: list[str]) -> tuple[int, list[str]]:
        """Run a process to its end; return its exit status and what it said."""
        said: list[str] = []
        process = self._popen(command, said.append)
        try:
            while process.poll() is None:
                self.pump(0.1)
        finally:
            _end(process, time.monotonic())
        self.pump(0)
        return process.returncode, said

    def pump(self, seconds: float) -> None:
        """Hand on what was said, waiting for it up to `seconds`."""
        for key, _ in self._selector.select(seconds):
            said = os.read(key.fd, 65536)
            if not said:
                self._selector.unregister(key.fd)
                os.close(key.fd)
                said = b"\n" if self._rest.get(key.fd) else b""
            *lines, self._rest[key.fd] = (self._rest.get(key.fd, b"") + said).split(b"\n")
            for line in lines:
                key.data(line.decode(errors="replace"))

    def restart_ended(self) -> list[tuple[str, int]]:
        """Start again what ended; return names and statuses, or raise KeepsFailing for what ends at once."""
        ended = []
        now = time.monotonic()
        for child in self._children:
            if child.process.poll() is None or now < child.started_at + RESTART_SECONDS:
                continue
            child.quick_ends = child.quick_ends + 1 if now - child.started_at < QUICK_SECONDS else 0
            if child.quick_ends >= MOST_QUICK_ENDS:
                raise KeepsFailing(child.name)
            ended.append((child.name, child.process.returncode))
            child.process = self._popen(child.command, partial(self.write, child.name))
            child.started_at = now
        return ended

    def stop(self) -> None:
        """Stop all children, last started first, and whatever they started."""
        for child in reversed(self._children):
            with suppress(ProcessLookupError):
                child.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while time.monotonic() < deadline and any(child.process.poll() is None for child in self._children):
            self.pump(0.05)
        for child in self._children:
            _end(child.process, deadline)
        self._children.clear()
        self.pump(0)

    def _popen(self, command: list[str], hear: Callable[[str], None]) -> "subprocess.Popen[bytes]":
        reading, writing = os.pipe()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.STDOUT,
            env=self.environment,
            cwd=self.directory,
            start_new_session=True,
            preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509 - there are no threads
        )
        os.close(writing)
        self._listen(reading, hear)
        return process

    def _listen(self, descriptor: int, hear: Callable[[str], None]) -> None:
        self._selector.register(descriptor, selectors.EVENT_READ, hear)


def _end(process: "subprocess.Popen[bytes]", deadline: float) -> None:
    """Make sure that the process and all of its session are gone."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, deadline - time.monotonic()))
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
