"""Starts or adopts the embedded servers of a directory, says which, and stops them when its input ends.

    python -m tests.site.embedded_owner DIRECTORY [UID]

With a UID, root first becomes that user, who need not be able to read this interpreter: all is imported.
"""

import os
import sys
from pathlib import Path

from sequence_site.embedded.places import places_in
from sequence_site.embedded.servers import Postgres, Valkey


def main(directory: str, uid: str = "") -> None:
    if uid:
        # Asking imports what the clients import late.
        nowhere = places_in(Path("/nowhere"))
        assert not Postgres(nowhere).answers()
        assert not Valkey(nowhere).answers()
        os.setgroups([])
        os.setgid(int(uid))
        os.setuid(int(uid))
    places = places_in(Path(directory))
    servers = (Postgres(places), Valkey(places))
    try:
        for server in servers:
            server.start_or_adopt()
        print(*("owned" if server.is_ours else "adopted" for server in servers), flush=True)
        sys.stdin.read()
    finally:
        for server in servers:
            server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
