import ast
import runpy
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from sequence_site.embedded.places import places_in
from tests.conftest import PROJECT

SETTINGS = PROJECT / "sequence_site" / "settings.py"
NAMES = (
    "PUBLIC_URL",
    "SECRET_KEY",
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "DATABASE_ROLE",
    "BROKER_URL",
    "DEBUG",
    "EMAIL_URL",
    "EMAIL_BACKEND",
    "ANYMAIL",
)


def settings_with(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, Any]:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(SETTINGS))


def test_every_setting_read_from_the_environment_is_in_the_operations_page() -> None:
    page = (PROJECT / "docs" / "operations.md").read_text()

    names = {
        node.args[0].value
        for node in ast.walk(ast.parse(SETTINGS.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "env"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value
    }

    assert len(names) > 10
    assert [name for name in sorted(names) if f"| `{name}` |" not in page] == []


def test_the_public_address_decides_hosts_origins_and_cookies(monkeypatch: pytest.MonkeyPatch) -> None:
    found = settings_with(monkeypatch, PUBLIC_URL="https://play.example.org/", SECRET_KEY="x")

    assert found["PUBLIC_URL"] == "https://play.example.org"
    assert found["ALLOWED_HOSTS"] == ["play.example.org"]
    assert found["CSRF_TRUSTED_ORIGINS"] == ["https://play.example.org"]
    assert found["SESSION_COOKIE_SECURE"] is found["CSRF_COOKIE_SECURE"] is True
    assert not found["HAS_INBOX"]


@pytest.mark.parametrize(
    "address", ["play.example.org", "ftp://example.org", "https://example.org/games", ""]
)
def test_an_address_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="PUBLIC_URL"):
        settings_with(monkeypatch, PUBLIC_URL=address, SECRET_KEY="x")


def test_a_public_site_must_be_given_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        settings_with(monkeypatch, PUBLIC_URL="https://play.example.org")


def test_settings_start_and_write_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    found = settings_with(monkeypatch, VAR_DIR=str(tmp_path / "var"))

    assert found["DATABASES"]["default"]["USER"] == "sequence_app"
    assert found["DATABASES"]["default"]["HOST"] == str(places_in(tmp_path / "var").postgres_sockets)
    assert found["BROKER_URL"].startswith("redis+socket:///")
    assert list(tmp_path.iterdir()) == []


def test_the_owner_is_asked_for_by_role(monkeypatch: pytest.MonkeyPatch) -> None:
    urls = {
        "DATABASE_URL": "postgresql://app:one@host/sequence",
        "DATABASE_OWNER_URL": "postgresql://owner:two@host/sequence",
    }

    as_app = settings_with(monkeypatch, **urls)
    as_owner = settings_with(monkeypatch, **urls, DATABASE_ROLE="owner")

    assert as_app["DATABASES"]["default"]["USER"] == as_app["APP_ROLE"] == "app"
    assert "statement_timeout" in as_app["DATABASES"]["default"]["OPTIONS"]["options"]
    assert as_owner["DATABASES"]["default"]["USER"] == "owner"
    assert as_owner["APP_ROLE"] == "app"


def test_the_cache_is_the_brokers_server_unless_that_is_no_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    def cache_of(broker: str) -> dict[str, Any]:
        return settings_with(monkeypatch, BROKER_URL=broker)["CACHES"]["default"]

    assert cache_of("redis+socket:///run/v.sock?virtual_host=3")["LOCATION"] == "unix:///run/v.sock?db=3"
    assert cache_of("redis://host:6379/0")["LOCATION"] == "redis://host:6379/0"
    assert cache_of("amqp://host")["BACKEND"].endswith("LocMemCache")


def test_a_provider_of_mail_is_named_with_what_it_has_to_know(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = "anymail.backends.postmark.EmailBackend"
    what = "POSTMARK_SERVER_TOKEN=abc=,WEBHOOK_SECRET=name:pass"

    found = settings_with(monkeypatch, EMAIL_BACKEND=backend, ANYMAIL=what)

    assert found["EMAIL_BACKEND"] == backend
    assert not found["HAS_INBOX"]
    assert found["HEARS_OF_BOUNCES"]
    assert found["ANYMAIL"] == {
        "POSTMARK_SERVER_TOKEN": "abc=",
        "WEBHOOK_SECRET": "name:pass",
        "REQUESTS_TIMEOUT": 10,
    }


def test_without_a_secret_nobody_can_tell_of_bounces(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not settings_with(monkeypatch)["HEARS_OF_BOUNCES"]
