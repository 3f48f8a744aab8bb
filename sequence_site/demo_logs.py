"""What the demo's processes say: all of it into files, and to the terminal only what asks for somebody."""

import re
from collections import defaultdict, deque
from pathlib import Path

# A log that grew beyond this begins anew at the next start.
LARGEST_BYTES = 5_000_000
KEPT_LAST = 12
# As PostgreSQL, gunicorn, Celery and Django write their levels.
GRAVE = re.compile(r"\b(ERROR|FATAL|PANIC|CRITICAL)\b")
# "... is starting up", "... is in recovery mode": a server that comes or goes refuses us for a moment.
HARMLESS = "the database system is "


class Logs:
    """One file in `directory` for each process; the last lines of each are remembered."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._last: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=KEPT_LAST))

    def open(self) -> None:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        for log in self.directory.glob("*.log"):
            if log.stat().st_size > LARGEST_BYTES:
                log.unlink()

    def keep(self, name: str, line: str) -> None:
        with self.path(name).open("a", encoding="utf-8") as log:
            log.write(f"{line}\n")
        self._last[name].append(line)

    def path(self, name: str) -> Path:
        return self.directory / f"{name}.log"

    def last(self, name: str) -> list[str]:
        return list(self._last[name])


def is_grave(line: str) -> bool:
    """Tell whether somebody should see this line at once."""
    return GRAVE.search(line) is not None and HARMLESS not in line
