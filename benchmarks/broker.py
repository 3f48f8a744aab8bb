"""Turns while the broker is away, beside turns of the same minute with it."""

import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.http import Caller, server
from benchmarks.measure import row, seconds
from benchmarks.people import club_with, games_for, members_of

TURNS = 600


class Table:
    """Games of two, taken turn by turn over HTTP from one server."""

    def __init__(self, port: int) -> None:
        self.club = club_with(2)
        self.callers = {
            seat: Caller(port, member) for seat, member in zip("AB", members_of(self.club), strict=True)
        }
        self.numbers = iter(range(1_000_000))
        self.deal()

    def deal(self) -> None:
        self.game = games_for(self.club, 1)[0]

    def next_turn(self) -> Callable[[], None]:
        """Look up what may be played and return the request that plays it."""
        path = f"/api/v1/games/{self.game.pk}"
        turn = self.callers["A"].call("GET", path)["position"]["turn"]["seat"]
        if turn is None:
            self.deal()
            return self.next_turn()
        caller = self.callers[turn]
        legal = caller.call("GET", f"{path}/legal")
        plays = [a for a in legal["actions"] if a["act"] in ("place", "remove", "pass")] or legal["actions"]
        action = plays[len(plays) // 2]
        action.pop("claims", None)
        headers = {"If-Match": f'"v{legal["version"]}"', "Idempotency-Key": f"k{next(self.numbers)}"}
        return lambda: caller.call("POST", f"{path}/turns", action, **headers)


@contextmanager
def stopped() -> Iterator[str]:
    yield "redis+socket:///nowhere/broker.sock?virtual_host=0"


@contextmanager
def silent() -> Iterator[str]:
    """Yield the address of a server that takes connections and never says a word."""
    with tempfile.TemporaryDirectory(prefix="sequence-silent-") as directory:
        place = Path(directory) / "broker.sock"
        with socket.socket(socket.AF_UNIX) as server_socket:
            server_socket.bind(str(place))
            server_socket.listen(128)
            yield f"redis+socket://{place}?virtual_host=0"


def turns_with_a_stopped_broker() -> dict[str, Any]:
    """The 99th of a hundred turns with nobody at the broker's address."""
    return _measure("stopped", stopped)


def turns_with_a_silent_broker() -> dict[str, Any]:
    """The 99th of a hundred turns with a broker that takes connections and keeps silent."""
    return _measure("silent", silent)


def _measure(name: str, broker: Callable[[], Any]) -> dict[str, Any]:
    with broker() as url, server(BROKER_URL=url) as without, server() as beside:
        tables = Table(without), Table(beside)
        pairs = []
        for number in range(TURNS):
            turns = [table.next_turn() for table in tables]
            # Each goes first in half of the rounds.
            order = (0, 1) if number % 2 else (1, 0)
            times = {place: seconds(turns[place]) for place in order}
            pairs.append((times[0], times[1]))
    ours, reference = (_p99([pair[place] for pair in pairs[5:]]) for place in (0, 1))
    return row(
        f"turn over HTTP with the broker {name}, p99 of {len(pairs) - 5}",
        ours * 1000,
        "ms",
        reference * 1000,
        ratio=ours / reference,
        reach="1.1x the same with the broker there",
        ok=ours / reference <= 1.1,
    )


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]
