"""What is run, as data: the problems, their sizes, trees and candidates."""

from __future__ import annotations

from collections.abc import Sequence

from foliation_benchmarks.contenders import (
    AXIS,
    BOOSTERS,
    GRID,
    HONEST_PATCHES,
    HONEST_SPARSE,
    PATCHES,
    SCIKIT_LEARN,
    SPARSE,
    TABULAR,
    TREEPLE_OBLIQUE,
    Contender,
)
from foliation_benchmarks.geodesic import UNLABELED
from foliation_benchmarks.scale import SCALE
from foliation_benchmarks.serving import SERVING
from foliation_benchmarks.worker.contract import Patch
from foliation_benchmarks.workload import Data, Quick, Workload
from foliation_experiments.harness.experiment import Scale

HONESTY = Workload(
    "honesty",
    Data("impulse", 5000),
    100,
    30,
    (SPARSE, HONEST_SPARSE, PATCHES, HONEST_PATCHES),
    Patch((2,), (12,)),
)


def _neighbors(n: int, contenders: Sequence[Contender], most_rounds: int = 99) -> Workload:
    """Labels without a pattern, so that leaves go down to the least size, 25 to 50 distinct rows."""
    return Workload(
        f"neighbors {n}",
        Data("noise", n, 100, (20, 2)),
        100,
        4,
        contenders,
        measure="neighbors",
        options={"min_samples_leaf": 25},
        most_rounds=most_rounds,
        about="Leaves have 25 rows and more.",
    )


NEIGHBORS = (
    _neighbors(1000, (SPARSE, SCIKIT_LEARN, TREEPLE_OBLIQUE)),
    _neighbors(10_000, (SPARSE, SCIKIT_LEARN, TREEPLE_OBLIQUE)),
    _neighbors(100_000, (SPARSE,)),
)

WORKLOADS = (
    Workload(
        "circle",
        Data("circle", 1000),
        500,
        50,
        (*GRID, *BOOSTERS),
        Patch((3,), (12,), wrap=True),
        latency=True,
        quick=Quick(100),
    ),
    Workload("impulse", Data("impulse", 1000), 500, 30, (*GRID, *BOOSTERS), Patch((2,), (12,))),
    Workload("bars", Data("bars", 1000), 500, 28, (*GRID, *BOOSTERS), Patch((2, 2), (2, 9))),
    Workload("sparse parity", Data("sparse_parity", 5000), 500, 20, (*TABULAR, *BOOSTERS), quick=Quick(25)),
    Workload("MNIST 5k", Data("mnist", 5000), 500, 28, GRID, Patch((2, 2), (2, 5)), quick=Quick(25)),
    Workload("MNIST 60k", Data("mnist", 60_000), 100, 28, GRID, Patch((2, 2), (2, 5))),
    Workload("tabular", Data("tabular", 100_000), 100, 7, TABULAR, quick=Quick(5)),
    Workload(
        "small fits",
        Data("sparse_parity", 100),
        100,
        4,
        (AXIS, SPARSE, SCIKIT_LEARN),
        threads=1,
        measure="small_fits",
        repeats=500,
        quick=Quick(100, repeats=20),
    ),
    HONESTY,
    *NEIGHBORS,
    *UNLABELED,
    *SERVING,
)


def workloads_at(scale: Scale) -> list[Workload]:
    """Return the workloads of a full run, or the smaller ones of a quick run."""
    everything = [*WORKLOADS, *SCALE]
    if scale == "full":
        return everything
    return [quick for workload in everything if (quick := workload.quickly()) is not None]
