"""The file in which a running demo says where it is: so other commands need not guess its address.

The demo locks the file for as long as it lives, whatever ends it. A file without a lock says nothing.
"""

import fcntl
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FILE = "demo.running"
LOCK_SECONDS = 1.0  # readers hold the lock too, for an instant
READY = "ready"


@dataclass(frozen=True)
class RunningDemo:
    """A demo that lives now; `is_ready` once everything in it answers."""

    url: str
    is_ready: bool


def running_demo(var: Path) -> RunningDemo | None:
    """Return the demo that runs in the data directory `var`, if one does."""
    try:
        with (var / FILE).open(encoding="utf-8") as file:
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return None
            url, *more = file.read().splitlines() or [""]
    except OSError:
        return None
    return RunningDemo(url, READY in more) if url else None


class Announcement:
    """What a demo says of itself; nothing where another demo of the same directory was sooner."""

    def __init__(self, var: Path, url: str) -> None:
        var.mkdir(parents=True, exist_ok=True)
        self._file = os.open(var / FILE, os.O_RDWR | os.O_CREAT, 0o644)
        self.is_ours = self._lock()
        if self.is_ours:
            os.ftruncate(self._file, 0)
            os.write(self._file, f"{url}\n".encode())

    def _lock(self) -> bool:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    return False
                time.sleep(0.02)
            else:
                return True

    def ready(self) -> None:
        if self.is_ours:
            os.write(self._file, f"{READY}\n".encode())
