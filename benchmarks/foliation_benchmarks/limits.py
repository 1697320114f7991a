"""Targets that are one number each: latency, memory, growth. Data, and one function that decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foliation_benchmarks import values
from foliation_benchmarks.contenders import GEODESIC, PATCHES, SPARSE
from foliation_benchmarks.geodesic import GEODESIC_UMAP
from foliation_benchmarks.scale import GEODESIC_ROWS
from foliation_benchmarks.serving import MILLION, SOAK
from foliation_benchmarks.targets import HELD, MISSED, NOT_CHOSEN, NOT_MEASURED, Verdict
from foliation_benchmarks.workloads import HONESTY, NEIGHBORS
from foliation_experiments.harness.table import Table

_MNIST_TABLE = 60_000 * 29 * 29 * 4  # bytes of one table of box sums in 32-bit cells
_MB = 1e6
_GB = 1e9


@dataclass(frozen=True)
class Limit:
    """A number that must be at most ``most``, or at least it if ``least``."""

    target: str
    where: str
    value: Callable[[Table], float | None]
    most: float
    unit: str
    least: bool = False


LIMITS = (
    Limit("one row, 500 trees, in at most 0.2 ms", "circle", values.latency, 0.2, "ms"),
    Limit("one row, 500 trees, as fast as the fastest peer", "circle", values.latency_ratio, 1.0, "x", least=True),
    Limit("small fits no slower than scikit-learn", "small fits", values.small_fits_ratio, 1.0, "x", least=True),
    Limit(
        "peak above X while fitting: one table and 100 MB",
        "MNIST 60k",
        values.median("MNIST 60k", PATCHES.name, "fit_peak_bytes", _MB),
        _MNIST_TABLE / _MB + 100,
        "MB",
    ),
    Limit("a stored split in at most 32 bytes", "all", values.node_bytes, 32, "bytes"),
    Limit("twice the rows in at most 2.3 times the time", "rows", values.doubling, 2.3, "x"),
    Limit("a pair at 100,000 features at most 10 times one at 100", "features", values.features_factor, 10, "x"),
    Limit("the area of a patch costs at most a half more", "area", values.area_factor, 1.5, "x"),
    Limit("an honest fit in at most 1.5 times the time", HONESTY.name, values.honest_ratio, 1.5, "x"),
    Limit("50 neighbors of 100,000 rows in the time of the fit", "neighbors", values.neighbors_ratio, 1.0, "x"),
    Limit(
        "50 neighbors of 100,000 rows in 2 GB",
        "neighbors",
        values.median(NEIGHBORS[-1].name, SPARSE.name, "neighbors_peak_bytes", _MB),
        2000,
        "MB",
    ),
    Limit(
        "neighbors of 1,000 to 100,000 rows grow no faster than n log n",
        "neighbors",
        values.neighbors_growth,
        1.0,
        "x",
    ),
    Limit("two threads at least 1.9 times as fast", "threads", values.thread_factor, 1.9, "x", least=True),
    Limit(
        "a mapped file of 20 GB in 500 MB of anonymous memory",
        "mapped",
        values.median("mapped file", SPARSE.name, "anonymous_peak_bytes", _MB),
        500,
        "MB",
    ),
    Limit(
        "500 trees of MNIST 60k in 200 MB",
        "model",
        values.median("model of 500 trees", PATCHES.name, "model_bytes", _MB),
        200,
        "MB",
    ),
    Limit(
        "500 trees of MNIST 60k predict 10,000 rows in half a second",
        "model",
        values.median("model of 500 trees", PATCHES.name, "predict_seconds"),
        0.5,
        "s",
    ),
    Limit(
        "geodesic fit and 15 neighbors in at most UMAP's time",
        GEODESIC_UMAP.name,
        values.umap_ratio,
        1.0,
        "x",
        least=True,
    ),
    Limit(
        "geodesic fit and neighbors of 1,000 to 1,000,000 rows grow no faster than n log n",
        GEODESIC_ROWS.name,
        values.geodesic_growth,
        1.0,
        "x",
    ),
    Limit(
        "geodesic fit and neighbors of 1,000,000 rows in 8 GB, everything counted",
        GEODESIC_ROWS.name,
        values.median(GEODESIC_ROWS.points[-1].name, GEODESIC.name, "process_peak_bytes", _GB),
        8,
        "GB",
    ),
    *(
        Limit(
            "a million one-row predictions equal the batch prediction, bit for bit",
            load.name,
            values.other_answers(load),
            0,
            "mismatches",
        )
        for load in MILLION
    ),
    Limit("memory stays within 1 % through ten minutes", SOAK.name, values.growth_of_memory, 0.01, "of itself"),
)


def limit_verdicts(results: Table) -> list[Verdict]:
    return [decide(limit, results) for limit in LIMITS]


def decide(limit: Limit, results: Table) -> Verdict:
    value = limit.value(results)
    if value is None:
        return Verdict(limit.target, limit.where, "", NOT_MEASURED, NOT_CHOSEN)
    holds = value >= limit.most if limit.least else value <= limit.most
    return Verdict(limit.target, limit.where, f"{value:.3g} {limit.unit}", HELD if holds else MISSED)
