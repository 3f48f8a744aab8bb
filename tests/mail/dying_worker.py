"""A worker in a process that kills itself at a named point of its next delivery: `python -m` this.

KILL_AT names the point, or is empty for a worker that lives; NOW is the time of the run.
"""

import os
from collections.abc import Callable
from datetime import datetime
from typing import Any

from tests.faults.dying_server import die, dying_after

POINTS = (
    "the mail is claimed",
    "the mail is rendered",
    "before the mail is offered",
    "after the server's 250",
    "after the mail is marked",
)
CODE_POINTS = ("the codes are stored", "before the mail is offered", "after the server's 250")
DIGEST_POINTS = ("before the digest is committed", "the digest is made", "the digest is rendered")


def dying_before(original: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        die()
        return original(*args, **kwargs)

    return wrapper


def arm(point: str) -> None:
    """Make the process die at `point`."""
    from games.mail import codes, digest, leases, services
    from games.mail.models import Mail
    from games.mail.posting import Post

    if point == "the mail is claimed":
        leases.take_up = dying_after(leases.take_up)
    elif point in {"the mail is rendered", "the digest is rendered"}:
        services.render = dying_after(services.render)
    elif point == "before the mail is offered":
        Post.send = dying_before(Post.send)  # type: ignore[method-assign]
    elif point == "after the server's 250":
        Post.send = dying_after(Post.send)  # type: ignore[method-assign]
    elif point == "after the mail is marked":
        leases.finish = dying_after(leases.finish)
    elif point == "the codes are stored":
        codes.take_code_request = dying_after(codes.take_code_request)
    elif point == "before the digest is committed":
        Mail.objects.create = dying_after(Mail.objects.create)  # type: ignore[method-assign]
    elif point == "the digest is made":
        digest.gather = dying_after(digest.gather)
    elif point:
        raise SystemExit(f"no point is called {point!r}")


def main() -> None:
    import django

    django.setup()
    from games.mail import kinds
    from games.mail.services import deliver
    from tests.mail.kinds import Board, made_of

    kinds.register(made_of(Board()))
    arm(os.environ.get("KILL_AT", ""))
    deliver(now=datetime.fromisoformat(os.environ["NOW"]))


if __name__ == "__main__":
    main()
