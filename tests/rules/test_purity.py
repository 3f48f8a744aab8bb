"""The rules know no framework: only the standard library and themselves."""

import ast
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import games.rules

FOLDER = Path(games.rules.__file__).parent
ROOT = FOLDER.parent.parent
FRAMEWORKS = {"django", "psycopg", "celery", "rest_framework", "kombu", "redis"}
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages([str(FOLDER)], "games.rules.")
    if not module.name.endswith("__main__")
)
CHANCE = {"random", "secrets", "time", "uuid"}


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module or "")
    return names


def test_importing_every_module_of_the_rules_loads_no_framework() -> None:
    code = (
        "import importlib, json, sys\n"
        f"for name in {MODULES!r}: importlib.import_module(name)\n"
        "print(json.dumps(sorted(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert "games.rules.decide" in MODULES
    assert not loaded & FRAMEWORKS


def test_the_rules_import_only_the_standard_library_and_themselves() -> None:
    for path in sorted(FOLDER.rglob("*.py")):
        for name in imports_of(path):
            own = name == "games.rules" or name.startswith("games.rules.")
            assert own or name.split(".")[0] in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_the_rules_read_no_clock_and_draw_no_chance() -> None:
    for path in sorted(FOLDER.rglob("*.py")):
        assert not imports_of(path) & CHANCE, path.name
        asked = {node.attr for node in ast.walk(parsed(path)) if isinstance(node, ast.Attribute)}
        assert not asked & {"now", "utcnow", "today", "localtime", "gmtime"}, path.name
