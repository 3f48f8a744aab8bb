"""The site in one process that kills itself at a named point of the next turn: `python -m` this.

KILL_AT names the point, or is empty for a server that lives; PORT is where it listens.
"""

import os
import signal
from collections.abc import Callable
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

POINTS = (
    "the game is locked",
    "the events are loaded",
    "the events are appended",
    "the seats are projected",
    "the mails are written",
    "the receipt is stored",
    "before the commit",
    "after the commit",
    "before the answer",
)


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dying_after(original: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        die()
        return result

    return wrapper


def arm(point: str) -> None:
    """Make the process die at `point`."""
    from django.db.backends.postgresql.base import DatabaseWrapper

    from games.play import log
    from games.play.api import turns as api_turns
    from games.play.models import Receipt
    from games.play.services import requests

    if point == "the game is locked":
        requests.lock_game = dying_after(requests.lock_game)
    elif point == "the events are loaded":
        requests.load_rest = dying_after(requests.load_rest)
    elif point == "the events are appended":
        log.append = dying_after(log.append)
    elif point == "the seats are projected":
        requests.save_seats = dying_after(requests.save_seats)
    elif point == "the mails are written":
        requests.tell_turn = dying_after(requests.tell_turn)
    elif point == "the receipt is stored":
        Receipt.objects.create = dying_after(Receipt.objects.create)  # type: ignore[method-assign]
    elif point == "before the commit":
        DatabaseWrapper._commit = lambda self: die()
    elif point == "after the commit":
        DatabaseWrapper._commit = dying_after(DatabaseWrapper._commit)
    elif point == "before the answer":
        api_turns.take_turn = dying_after(api_turns.take_turn)
    elif point:
        raise SystemExit(f"no point is called {point!r}")


def main() -> None:
    from sequence_site.wsgi import application

    arm(os.environ.get("KILL_AT", ""))
    make_server("127.0.0.1", int(os.environ["PORT"]), application, handler_class=Quiet).serve_forever()


if __name__ == "__main__":
    main()
