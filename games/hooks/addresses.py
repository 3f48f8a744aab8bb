"""Which addresses may be posted to: none inside the network that the site runs in."""

from concurrent.futures import Future
from concurrent.futures import TimeoutError as OutOfTime
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from socket import SOCK_STREAM, getaddrinfo
from threading import Thread
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext

Address = IPv4Address | IPv6Address

# Python calls these global, but packets to them end up wherever the IPv4 address inside says.
NAT64 = ip_network("64:ff9b::/96")


class NotReachable(Exception):
    """Nothing may be posted there; `code` is a word for why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def check_url(url: str) -> str:
    """Return `url` if it can be the address of a webhook; raises ValidationError.

    It is https; a site that only this machine can reach also posts over http, and to private addresses.
    """
    schemes = ["https", "http"] if settings.IS_LOCAL else ["https"]
    URLValidator(schemes=schemes, message=gettext("Give an address that begins with https://."))(url)
    parts = urlsplit(url)
    if not url.isascii() or "@" in parts.netloc or "#" in url:
        raise ValidationError(gettext("Write the address in ASCII, without a name, a password or a #."))
    try:
        parts.port  # noqa: B018 - looks whether it is a number that a port can have
    except ValueError as error:
        raise ValidationError(gettext("There is no such port.")) from error
    try:
        literal = ip_address(parts.hostname or "")
    except ValueError:
        return url
    if not may_post_to(literal):
        raise ValidationError(gettext("Nothing is posted to private addresses."))
    return url


def address_of(parts: SplitResult, *, seconds: float = 5) -> tuple[str, int]:
    """Return one IP address and the port to connect to; raises NotReachable.

    Whoever connects must use this very address: asked again, a name may lead elsewhere.
    """
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if parts.scheme != "https" and not settings.IS_LOCAL:
        raise NotReachable("not_https")
    try:
        found = _found(parts.hostname, port, seconds)
    except (OSError, UnicodeError) as error:
        raise NotReachable("unknown_host") from error
    addresses = [str(entry[4][0]) for entry in found]
    if not all(may_post_to(ip_address(address)) for address in addresses):
        raise NotReachable("private_address")
    return addresses[0], port


def _found(host: str | None, port: int, seconds: float) -> list[Any]:
    """Ask for the addresses of `host`; the resolver of the system waits for as long as it likes."""
    outcome: Future[list[Any]] = Future()

    def ask() -> None:
        try:
            outcome.set_result(getaddrinfo(host, port, type=SOCK_STREAM))
        except Exception as error:
            outcome.set_exception(error)

    Thread(target=ask, daemon=True).start()
    try:
        return outcome.result(seconds)
    except OutOfTime:
        if outcome.done():  # the resolver's own time-out
            raise
        raise NotReachable("timeout") from None


def may_post_to(address: Address) -> bool:
    """Tell whether `address` is somebody else's, out in the internet."""
    if settings.IS_LOCAL:
        return True
    return _is_public(address)


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(inner)
        if address.teredo is not None or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved
