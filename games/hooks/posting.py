"""One POST to somebody else's server: to the address that was checked, without redirects, within seconds."""

import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from http.client import HTTPConnection, HTTPException
from threading import Event, Timer
from urllib.parse import urlsplit

from games.hooks.addresses import NotReachable, address_of

TIMEOUT = 5
"""Seconds for all of it, from the name to the answer: a receiver that answers a byte a second is too slow."""


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send `body` and return the status of the answer, of which nothing else is read; raises NotReachable."""
    parts = urlsplit(url)
    ends = time.monotonic() + TIMEOUT
    address, port = address_of(parts, seconds=TIMEOUT)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    is_late = Event()
    try:
        with socket.create_connection((address, port), _left(ends)) as plain:
            opened = _in_tls(plain, parts.hostname) if parts.scheme == "https" else plain
            watch = Timer(_left(ends), _end, [opened, is_late])
            watch.daemon = True
            watch.start()
            with opened:
                try:
                    return _exchange(opened, parts.netloc, target, body, headers)
                finally:
                    watch.cancel()
    except (HTTPException, OSError) as error:
        if is_late.is_set() or isinstance(error, TimeoutError):
            raise NotReachable("timeout") from error
        raise NotReachable("tls" if isinstance(error, ssl.SSLError) else "no_answer") from error


def _left(ends: float) -> float:
    return max(ends - time.monotonic(), 0.01)


def _in_tls(plain: socket.socket, name: str | None) -> ssl.SSLSocket:
    return _tls().wrap_socket(plain, server_hostname=name, do_handshake_on_connect=False)


def _exchange(opened: socket.socket, host: str, target: str, body: bytes, headers: Mapping[str, str]) -> int:
    connection = HTTPConnection(host)
    connection.sock = opened
    try:
        if isinstance(opened, ssl.SSLSocket):
            opened.do_handshake()
        connection.putrequest("POST", target, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": host, **headers, "Content-Length": str(len(body))}.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        return connection.getresponse().status
    finally:
        connection.close()


def _end(opened: socket.socket, is_late: Event) -> None:
    """Wake whoever waits for this connection, with the end of it."""
    is_late.set()
    with suppress(OSError):
        # Not as TLS has it: that would take the connection from under the thread that reads.
        socket.socket.shutdown(opened, socket.SHUT_RDWR)


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
