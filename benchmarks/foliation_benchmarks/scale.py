"""How our time and memory grow, one quantity at a time; as data."""

from __future__ import annotations

from dataclasses import dataclass

from foliation_benchmarks.contenders import GEODESIC, PATCHES, SPARSE
from foliation_benchmarks.worker.contract import Patch
from foliation_benchmarks.workload import Data, Workload

_CIRCLE = Data("circle", 1000)
_ARCS = Patch((3,), (12,), wrap=True)


@dataclass(frozen=True)
class Scaling:
    """Points along one axis; every point is a workload of its own."""

    name: str
    axis: str
    about: str
    points: tuple[Workload, ...]
    drawn: str = "fit_seconds"
    label: str = "seconds to fit"


def _point(name: str, at: float, data: Data, trees: int, candidates: int) -> Workload:
    return Workload(f"{name} {at:.0f}", data, trees, candidates, (SPARSE,), at=at)


ROWS = Scaling(
    "rows",
    "rows n",
    "two overlapping Gaussians in 20 features, sparse, 10 trees, 4 candidates",
    tuple(_point("rows", n, Data("trunk", n, 1000, (20,)), 10, 4) for n in (1000, 10_000, 100_000, 1_000_000)),
)
FEATURES = Scaling(
    "features",
    "features p",
    "noise of 1000 rows, sparse, 100 trees, 20 candidates",
    tuple(_point("features", p, Data("noise", 1000, 100, (p, 2)), 100, 20) for p in (10, 100, 1000, 10_000, 100_000)),
)
CLASSES = Scaling(
    "classes",
    "classes",
    "noise of 5000 rows and 20 features, sparse, 20 trees, 4 candidates",
    tuple(_point("classes", c, Data("noise", 5000, 1000, (20, c)), 20, 4) for c in (2, 10, 100)),
)
TREES = Scaling(
    "trees",
    "trees",
    "circle, patches, 50 candidates",
    tuple(Workload(f"trees {t}", _CIRCLE, t, 50, (PATCHES,), _ARCS, at=t) for t in (10, 100, 1000)),
)
THREADS = Scaling(
    "threads",
    "threads",
    "circle, patches, 500 trees, 50 candidates",
    tuple(Workload(f"threads {t}", _CIRCLE, 500, 50, (PATCHES,), _ARCS, threads=t, at=t) for t in (1, 2)),
)
AREA = Scaling(
    "area",
    "cells of a patch",
    "2000 images of 28 x 28 random bytes, square patches of one size, 20 trees, 28 candidates",
    tuple(
        Workload(
            f"area {s * s}",
            Data("noise_images", 2000, 1000, (28,)),
            20,
            28,
            (PATCHES,),
            Patch((s, s), (s, s)),
            at=s * s,
        )
        for s in (1, 2, 5, 10, 20)
    ),
)
MAPPED = Scaling(
    "mapped",
    "rows n",
    "a file of 100,000 x 50,000 float32 (20 GB, 100 columns written), mapped; sparse, 10 trees of 1000 rows",
    (
        Workload(
            "mapped file",
            Data("sparse_file", 100_000, 0, (50_000, 100)),
            10,
            200,
            (SPARSE,),
            measure="mapped",
            options={"max_samples": 1000},
            most_rounds=1,
            at=100_000,
        ),
    ),
)
MODEL = Scaling(
    "model",
    "rows n",
    "MNIST, patches of 2 x 2..5, 500 trees, 28 candidates",
    (
        Workload(
            "model of 500 trees",
            Data("mnist", 60_000),
            500,
            28,
            (PATCHES,),
            Patch((2, 2), (2, 5)),
            most_rounds=1,
            at=60_000,
        ),
    ),
)

GEODESIC_ROWS = Scaling(
    "geodesic rows",
    "rows n",
    "20 Gaussian clusters in 20 features, geodesic, 300 trees, 4 candidates, the 15 nearest of all rows",
    tuple(
        Workload(
            f"geodesic rows {n}",
            Data("clusters", n, 100, (20, 20)),
            300,
            4,
            (GEODESIC,),
            measure="neighbors",
            neighbors=15,
            nonzeros=1,
            most_rounds=1,
            at=n,
        )
        for n in (1000, 10_000, 100_000, 1_000_000)
    ),
    "total_seconds",
    "seconds, fit and neighbors",
)

SCALINGS = (ROWS, FEATURES, TREES, CLASSES, AREA, THREADS, MAPPED, MODEL, GEODESIC_ROWS)
SCALE = tuple(point for scaling in SCALINGS for point in scaling.points)
