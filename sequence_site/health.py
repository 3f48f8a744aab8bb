"""Two views for whoever watches the processes: is it alive, and can it serve."""

import logging
from collections.abc import Callable

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.defaultfilters import pluralize
from django.views.decorators.cache import never_cache
from kombu.exceptions import OperationalError

from sequence_site.celery import app as celery_app

logger = logging.getLogger(__name__)

OK = "ok"


class NotReady(Exception):
    """Something that serving needs is missing; the message says what."""


@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Answer while the process can answer at all; asks nobody else."""
    return HttpResponse("alive\n", content_type="text/plain")


@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 when database, schema and broker are there, else 503 and what is missing."""
    report = {name: _outcome(check) for name, check in CHECKS.items()}
    missing = [outcome for outcome in report.values() if outcome != OK]
    if not missing:
        return JsonResponse(report)
    logger.warning("not ready: %s", "; ".join(missing))
    answer = JsonResponse(report, status=503)
    # It is said above, with the reason; Django would add a row that tells less, at every question.
    answer._has_been_logged = True  # type: ignore[attr-defined]
    return answer


def check_database() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        raise NotReady("the database does not answer") from error


def check_migrations() -> None:
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error as error:
        raise NotReady("the schema cannot be read") from error
    except Exception as error:
        # Migrations are code: half an update can raise anything.
        raise NotReady(f"the migrations cannot be loaded ({type(error).__name__})") from error
    if waiting:
        number = len(waiting)
        are = pluralize(number, " is,s are")
        raise NotReady(f"{number} migration{are} not applied: run manage.py migrate")


def check_broker() -> None:
    try:
        with celery_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except OperationalError as error:
        raise NotReady("the broker does not answer") from error


CHECKS: dict[str, Callable[[], None]] = {
    "database": check_database,
    "migrations": check_migrations,
    "broker": check_broker,
}


def _outcome(check: Callable[[], None]) -> str:
    try:
        check()
    except NotReady as missing:
        return str(missing)
    return OK
