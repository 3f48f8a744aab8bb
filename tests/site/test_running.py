import os
from pathlib import Path

import pytest

from sequence_site.demo_logs import LARGEST_BYTES, Logs, is_grave
from sequence_site.running import FILE, Announcement, RunningDemo, running_demo
from tests.site.test_settings import settings_with

URL = "http://localhost:9000"


def test_a_demo_says_where_it_is_for_as_long_as_it_lives(tmp_path: Path) -> None:
    assert running_demo(tmp_path) is None

    announcement = Announcement(tmp_path, URL)
    assert running_demo(tmp_path) == RunningDemo(URL, is_ready=False)
    announcement.ready()
    assert running_demo(tmp_path) == RunningDemo(URL, is_ready=True)

    os.close(announcement._file)  # as the system does when the demo ends, in whatever way
    assert running_demo(tmp_path) is None
    assert URL in (tmp_path / FILE).read_text()


def test_of_two_demos_in_one_directory_the_first_is_told_of(tmp_path: Path) -> None:
    first = Announcement(tmp_path, URL)
    second = Announcement(tmp_path, "http://localhost:9001")
    second.ready()

    assert (first.is_ours, second.is_ours) == (True, False)
    assert running_demo(tmp_path) == RunningDemo(URL, is_ready=False)


def test_commands_beside_a_demo_use_its_address_unless_one_is_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    announcement = Announcement(tmp_path, URL)

    beside = settings_with(monkeypatch, VAR_DIR=str(tmp_path))
    set_apart = settings_with(monkeypatch, VAR_DIR=str(tmp_path), PUBLIC_URL="http://localhost:7000")
    os.close(announcement._file)
    after = settings_with(monkeypatch, VAR_DIR=str(tmp_path))

    found = [settings["PUBLIC_URL"] for settings in (beside, set_apart, after)]
    assert found == [URL, "http://localhost:7000", "http://localhost:8000"]


@pytest.mark.parametrize(
    ("line", "grave"),
    [
        ("2026-11-30 18:46:10.602 UTC [18072] LOG:  database system was shut down", False),
        ("2026-11-30 18:46:10.602 UTC [18072] FATAL:  the database system is starting up", False),
        ("2026-11-30 18:46:10.602 UTC [18072] FATAL:  too many connections", True),
        ("2026-11-30 18:46:10.602 UTC [18072] PANIC:  could not write to file", True),
        ("18078:M 30 Nov 2026 18:46:10.692 # WARNING Memory overcommit must be enabled!", False),
        ("2026-11-30 18:57:25,436 WARNING django.request: Not Found: /error", False),
        ("2026-11-30 18:57:25,436 ERROR django.request: Internal Server Error: /", True),
        ("[2026-11-30 18:46:10 +0000] [7] [ERROR] Exception in worker process", True),
        ("[2026-11-30 18:46:10,1: CRITICAL/MainProcess] Unrecoverable error", True),
    ],
)
def test_the_terminal_shows_what_asks_for_somebody(line: str, grave: bool) -> None:
    assert is_grave(line) is grave


def test_logs_keep_everything_and_begin_anew_when_they_are_large(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "logs")
    logs.open()
    for number in range(30):
        logs.keep("web", f"line {number}")
    logs.path("beat").write_bytes(b"x" * (LARGEST_BYTES + 1))

    logs.open()

    assert logs.path("web").read_text().splitlines() == [f"line {number}" for number in range(30)]
    assert logs.last("web")[-1] == "line 29"
    assert len(logs.last("web")) < 30
    assert not logs.path("beat").exists()
