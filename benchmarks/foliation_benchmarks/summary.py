"""From runs to figures: medians with their spread, ratios by round, errors with their interval."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from foliation_experiments.harness.table import Row, Table, finished

_Z = 1.959964  # 95 %
_TOLERANCE = 0.05  # by which effective candidates may differ


@dataclass(frozen=True)
class Spread:
    """A median, and the lowest and highest of the rounds."""

    median: float
    low: float
    high: float


def spread(values: Iterable[float | None]) -> Spread | None:
    """Return the spread of what is there, or None if nothing is."""
    there = [value for value in values if value is not None]
    return Spread(statistics.median(there), min(there), max(there)) if there else None


def rounds(results: Table, workload: str, contender: str) -> dict[int, Row]:
    """Return the finished runs of a contender on a workload, by round."""
    rows = [row for row in results.where(problem=workload, method=contender) if finished(row)]
    return {row["seed"]: row for row in sorted(rows, key=lambda row: row["seed"])}


def of(results: Table, workload: str, contender: str, name: str) -> Spread | None:
    """Return the spread of a measured field over the rounds."""
    return spread(run.get(name) for run in rounds(results, workload, contender).values())


def ratio(results: Table, workload: str, ours: str, peer: str, name: str) -> Spread | None:
    """Return the peer's figure over ours, round by round."""
    mine, theirs = rounds(results, workload, ours), rounds(results, workload, peer)
    both = [(theirs[number].get(name), mine[number].get(name)) for number in mine if number in theirs]
    return spread(top / bottom for top, bottom in both if top is not None and bottom)


@dataclass(frozen=True)
class ErrorRate:
    """Mean test error over the rounds, and the 95 % interval that the size of the test set leaves (Wilson)."""

    mean: float
    low: float
    high: float
    n_test: int


def error_rate(runs: Iterable[Row]) -> ErrorRate | None:
    errors = [(run["error"], run["n_test"]) for run in runs if run.get("error") is not None]
    if not errors:
        return None
    n = errors[0][1]
    mean = statistics.fmean(error for error, _ in errors)
    center, margin = (mean + _Z**2 / (2 * n)), _Z * math.sqrt(mean * (1 - mean) / n + _Z**2 / (4 * n**2))
    scale = 1 + _Z**2 / n
    return ErrorRate(mean, max(0.0, (center - margin) / scale), (center + margin) / scale, n)


def less_accurate(ours: ErrorRate | None, peer: ErrorRate | None) -> bool:
    """Return whether our error lies above theirs by more than the interval of the difference."""
    if ours is None or peer is None:
        return False
    variance = sum(rate.mean * (1 - rate.mean) / rate.n_test for rate in (ours, peer))
    return ours.mean - peer.mean > _Z * math.sqrt(variance)


def difference_in_work(ours: Row, peer: Row) -> str:
    """Return how the work of two runs differs; empty if it is the same."""
    if ours["trees"] != peer["trees"]:
        return f"{peer['trees']:g} trees against {ours['trees']:g}"
    mine, theirs = ours.get("effective"), peer.get("effective")
    if mine and theirs and abs(theirs - mine) > _TOLERANCE * mine:
        return f"{theirs:.1f} effective candidates against {mine:.1f}"
    return ""


def nanoseconds(run: Row, seconds: str, count: str) -> float | None:
    """Return the time of all threads together for one of what is counted."""
    if not run.get(count) or run.get(seconds) is None:
        return None
    return float(1e9 * run[seconds] * run["threads"] / run[count])


def nanoseconds_spread(results: Table, workload: str, contender: str, seconds: str, count: str) -> Spread | None:
    runs = rounds(results, workload, contender).values()
    return spread(nanoseconds(run, seconds, count) for run in runs)
