"""Numbers that limits are about: latency, memory, growth. Each is None where it was not measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from foliation_benchmarks import scale
from foliation_benchmarks.contenders import (
    AXIS,
    CONTENDERS,
    GEODESIC,
    HONEST,
    OURS,
    PATCHES,
    SCIKIT_LEARN,
    SPARSE,
    UMAP,
)
from foliation_benchmarks.geodesic import GEODESIC_UMAP
from foliation_benchmarks.serving import SOAK, SOAK_SECONDS
from foliation_benchmarks.summary import nanoseconds_spread, of, ratio
from foliation_benchmarks.workload import Workload
from foliation_benchmarks.workloads import HONESTY, NEIGHBORS
from foliation_experiments.harness.table import Table

_LATENCY_TREES = 500


def median(workload: str, contender: str, name: str, per: float = 1.0) -> Callable[[Table], float | None]:
    def value(results: Table) -> float | None:
        spread = of(results, workload, contender, name)
        return None if spread is None else spread.median / per

    return value


def latency(results: Table) -> float | None:
    """Return our one-row time in milliseconds, if the forest has the 500 trees that the target speaks of."""
    trees = of(results, "circle", PATCHES.name, "trees")
    milliseconds = of(results, "circle", PATCHES.name, "latency_ms")
    return milliseconds.median if milliseconds and trees and trees.low >= _LATENCY_TREES else None


def latency_ratio(results: Table) -> float | None:
    """Return the fastest peer's one-row time over ours."""
    ours = latency(results)
    peers = [of(results, "circle", name, "latency_ms") for name, who in CONTENDERS.items() if who.environment]
    there = [spread.median for spread in peers if spread is not None]
    return min(there) / ours if there and ours else None


def node_bytes(results: Table) -> float | None:
    """Return the most bytes that a split takes in any forest of ours."""
    return max((bytes for who in OURS for bytes in results.values("node_bytes", method=who.name)), default=None)


def doubling(results: Table) -> float | None:
    """Return the largest factor in time for twice the rows, between neighboring points."""
    seconds = [(point.at, of(results, point.name, SPARSE.name, "fit_seconds")) for point in scale.ROWS.points]
    there = [(at, spread.median) for at, spread in seconds if spread is not None]
    factors = [(b[1] / a[1]) ** (1 / math.log2(b[0] / a[0])) for a, b in pairwise(there)]
    return max(factors, default=None)


def _per_pair(results: Table, scaling: scale.Scaling, contender: str) -> list[float]:
    spreads = (nanoseconds_spread(results, p.name, contender, "fit_seconds", "pairs") for p in scaling.points)
    return [spread.median for spread in spreads if spread is not None]


def features_factor(results: Table) -> float | None:
    """Return the cost of a pair at 100,000 features over that at 100."""
    per_pair = _per_pair(results, scale.FEATURES, SPARSE.name)
    return per_pair[-1] / per_pair[1] if len(per_pair) == len(scale.FEATURES.points) else None


def area_factor(results: Table) -> float | None:
    """Return the dearest pair over the cheapest, from patches of one cell to 400."""
    per_pair = _per_pair(results, scale.AREA, PATCHES.name)
    return max(per_pair) / min(per_pair) if len(per_pair) == len(scale.AREA.points) else None


def thread_factor(results: Table) -> float | None:
    one, two = (of(results, point.name, PATCHES.name, "fit_seconds") for point in scale.THREADS.points)
    return one.median / two.median if one is not None and two is not None else None


def small_fits_ratio(results: Table) -> float | None:
    spread = ratio(results, "small fits", AXIS.name, SCIKIT_LEARN.name, "fit_seconds")
    return None if spread is None else spread.median


def honest_ratio(results: Table) -> float | None:
    """Return the time of honest fits over that of plain ones, of the family that pays more."""
    spreads = [ratio(results, HONESTY.name, honest.ours, honest.name, "fit_seconds") for honest in HONEST]
    return max((spread.median for spread in spreads if spread is not None), default=None)


def neighbors_ratio(results: Table) -> float | None:
    """Return the time to find all neighbors of the most rows over the time to fit them."""
    seconds, fit = (of(results, NEIGHBORS[-1].name, SPARSE.name, f"{what}_seconds") for what in ("neighbors", "fit"))
    return seconds.median / fit.median if seconds is not None and fit is not None else None


def neighbors_growth(results: Table) -> float | None:
    """Return how the time to find neighbors grows over the range."""
    return _growth(results, NEIGHBORS, SPARSE.name, "neighbors_seconds")


def geodesic_growth(results: Table) -> float | None:
    """Return how the time to fit and to find neighbors grows over the range."""
    return _growth(results, scale.GEODESIC_ROWS.points, GEODESIC.name, "total_seconds")


def _growth(results: Table, works: Sequence[Workload], contender: str, name: str) -> float | None:
    """Return the factor in the time from the fewest rows to the most, over that of n log n."""
    ends = works[0], works[-1]
    few, many = (of(results, work.name, contender, name) for work in ends)
    if few is None or many is None:
        return None
    n, m = (work.data.n for work in ends)
    return (many.median / few.median) / (m * math.log(m) / (n * math.log(n)))


def umap_ratio(results: Table) -> float | None:
    """Return UMAP's time for its graph and layout over ours to fit and to find neighbors."""
    ours = of(results, GEODESIC_UMAP.name, GEODESIC.name, "total_seconds")
    theirs = of(results, GEODESIC_UMAP.name, UMAP.name, "fit_seconds")
    return theirs.median / ours.median if ours is not None and theirs is not None else None


def growth_of_memory(results: Table) -> float | None:
    """Return by how much of itself our resident memory grew while single rows were predicted for ten minutes."""
    names = "serving_seconds", "first_bytes", "last_bytes"
    seconds, first, last = (of(results, SOAK.name, PATCHES.name, name) for name in names)
    if seconds is None or first is None or last is None or seconds.median < SOAK_SECONDS:
        return None
    return last.median / first.median - 1.0


def other_answers(workload: Workload) -> Callable[[Table], float | None]:
    """Return how to count single rows whose answers have other bits than those of one prediction of all rows."""
    return median(workload.name, PATCHES.name, "other_bits")
