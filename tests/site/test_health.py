import pytest
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from kombu import Connection

from sequence_site.celery import app as celery_app


def test_live_answers_without_a_database(client: Client) -> None:
    answer = client.get("/healthz/live")

    assert answer.status_code == 200
    assert answer["Cache-Control"].startswith("max-age=0")


@pytest.mark.django_db
def test_ready_when_all_is_there(client: Client) -> None:
    answer = client.get("/healthz/ready")

    assert (answer.status_code, answer.json()) == (
        200,
        {"database": "ok", "migrations": "ok", "broker": "ok"},
    )


@pytest.mark.django_db
def test_not_ready_without_a_broker(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = Connection("redis+socket:///nowhere/valkey.sock")
    monkeypatch.setattr(celery_app, "connection_for_write", lambda: nowhere)

    answer = client.get("/healthz/ready")

    assert answer.status_code == 503
    assert answer.json() == {"database": "ok", "migrations": "ok", "broker": "the broker does not answer"}


@pytest.mark.django_db
@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_not_ready_without_a_database(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: type[Exception],
) -> None:
    def refuse(*_args: object) -> None:
        raise error("gone")

    monkeypatch.setattr(connection, "cursor", refuse)

    answer = client.get("/healthz/ready")

    assert answer.status_code == 503
    assert answer.json()["database"] == "the database does not answer"
    assert [record.getMessage() for record in caplog.records] == [
        "not ready: the database does not answer; the schema cannot be read"
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("error", [NodeNotFoundError("gone", ("play", "0002")), SyntaxError("half")])
def test_not_ready_while_the_migrations_cannot_be_loaded(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def fail(*_args: object) -> None:
        raise error

    monkeypatch.setattr(MigrationLoader, "build_graph", fail)

    answer = client.get("/healthz/ready")

    reason = f"the migrations cannot be loaded ({type(error).__name__})"
    assert answer.status_code == 503
    assert answer.json() == {"database": "ok", "migrations": reason, "broker": "ok"}
    (record,) = caplog.records
    assert (record.getMessage(), record.exc_info) == (f"not ready: {reason}", None)


@pytest.mark.django_db
def test_not_ready_while_a_migration_is_missing(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'clubs'")

    answer = client.get("/healthz/ready")

    assert answer.status_code == 503
    assert "not applied" in answer.json()["migrations"]
