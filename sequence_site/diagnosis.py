"""What `manage.py doctor` looks at: one function a subject, each yielding what it found."""

import smtplib
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from django.conf import settings
from django.core.cache import cache
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.utils import timezone

from games.mail.queries import outbox_health
from sequence_site.celery import app as celery_app
from sequence_site.embedded import binaries
from sequence_site.health import NotReady, check_broker, check_database, check_migrations
from sequence_site.running import running_demo

OLDEST_PYTHON = (3, 11)
OLDEST_POSTGRES = 140000
RIGHTS_OF_THE_APP = """
    SELECT has_table_privilege(current_user, c.oid, 'SELECT, INSERT'),
           has_table_privilege(current_user, c.oid, 'UPDATE, DELETE, TRUNCATE'),
           pg_has_role(current_user, c.relowner, 'MEMBER'),
           (SELECT count(*) FROM pg_trigger t
            WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgenabled = 'A')
    FROM pg_class c WHERE c.oid = to_regclass('play_event')
"""


class Level(Enum):
    """How bad a finding is: `BAD` makes the doctor's exit status 1."""

    OK = "ok"
    ODD = "odd"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `advice` says what to do about it."""

    level: Level
    text: str
    advice: str = ""


def ok(text: str) -> Finding:
    return Finding(Level.OK, text)


def odd(text: str, advice: str) -> Finding:
    return Finding(Level.ODD, text, advice)


def bad(text: str, advice: str) -> Finding:
    return Finding(Level.BAD, text, advice)


def python() -> Iterator[Finding]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info < OLDEST_PYTHON:
        yield bad(f"Python {version} is too old", "use Python 3.11 or later")
    else:
        yield ok(f"Python {version}")


def programs() -> Iterator[Finding]:
    """Look for the programs of the servers that are embedded."""
    try:
        if settings.DATABASE_IS_EMBEDDED:
            yield ok(f"PostgreSQL's programs are in {binaries.find_postgres(settings.PG_BIN)}")
        if settings.BROKER_IS_EMBEDDED:
            yield ok(f"the broker's program is {binaries.find_valkey()}")
    except binaries.MissingBinary as missing:
        yield bad("a server's program is missing", str(missing))


def database() -> Iterator[Finding]:
    where = "embedded" if settings.DATABASE_IS_EMBEDDED else "from DATABASE_URL"
    try:
        check_database()
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version_num')::int, version()")
            number, version = cursor.fetchone()
    except (NotReady, DatabaseError):
        log = settings.EMBEDDED.postgres / "server.log"
        yield bad(
            f"the database ({where}) does not answer",
            f"look into {log}" if settings.DATABASE_IS_EMBEDDED else "check DATABASE_URL",
        )
        return
    if number < OLDEST_POSTGRES:
        yield bad(f"{version} is too old", "use PostgreSQL 14 or later")
    yield ok(f"the database answers ({where}, {' '.join(version.split()[:2])})")
    yield from _migrations()
    yield from _roles()


def _migrations() -> Iterator[Finding]:
    try:
        check_migrations()
    except NotReady as waiting:
        yield bad(str(waiting), "run `manage.py migrate`")
    else:
        yield ok("the schema is up to date")


def _roles() -> Iterator[Finding]:
    """Look whether the role that the site connects as is kept from changing events."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolname, rolsuper FROM pg_roles WHERE rolname = current_user")
        role, is_superuser = cursor.fetchone()
        cursor.execute(RIGHTS_OF_THE_APP)
        found = cursor.fetchone()
    if is_superuser:
        yield bad(f"the site connects as the superuser {role}", "make a role of its own: docs/operations.md")
        return
    if found is None:
        yield odd("there is no table of events yet", "run `manage.py migrate`")
        return
    can_append, can_change, is_owner, triggers = found
    if is_owner:
        yield bad(
            f"{role} owns the events: only triggers keep them from being changed",
            "give DATABASE_URL and DATABASE_OWNER_URL two roles: docs/operations.md",
        )
    elif can_change:
        yield bad(f"{role} may change events", "run `manage.py migrate`, which takes that right back")
    elif not can_append:
        yield bad(f"{role} may not append events", "run `manage.py migrate`, which gives that right")
    else:
        yield ok(f"{role} may read and append events, and nothing else")
    if triggers:
        yield ok(f"{triggers} triggers refuse changed events, whoever asks")
    else:
        yield bad("no trigger guards the events", "run `manage.py migrate`; a restore may have lost them")


def broker() -> Iterator[Finding]:
    where = "embedded" if settings.BROKER_IS_EMBEDDED else "from BROKER_URL"
    try:
        check_broker()
    except NotReady:
        log = settings.EMBEDDED.valkey / "server.log"
        yield bad(
            f"the broker ({where}) does not answer",
            f"look into {log}" if settings.BROKER_IS_EMBEDDED else "check BROKER_URL",
        )
        return
    yield ok(f"the broker answers ({where})")
    workers = celery_app.control.ping(timeout=1.0)
    if workers:
        yield ok(f"workers that answer: {', '.join(sorted(name for found in workers for name in found))}")
    else:
        yield odd("no worker answers", _how_to_get_a_worker())
    cache.set("doctor", 1, 10)
    if cache.get("doctor") != 1:
        yield odd("the cache keeps nothing, so nothing is throttled", "check CACHE_URL")


def _how_to_get_a_worker() -> str:
    if running_demo(settings.VAR_DIR):
        return f"the demo runs: look at what its worker says, in {settings.VAR_DIR}/logs"
    demo = "`manage.py demo`, or " if settings.IS_LOCAL else ""
    return f"start {demo}a worker and a beat: docs/operations.md"


def address() -> Iterator[Finding]:
    demo = running_demo(settings.VAR_DIR)
    if demo:
        yield ok(f"the demo is running at {demo.url}")
    if not demo or demo.url != settings.PUBLIC_URL:
        given = "PUBLIC_URL" if settings.PUBLIC_URL_IS_SET else "the default of PUBLIC_URL"
        yield ok(f"the site calls itself {settings.PUBLIC_URL} ({given})")
    if settings.IS_LOCAL:
        yield ok("that is this machine only: right for a try, not for a club")
    elif not settings.PUBLIC_URL.startswith("https://"):
        yield odd("sign-in travels unencrypted", "put a proxy with https in front: docs/operations.md")
    if settings.DEBUG and not settings.IS_LOCAL:
        yield bad("DEBUG is on at a public address: errors show secrets", "unset DEBUG")


def mail() -> Iterator[Finding]:
    if settings.HAS_INBOX:
        yield ok(f"mail stays here: read it at {settings.PUBLIC_URL}/inbox/")
    elif settings.EMAIL_BACKEND.startswith("anymail."):
        yield ok(f"mail goes out by {settings.EMAIL_BACKEND}")
        if not settings.HEARS_OF_BOUNCES:
            yield odd(
                "nobody tells us of mail that comes back", "set WEBHOOK_SECRET in ANYMAIL: docs/operations.md"
            )
    elif not settings.EMAIL_URL:
        yield odd("mail is only printed", "set EMAIL_URL, as in smtp://user:password@host:587/?tls=True")
    else:
        try:
            with get_connection():
                yield ok(f"the mail server {settings.EMAIL_HOST} takes us")
        except (OSError, smtplib.SMTPException) as error:
            yield bad(f"the mail server refuses: {error}", "check EMAIL_URL")
    with suppress(DatabaseError):  # of which another check tells
        yield from _outbox()


def _outbox() -> Iterator[Finding]:
    found = outbox_health(timezone.now())
    yield ok(f"{found.waiting} mails wait, {found.suppressed} addresses get none")
    if found.overdue:
        yield odd(
            f"{found.overdue} mails should have gone out", "start a beat, and a worker for the queue mail"
        )
    if found.failed_lately:
        yield odd(f"{found.failed_lately} mails of this week were given up", "docs/operations.md says why")


SUBJECTS: tuple[Callable[[], Iterator[Finding]], ...] = (python, programs, database, broker, address, mail)
