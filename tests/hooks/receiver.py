"""A server that webhooks are posted to, on this machine."""

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CERTIFICATE = Path(__file__).parent / "hooks.test.pem"
"""Of `hooks.test`, signed by itself, with its key: for nothing but these tests."""


@dataclass
class Receiver:
    """What came, and what is answered: `statuses` one after the other, then 200."""

    port: int = 0
    statuses: list[int] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    location: str = ""
    drips: bool = False
    silent: threading.Event = field(default_factory=threading.Event)
    came: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/ring?who=me"

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers in self.headers]


@contextmanager
def receiving(*, tls: bool = False) -> Iterator[Receiver]:
    receiver = Receiver()
    receiver.silent.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.headers.append(dict(self.headers.items()) | {"path": self.path})
            receiver.bodies.append(body)
            receiver.came.set()
            receiver.silent.wait(30)
            if receiver.drips:
                self.drip()
                return
            self.send_response(receiver.statuses.pop(0) if receiver.statuses else 200)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "6")
            self.end_headers()
            self.wfile.write(b"secret")

        def drip(self) -> None:
            try:
                for byte in b"HTTP/1.1 200 " + b"O" * 500:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(0.05)
            except OSError:
                return

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass  # callers that give up are what some tests are about

    server = Server(("127.0.0.1", 0), Handler)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.silent.set()
        server.shutdown()
        server.server_close()
        thread.join()
