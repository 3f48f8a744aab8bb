"""Mail servers that take what they get, and servers that do what servers do on bad days."""

import email
import email.policy
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller


class Mailbox:
    """What a server took: bytes, as they came."""

    def __init__(self, answers: dict[str, str] | None = None) -> None:
        self.answers = answers or {}  # to RCPT, by address
        self.taken: list[tuple[list[str], bytes]] = []
        self.refuses_data = ""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if answer := self.answers.get(address):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.refuses_data:
            return self.refuses_data
        self.taken.append((envelope.rcpt_tos, envelope.original_content))
        return "250 OK"

    @property
    def messages(self) -> list[EmailMessage]:
        parsed = [email.message_from_bytes(raw, policy=email.policy.default) for _to, raw in self.taken]
        return [message for message in parsed if isinstance(message, EmailMessage)]


@contextmanager
def smtp_server(mailbox: Mailbox, port: int = 0) -> Iterator[int]:
    controller = Controller(mailbox, hostname="127.0.0.1", port=port or free_port())
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def raw_server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Listen, and let `talk` have each connection; it ends when the test does."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        opened: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _address = listening.accept()
                except OSError:
                    return
                opened.append(connection)
                with suppress(OSError):
                    talk(connection)

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield listening.getsockname()[1]
        finally:
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            for connection in opened:
                connection.close()


def says_nothing(connection: socket.socket) -> None:
    connection.recv(1)


class TakesAndDrops:
    """Speaks SMTP as far as the end of a mail, keeps it, and hangs up before or right after its 250."""

    def __init__(self, *, answers: bool) -> None:
        self.answers = answers
        self.taken: list[bytes] = []

    def __call__(self, connection: socket.socket) -> None:
        with connection.makefile("rwb") as stream:

            def say(line: bytes) -> None:
                stream.write(line + b"\r\n")
                stream.flush()

            say(b"220 here")
            while line := stream.readline():
                if line.upper().startswith(b"DATA"):
                    say(b"354 go on")
                    lines = []
                    while (part := stream.readline()) not in (b".\r\n", b""):
                        lines.append(part)
                    self.taken.append(b"".join(lines))
                    if self.answers:
                        say(b"250 taken")
                    break
                say(b"250 OK")
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()
