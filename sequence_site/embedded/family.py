"""What the system tells about processes: to a child that its parent died, to us who runs."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(stop_signal: signal.Signals) -> Callable[[], None] | None:
    """Return what a child runs before its program, so that it gets `stop_signal` when we die (Linux only)."""
    if _libc is None:
        return None
    libc, parent = _libc, os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(stop_signal))
        if os.getppid() != parent:
            os._exit(1)  # the parent died before the question was put

    return ask


def processes_with(signs: tuple[bytes, ...]) -> list[int]:
    """Return the pids of processes whose command line has one of `signs`; a zombie has none."""
    me = os.getpid()
    return [pid for pid, line in _command_lines() if pid != me and any(sign in line for sign in signs)]


def _command_lines() -> list[tuple[int, bytes]]:
    if sys.platform == "linux":
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with suppress(OSError):
                    found.append((int(entry.name), (entry / "cmdline").read_bytes()))
        return found
    listing = subprocess.run(["/bin/ps", "-axwwo", "pid=,args="], check=True, capture_output=True).stdout
    lines = [line.split(None, 1) for line in listing.splitlines()]
    return [(int(line[0]), line[1].replace(b" ", b"\0")) for line in lines if len(line) == 2]
