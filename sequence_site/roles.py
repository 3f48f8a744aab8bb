"""The rights of the app's database role: everything in the schema but changing events."""

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

# Whatever is not named here the app may read and write.
NARROW_RIGHTS = {
    "play_event": "SELECT, INSERT",
    "play_dealsource": "SELECT, INSERT",
    "django_migrations": "SELECT",
}
RIGHTS = "SELECT, INSERT, UPDATE, DELETE"


def app_role() -> str:
    """Return the name of the role that the site connects as."""
    return str(settings.APP_ROLE)


def grant_rights(connection: BaseDatabaseWrapper | None = None) -> bool:
    """Give the app's role its rights on every table, as the owner; return False where there is one role only.

    Idempotent: rights that a table should not have (any more) are taken back in the same transaction.
    """
    connection = connection or connections["default"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        if cursor.fetchone()[0] == app_role():
            return False
        tables = connection.introspection.table_names(cursor)
        role = sql.Identifier(app_role())
        statements = [
            sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(role),
            sql.SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}").format(role),
        ]
        for table in sorted(tables):
            name = sql.Identifier(table)
            rights = sql.SQL(NARROW_RIGHTS.get(table, RIGHTS))
            statements.append(sql.SQL("REVOKE ALL ON {} FROM {}").format(name, role))
            statements.append(sql.SQL("GRANT {} ON {} TO {}").format(rights, name, role))
        # One round trip, one transaction: the app never sees itself without rights.
        script = sql.SQL("; ").join([sql.SQL("BEGIN"), *statements, sql.SQL("COMMIT")])
        cursor.execute(script.as_string())
    return True
