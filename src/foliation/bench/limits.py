"""Targets that are one number each: latency, memory, growth. Data, and one function that decides."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from foliation.bench import scale
from foliation.bench.contenders import AXIS, CONTENDERS, HONEST, OURS, PATCHES, SCIKIT_LEARN, SPARSE
from foliation.bench.results import Results
from foliation.bench.summary import nanoseconds_spread, of, ratio
from foliation.bench.targets import HELD, MISSED, NOT_CHOSEN, NOT_MEASURED, Verdict
from foliation.bench.workloads import HONESTY, NEIGHBORS

_MNIST_TABLE = 60_000 * 29 * 29 * 4  # bytes of one table of box sums in 32-bit cells
_MB = 1e6
_LATENCY_TREES = 500


@dataclass(frozen=True)
class Limit:
    """A number that must be at most ``most``, or at least it if ``least``."""

    target: str
    where: str
    value: Callable[[Results], float | None]
    most: float
    unit: str
    least: bool = False


def _median(workload: str, contender: str, name: str, per: float = 1.0) -> Callable[[Results], float | None]:
    def value(results: Results) -> float | None:
        found = of(results, workload, contender, name)
        return None if found is None else found.median / per

    return value


def latency(results: Results) -> float | None:
    """Return our one-row time in milliseconds, if the forest has the 500 trees that the target speaks of."""
    trees = of(results, "circle", PATCHES.name, "trees")
    found = of(results, "circle", PATCHES.name, "latency_ms")
    return found.median if found is not None and trees is not None and trees.low >= _LATENCY_TREES else None


def latency_ratio(results: Results) -> float | None:
    """Return the fastest peer's one-row time over ours."""
    ours = latency(results)
    peers = [of(results, "circle", name, "latency_ms") for name, who in CONTENDERS.items() if who.environment]
    there = [found.median for found in peers if found is not None]
    return min(there) / ours if there and ours else None


def node_bytes(results: Results) -> float | None:
    """Return the most bytes that a split takes in any forest of ours."""
    found = [
        run["node_bytes"]
        for (_, contender, _), run in results.runs.items()
        if contender in {who.name for who in OURS} and run.get("node_bytes")
    ]
    return max(found, default=None)


def doubling(results: Results) -> float | None:
    """Return the largest factor in time for twice the rows, between neighbouring points."""
    found = [(point.at, of(results, point.name, SPARSE.name, "fit_seconds")) for point in scale.ROWS.points]
    there = [(at, spread.median) for at, spread in found if spread is not None]
    factors = [(b[1] / a[1]) ** (1 / math.log2(b[0] / a[0])) for a, b in pairwise(there)]
    return max(factors, default=None)


def _per_pair(results: Results, experiment: scale.Experiment, contender: str) -> list[float]:
    found = (nanoseconds_spread(results, p.name, contender, "fit_seconds", "pairs") for p in experiment.points)
    return [spread.median for spread in found if spread is not None]


def features_factor(results: Results) -> float | None:
    """Return the cost of a pair at 100,000 features over that at 100."""
    found = _per_pair(results, scale.FEATURES, SPARSE.name)
    return found[-1] / found[1] if len(found) == len(scale.FEATURES.points) else None


def area_factor(results: Results) -> float | None:
    """Return the dearest pair over the cheapest, from patches of one cell to 400."""
    found = _per_pair(results, scale.AREA, PATCHES.name)
    return max(found) / min(found) if len(found) == len(scale.AREA.points) else None


def thread_factor(results: Results) -> float | None:
    one, two = (of(results, point.name, PATCHES.name, "fit_seconds") for point in scale.THREADS.points)
    return one.median / two.median if one is not None and two is not None else None


def small_fits_ratio(results: Results) -> float | None:
    found = ratio(results, "small fits", AXIS.name, SCIKIT_LEARN.name, "fit_seconds")
    return None if found is None else found.median


def honest_ratio(results: Results) -> float | None:
    """Return the time of honest fits over that of plain ones, of the family that pays more."""
    found = [ratio(results, HONESTY.name, honest.ours, honest.name, "fit_seconds") for honest in HONEST]
    return max((spread.median for spread in found if spread is not None), default=None)


def neighbors_ratio(results: Results) -> float | None:
    """Return the time to find all neighbours of the most rows over the time to fit them."""
    seconds, fit = (of(results, NEIGHBORS[-1].name, SPARSE.name, f"{what}_seconds") for what in ("neighbors", "fit"))
    return seconds.median / fit.median if seconds is not None and fit is not None else None


def neighbors_growth(results: Results) -> float | None:
    """Return the factor in the time from the fewest rows to the most, over that of n log n."""
    ends = NEIGHBORS[0], NEIGHBORS[-1]
    few, many = (of(results, work.name, SPARSE.name, "neighbors_seconds") for work in ends)
    if few is None or many is None:
        return None
    n, m = (work.data.n for work in ends)
    return (many.median / few.median) / (m * math.log(m) / (n * math.log(n)))


LIMITS = (
    Limit("one row, 500 trees, in at most 0.2 ms", "circle", latency, 0.2, "ms"),
    Limit("one row, 500 trees, as fast as the fastest peer", "circle", latency_ratio, 1.0, "x", least=True),
    Limit("small fits no slower than scikit-learn", "small fits", small_fits_ratio, 1.0, "x", least=True),
    Limit(
        "peak above X while fitting: one table and 100 MB",
        "MNIST 60k",
        _median("MNIST 60k", PATCHES.name, "fit_peak_bytes", _MB),
        _MNIST_TABLE / _MB + 100,
        "MB",
    ),
    Limit("a stored split in at most 32 bytes", "all", node_bytes, 32, "bytes"),
    Limit("twice the rows in at most 2.3 times the time", "rows", doubling, 2.3, "x"),
    Limit("a pair at 100,000 features at most 10 times one at 100", "features", features_factor, 10, "x"),
    Limit("the area of a patch costs at most a half more", "area", area_factor, 1.5, "x"),
    Limit("an honest fit in at most 1.5 times the time", HONESTY.name, honest_ratio, 1.5, "x"),
    Limit("50 neighbours of 100,000 rows in the time of the fit", "neighbors", neighbors_ratio, 1.0, "x"),
    Limit(
        "50 neighbours of 100,000 rows in 2 GB",
        "neighbors",
        _median(NEIGHBORS[-1].name, SPARSE.name, "neighbors_peak_bytes", _MB),
        2000,
        "MB",
    ),
    Limit("neighbours of 1,000 to 100,000 rows grow no faster than n log n", "neighbors", neighbors_growth, 1.0, "x"),
    Limit("two threads at least 1.9 times as fast", "threads", thread_factor, 1.9, "x", least=True),
    Limit(
        "a mapped file of 20 GB in 500 MB of anonymous memory",
        "mapped",
        _median("mapped file", SPARSE.name, "anonymous_peak_bytes", _MB),
        500,
        "MB",
    ),
    Limit(
        "500 trees of MNIST 60k in 200 MB",
        "model",
        _median("model of 500 trees", PATCHES.name, "model_bytes", _MB),
        200,
        "MB",
    ),
    Limit(
        "500 trees of MNIST 60k predict 10,000 rows in half a second",
        "model",
        _median("model of 500 trees", PATCHES.name, "predict_seconds"),
        0.5,
        "s",
    ),
)


def limit_verdicts(results: Results) -> list[Verdict]:
    return [decide(limit, results) for limit in LIMITS]


def decide(limit: Limit, results: Results) -> Verdict:
    value = limit.value(results)
    if value is None:
        return Verdict(limit.target, limit.where, "", NOT_MEASURED, NOT_CHOSEN)
    holds = value >= limit.most if limit.least else value <= limit.most
    return Verdict(limit.target, limit.where, f"{value:.3g} {limit.unit}", HELD if holds else MISSED)
