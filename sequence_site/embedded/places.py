"""Where the embedded servers keep their data and listen: paths and URLs, computed, nothing touched."""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

DATABASE = "sequence"
SUPERUSER = "postgres"
OWNER_ROLE = "sequence_owner"
APP_ROLE = "sequence_app"

# sockaddr_un holds 108 bytes on Linux and 104 elsewhere; clients and lock files append to the path.
LONGEST_SOCKET_PATH = 80
POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"


@dataclass(frozen=True)
class Places:
    """The directories of one embedded pair: each server has a home (data, log) and a socket directory."""

    key: str
    postgres: Path
    postgres_sockets: Path
    valkey: Path
    valkey_sockets: Path

    @property
    def valkey_socket(self) -> Path:
        return self.valkey_sockets / VALKEY_SOCKET

    def database_url(self, role: str, database: str = DATABASE) -> str:
        return f"postgresql://{role}@{quote(str(self.postgres_sockets), safe='')}/{database}"

    def broker_url(self, virtual_host: int = 0) -> str:
        return f"redis+socket://{self.valkey_socket}?virtual_host={virtual_host}"


def places_in(var: Path) -> Places:
    """Return where the servers of the data directory `var` live."""
    var = var.absolute()
    key = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    postgres = var / "postgres"
    if os.geteuid() == 0 and not reachable_by_others(var):
        # PostgreSQL refuses root and runs as nobody, who cannot pass a closed home directory.
        postgres = Path("/var/lib") / f"sequence-{key}" / "postgres"
    valkey = var / "valkey"
    sockets = Path("/tmp") / f"sequence-{os.geteuid()}-{key}"  # noqa: S108 - made 0700, its owner is checked
    return Places(
        key=key,
        postgres=postgres,
        postgres_sockets=postgres if _can_hold(postgres / POSTGRES_SOCKET) else sockets / "postgres",
        valkey=valkey,
        valkey_sockets=valkey if _can_hold(valkey / VALKEY_SOCKET) else sockets / "valkey",
    )


def reachable_by_others(path: Path) -> bool:
    """Tell whether every existing directory on the way to `path` lets other users pass."""
    return all(not part.exists() or part.stat().st_mode & 0o001 for part in (path, *path.parents))


def _can_hold(socket: Path) -> bool:
    """Tell whether the path is short, and plain enough for three kinds of URL (libpq splits at commas)."""
    is_plain = re.fullmatch(r"[\w./+-]+", str(socket), re.ASCII) is not None
    return is_plain and len(os.fsencode(socket)) < LONGEST_SOCKET_PATH
