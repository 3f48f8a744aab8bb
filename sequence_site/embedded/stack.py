"""What a management command needs: the embedded servers that no address replaces."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from django.conf import settings

from sequence_site.embedded.servers import Postgres, Server, Valkey

# These touch neither database nor broker, or (demo, doctor) see to the servers themselves.
COMMANDS_WITHOUT_SERVERS = {
    *("help", "--help", "-h", "version", "--version", "check", "diffsettings", "findstatic"),
    *("collectstatic", "translations", "makemessages", "spectacular", "startapp", "demo", "doctor"),
}


def embedded_servers(*, output: Callable[[str], int] | None = None) -> list[Server]:
    """Return the servers of this installation that are embedded ones, not started.

    `output` gives, by a server's name, the descriptor that it writes its log to; else it writes to a file.
    """
    servers: list[Server] = []
    if settings.DATABASE_IS_EMBEDDED:
        pipe = output(Postgres.name) if output else None
        servers.append(Postgres(settings.EMBEDDED, pg_bin=settings.PG_BIN, output=pipe))
    if settings.BROKER_IS_EMBEDDED:
        pipe = output(Valkey.name) if output else None
        servers.append(Valkey(settings.EMBEDDED, output=pipe))
    return servers


@contextmanager
def servers_for(command: str) -> Iterator[None]:
    """Start or adopt what `command` needs, and stop at the end what was started."""
    with ExitStack() as stack:
        if command not in COMMANDS_WITHOUT_SERVERS:
            keep_secret_key()
            for server in embedded_servers():
                stack.callback(server.stop)
                server.start_or_adopt()
        yield


def keep_secret_key() -> None:
    """Write the key that this process made up into the file where the next one looks."""
    if not settings.SECRET_KEY_IS_GENERATED or settings.SECRET_KEY_FILE.exists():
        return
    settings.SECRET_KEY_FILE.parent.mkdir(parents=True, exist_ok=True)
    try:
        file = os.open(settings.SECRET_KEY_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(file, "w", encoding="ascii") as opened:
        opened.write(settings.SECRET_KEY)
