"""`python -m benchmarks [NAME ...]`: one JSON line for each, its reference measured in the same run."""

import argparse
import json
import os
import platform
from importlib import import_module

from benchmarks.stack import installation

BENCHMARKS = {
    "fold": "benchmarks.rules:fold_turns",
    "rows": "benchmarks.database:rows_to_state",
    "append-1": "benchmarks.database:append_one",
    "append-4": "benchmarks.database:append_four",
    "turn": "benchmarks.http:turn_over_http",
    "state": "benchmarks.http:state_over_http",
    "page": "benchmarks.pages:game_page",
    "picture": "benchmarks.mail:picture",
    "mail": "benchmarks.mail:turn_mail",
    "broker-stopped": "benchmarks.broker:turns_with_a_stopped_broker",
    "broker-silent": "benchmarks.broker:turns_with_a_silent_broker",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", choices=[*BENCHMARKS, []], metavar="NAME", help=", ".join(BENCHMARKS)
    )
    names = parser.parse_args().names or list(BENCHMARKS)
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    print(json.dumps(machine), flush=True)
    with installation():
        import django

        django.setup()
        for name in names:
            module, function = BENCHMARKS[name].split(":")
            print(json.dumps(getattr(import_module(module), function)()), flush=True)


if __name__ == "__main__":
    main()
