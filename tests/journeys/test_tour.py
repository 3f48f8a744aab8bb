"""docs/tour.md holds: its blocks run one after another against a real server, worker and broker."""

import ast
import os
import re
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from analytics.tasks import sweep
from games.bots import demo
from games.play.models import Game, Status
from games.play.queries import events_after
from sequence_site.management.commands.demo import gunicorn_options
from tests.conftest import PROJECT, process_environment, running
from tests.faults.test_a_turn_is_whole_or_nothing import free_port, wait_for

TOUR = (PROJECT / "docs" / "tour.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", TOUR, re.MULTILINE | re.DOTALL)
PYTHON = re.findall(r"<<'PY'\n(.*?)^PY$|python3 -c '(.*?)'", TOUR, re.MULTILINE | re.DOTALL)
PROGRAMS = ("curl", "python3", "uv")
COREUTILS = ("cp", "head", "mktemp", "rm", "sleep")
MOST_LINES = 25
SECONDS = 240

SAID = (
    r"^422 corner, R8: ",
    r"^422 key_reused: ",
    r"^412 version_stale: The game is at version \d+",
    r'^turn \d+: seat [AB] may do {"act": "swap", "card": "\w+"}$',
    r"^Anna Berg and Dorte Holm are one team$",
    r"^422 bad_player_count: 7 seats cannot play; allowed are 2, 3, 4, 6, 8, 9, 10, 12\.$",
    r'^\[SQN "1"\]$',
    r"^the seal fits the secret$",
    r"^\d+ events: GameProposed SeatTaken GameStarted ",
    r"^2 games verified, nothing is wrong$",
    r'^{"game":\d+,"version":\d+,"derived_at"',
)
"""What a reader sees, each once."""


def modules_of(program: str) -> set[str]:
    """Return the modules that a program imports, without their submodules."""
    names: list[str] = []
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return {name.partition(".")[0] for name in names}


def test_the_programs_in_python_are_short_and_need_the_standard_library_only() -> None:
    programs = ["".join(found) for found in PYTHON]

    assert len(programs) >= 5
    for program in programs:
        assert len(program.splitlines()) <= MOST_LINES, program
        assert modules_of(program) <= sys.stdlib_module_names, program


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_tour_can_be_taken_from_start_to_end(
    celery_worker_process: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # The server reads these passwords with the settings of an installation, not with those of tests.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    monkeypatch.setattr(demo, "LEFT_TO_THE_WORKER", ())
    list(demo.seed(now=datetime.now(UTC)))
    known = set(Game.objects.values_list("pk", flat=True))

    tour = take_the_tour(tmp_path)

    assert tour.returncode == 0, tour.stdout + tour.stderr
    assert tour.stdout.endswith("\nThe tour is complete.\n")
    for pattern in SAID:
        assert len(re.findall(pattern, tour.stdout, re.M)) == 1, pattern
    assert len(re.findall(r"^the rules and the server agree: ", tour.stdout, re.M)) == 2
    assert re.search(r"damaged.sqn: turn \w+, .*\(R8\)$", tour.stderr, re.M)
    games = list(Game.objects.exclude(pk__in=known).order_by("pk"))
    assert {game.status for game in games} == {Status.FINISHED}
    assert [(game.seats, game.teams) for game in games[-2:]] == [(2, 2), (6, 3)]
    types = Counter(event.type for event in events_after(games[-2], 0, 999))
    assert types["CardSwapped"] >= 1


def take_the_tour(directory: Path) -> "subprocess.CompletedProcess[str]":
    script = directory / "tour.sh"
    script.write_text("\n".join(BLOCKS), encoding="utf-8")
    bash = shutil.which("bash")
    assert bash, "the tour is for bash"
    port = free_port()
    command = ("gunicorn", "sequence_site.wsgi", *gunicorn_options(port))
    with running(*command) as server, sweeping():
        wait_for(port, server)
        environment = process_environment(
            BASE=f"http://127.0.0.1:{port}",
            PATH=str(directory_of_programs(directory)),
            TMPDIR=str(directory),
            UV_NO_SYNC="1",
            UV_PROJECT_ENVIRONMENT=sys.prefix,
        )
        return subprocess.run(
            [bash, str(script)],
            cwd=PROJECT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )


def directory_of_programs(directory: Path) -> Path:
    """Return a directory with nothing but the programs that the tour says it needs."""
    programs = directory / "bin"
    programs.mkdir()
    for name in (*PROGRAMS, *COREUTILS):
        # `uv run` tells by UV where it is: it need not be on the path.
        found = shutil.which(name) or os.environ.get(name.upper())
        assert found, f"the tour needs {name}"
        (programs / name).symlink_to(Path(found).resolve() if name == "python3" else found)
    return programs


@contextmanager
def sweeping() -> Iterator[None]:
    """Ask the worker for its sweep every second; the clock of an installation does it every half minute."""
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.wait(1):
            sweep.apply_async(expires=5)

    clock = threading.Thread(target=ask)
    clock.start()
    try:
        yield
    finally:
        is_over.set()
        clock.join()
