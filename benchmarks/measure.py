"""Timing by turns: what is measured and its reference alternate, so that a noisy machine hits both alike."""

import statistics
import time
from collections.abc import Callable
from typing import Any


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def alternate(
    ours: Callable[[], object], reference: Callable[[], object], rounds: int
) -> tuple[float, float]:
    """Return the median seconds of both."""
    pairs = [(seconds(ours), seconds(reference)) for _ in range(rounds)]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def row(
    work: str, value: float, unit: str, reference: float, *, ratio: float, reach: str, ok: bool
) -> dict[str, Any]:
    """Return one line of the report; `ratio` is ours to the reference in the sense of `reach`."""
    return {
        "work": work,
        "value": round(value, 3),
        "unit": unit,
        "reference": round(reference, 3),
        "ratio": round(ratio, 2),
        "reach": reach,
        "ok": ok,
    }
