import psycopg
import pytest
from psycopg import errors

from sequence_site.roles import grant_rights

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_app_writes_tables_but_owns_none(app_role_connection: psycopg.Connection) -> None:
    owned = app_role_connection.execute("SELECT count(*) FROM pg_tables WHERE tableowner = current_user")
    assert owned.fetchone() == (0,)

    app_role_connection.execute("UPDATE django_session SET expire_date = expire_date")
    with pytest.raises(errors.InsufficientPrivilege):
        app_role_connection.execute("ALTER TABLE django_session ADD COLUMN more text")
    with pytest.raises(errors.InsufficientPrivilege):
        app_role_connection.execute("TRUNCATE django_session")
    with pytest.raises(errors.InsufficientPrivilege):
        app_role_connection.execute("CREATE TABLE own (id int)")


def test_the_app_cannot_write_the_history_of_migrations(app_role_connection: psycopg.Connection) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        app_role_connection.execute("DELETE FROM django_migrations")


def test_granting_again_takes_back_what_the_app_should_not_have(
    superuser_connection: psycopg.Connection, app_role_connection: psycopg.Connection
) -> None:
    superuser_connection.execute("GRANT ALL ON django_migrations TO sequence_app")

    assert grant_rights()

    with pytest.raises(errors.InsufficientPrivilege):
        app_role_connection.execute("DELETE FROM django_migrations")
