"""Whom the site posts to: nobody in its own network, and nobody but whom it looked at."""

import socket
import ssl
from ipaddress import ip_address
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ValidationError

from games.hooks import posting
from games.hooks.addresses import NotReachable, address_of, check_url, may_post_to
from games.hooks.posting import post
from tests.hooks.receiver import CERTIFICATE, receiving

PRIVATE = [
    "127.0.0.1", "127.8.9.10", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1",
    "::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "fec0::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::",
    "2002:a00:1::1", "2001:0:7f00:1::",
]  # fmt: skip
PUBLIC = ["93.184.216.34", "8.8.8.8", "172.32.0.1", "2606:4700:4700::1111", "64:ff9b::808:808"]


@pytest.fixture
def served(settings):
    """A site that others can reach."""
    settings.IS_LOCAL = False


def names(monkeypatch, *answers: list[str]) -> list[str]:
    """Let names lead to `answers`, one after the other; return the list of what was asked for."""
    asked: list[str] = []
    left = list(answers)

    def look_up(host, port, *_, **__):
        asked.append(host)
        found = left.pop(0) if left else []
        if not found:
            raise socket.gaierror
        return [
            (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port))
            for each in found
        ]

    # In the module alone: what connects to a plain address asks as well, and shall.
    monkeypatch.setattr("games.hooks.addresses.getaddrinfo", look_up)
    return asked


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_of_the_sites_own_network_are_refused(served, address):
    assert not may_post_to(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_internet_are_taken(served, address):
    assert may_post_to(ip_address(address))


def test_a_site_that_only_this_machine_reaches_posts_to_it_too():
    assert may_post_to(ip_address("127.0.0.1"))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "https://", "ftp://example.org/", "example.org", "https://user@example.org/",
        "https://user:word@example.org/", "https://example.org/#part", "https://example.org:99999/",
        "https://exa mple.org/", "https://example.org/\r\nX: y", "https://bücher.example/", "https://10.0.0.1/",
        "https://127.0.0.1:8000/", "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/x",
        "javascript:alert(1)", "",
    ],
)  # fmt: skip
def test_addresses_that_cannot_be_a_webhook_are_refused_when_they_are_given(served, url):
    with pytest.raises(ValidationError):
        check_url(url)


@pytest.mark.parametrize(
    "url", ["https://example.org", "https://example.org:8443/a/b?c=d%20e", "https://8.8.8.8/"]
)
def test_ordinary_addresses_are_taken(served, url):
    assert check_url(url) == url


def test_a_name_that_leads_inside_is_refused_though_another_address_of_it_does_not(served, monkeypatch):
    names(monkeypatch, ["93.184.216.34", "10.0.0.1"])

    with pytest.raises(NotReachable, match="private_address"):
        address_of(urlsplit("https://rebound.example/"))


def test_an_unknown_name_is_refused(served, monkeypatch):
    names(monkeypatch)

    with pytest.raises(NotReachable, match="unknown_host"):
        address_of(urlsplit("https://nowhere.example/"))


def test_an_address_stored_while_the_site_was_local_is_refused_later(served):
    with pytest.raises(NotReachable, match="not_https"):
        address_of(urlsplit("http://example.org/"))


def test_nothing_reaches_a_server_of_this_machine_once_the_site_is_served(served, monkeypatch):
    names(monkeypatch, ["127.0.0.1"])
    with receiving(tls=True) as receiver:
        with pytest.raises(NotReachable, match="private_address"):
            post(f"https://hooks.test:{receiver.port}/", b"{}", {})

        assert receiver.bodies == []


def test_the_connection_goes_to_the_address_that_was_checked_under_its_name(monkeypatch):
    """Asked a second time, the name would lead elsewhere."""
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    monkeypatch.setattr(posting, "_tls", lambda: trusting)
    with receiving(tls=True) as receiver:
        asked = names(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])

        status = post(f"https://hooks.test:{receiver.port}/a?b=c", b"{}", {"webhook-id": "msg_1"})

        assert status == 200
        assert asked == ["hooks.test"]
        assert receiver.headers[0]["Host"] == f"hooks.test:{receiver.port}"
        assert receiver.headers[0]["path"] == "/a?b=c"
        assert receiver.bodies == [b"{}"]


def test_a_certificate_of_nobody_or_of_another_name_is_refused(monkeypatch):
    with receiving(tls=True) as receiver:
        names(monkeypatch, ["127.0.0.1"])
        with pytest.raises(NotReachable, match="tls"):
            post(f"https://hooks.test:{receiver.port}/", b"{}", {})

        trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
        monkeypatch.setattr(posting, "_tls", lambda: trusting)
        names(monkeypatch, ["127.0.0.1"])
        with pytest.raises(NotReachable, match="tls"):
            post(f"https://other.test:{receiver.port}/", b"{}", {})

        assert receiver.bodies == []


def test_a_server_that_does_not_speak_tls_is_refused(monkeypatch):
    with receiving() as receiver:
        names(monkeypatch, ["127.0.0.1"])

        with pytest.raises(NotReachable, match="tls"):
            post(f"https://hooks.test:{receiver.port}/", b"{}", {})


def test_a_server_that_keeps_silent_in_the_handshake_ends_in_time(monkeypatch):
    monkeypatch.setattr(posting, "TIMEOUT", 0.3)
    names(monkeypatch, ["127.0.0.1"])
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(NotReachable, match="timeout"):
        post(f"https://hooks.test:{silent.getsockname()[1]}/", b"{}", {})
