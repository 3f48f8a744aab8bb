"""The database itself refuses to change events: the app's role has no right, the owner meets triggers."""

from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction

from games.play import log
from games.play.log import Event
from games.play.models import Game
from tests.builders import NOW
from tests.play.builders import make_game, play_one

CHANGES = (
    "UPDATE play_event SET body = body",
    "DELETE FROM play_event",
    "TRUNCATE play_event",
    "TRUNCATE play_event CASCADE",
)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", CHANGES)
def test_the_apps_role_has_no_right_to_change_events(
    change: str, app_role_connection: "psycopg.Connection[Any]"
) -> None:
    make_game(2)

    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app_role_connection.execute(change)

    row = app_role_connection.execute("SELECT count(*) FROM play_event").fetchone()
    assert row == (4,)


@pytest.mark.django_db(transaction=True)
def test_the_apps_role_cannot_switch_the_guards_off(app_role_connection: "psycopg.Connection[Any]") -> None:
    for statement in (
        "ALTER TABLE play_event DISABLE TRIGGER USER",
        "DROP TRIGGER play_event_no_change ON play_event",
        "DROP TABLE play_event",
        "SET session_replication_role = replica",
    ):
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.DependentObjectsStillExist)):
            app_role_connection.execute(statement)


@pytest.mark.django_db
@pytest.mark.parametrize("change", CHANGES)
def test_the_owner_meets_triggers_that_no_setting_turns_off(change: str) -> None:
    make_game(2)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        # The test database's own exception, so that tables can be emptied between tests.
        cursor.execute("ALTER TABLE play_event ENABLE ALWAYS TRIGGER play_event_no_truncate")

    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(change)


@pytest.mark.django_db
def test_saving_an_event_again_changes_nothing() -> None:
    game = make_game(2)
    event = Event.objects.filter(game=game).earliest("number")
    event.body = "{}"

    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        event.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        event.save(force_insert=True)

    assert Event.objects.get(pk=event.pk).body != "{}"


@pytest.mark.django_db
def test_two_events_cannot_have_one_number() -> None:
    game = make_game(2)
    play_one(game)
    draft = log.Draft("TurnPassed", {"seat": "A"}, 0)

    with pytest.raises(log.HeadMoved), transaction.atomic():
        log.append(game, [draft], actor=None, now=NOW)
    Game.objects.filter(pk=game.pk).update(version=game.version)
    with pytest.raises(IntegrityError, match="event_game_number"), transaction.atomic():
        log.append(game, [draft], actor=None, now=NOW)


@pytest.mark.parametrize(
    "body", [{"a": "\x00"}, {"a": "\ud800"}, {"a": float("nan")}, {"a": float("inf")}], ids=str
)
def test_what_postgresql_or_json_cannot_hold_is_no_body(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - UnicodeEncodeError is one too
        log.canonical(body)


def test_a_body_has_one_text() -> None:
    assert log.canonical({"b": [1, "é"], "a": {}}) == '{"a":{},"b":[1,"é"]}'
