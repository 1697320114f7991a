"""Workloads of forests that see no labels, as data."""

from __future__ import annotations

from typing import Any

from foliation_benchmarks.contenders import (
    GEODESIC,
    GEODESIC_EXACT,
    TREEPLE_GEODESIC,
    TREEPLE_GEODESIC_TREES,
    UMAP,
)
from foliation_benchmarks.workload import Data, Quick, Workload

GEODESIC_UMAP = Workload(
    "geodesic and UMAP",
    Data("clusters", 100_000, 100, (100, 20)),
    300,
    10,
    (GEODESIC, UMAP),
    measure="neighbors",
    neighbors=15,
    nonzeros=5,
    most_rounds=1,
    about="20 Gaussian clusters in 100 features. UMAP fits its graph and its layout; its neighbors are those in "
    "the layout, and the time to find them does not count against it.",
)

_LEAVES = "All rows grow each tree; to predict is to find the leaves of new rows."


def _wide(name: str, nonzeros: float, about: str) -> Workload:
    return Workload(
        name,
        Data("clusters", 125, 100, (50_000, 5)),
        10,
        223,
        (GEODESIC, TREEPLE_GEODESIC),
        options=_grown_by_all(15, 3),
        nonzeros=nonzeros,
        most_rounds=1,
        about=f"50,000 features, {about}. {_LEAVES}",
    )


def _narrow(name: str, min_samples_split: int) -> Workload:
    """With 1.5 features for a candidate treeple has 2.4 or 3.3 that are not empty, with 1.25 it has 3."""
    return Workload(
        name,
        Data("clusters", 1000, 10_000, (13, 4)),
        100,
        3,
        (GEODESIC, GEODESIC_EXACT, TREEPLE_GEODESIC, TREEPLE_GEODESIC_TREES),
        options=_grown_by_all(min_samples_split, 8),
        nonzeros=1.25,
        quick=Quick(100),
        about=f"13 features, nodes of {min_samples_split} rows and more are split, leaves have 8 and more. {_LEAVES}",
    )


def _grown_by_all(min_samples_split: int, min_samples_leaf: int) -> dict[str, Any]:
    """Treeple's unsupervised forest with bootstrap differs from run to run, and many of its trees have no split.

    Without patience no node of ours has more candidates than asked for.
    """
    sizes = {"min_samples_split": min_samples_split, "min_samples_leaf": min_samples_leaf}
    return {**sizes, "bootstrap": False, "patience": 0.0}


WIDE = (
    _wide("geodesic, wide", 2500, "a twentieth of them in a candidate"),
    _wide("geodesic, wide, few", 1.5, "1.5 of them in a candidate"),
)
NARROW = (_narrow("geodesic, narrow", 100), _narrow("geodesic, narrow, small nodes", 32))

UNLABELED = (GEODESIC_UMAP, *WIDE, *NARROW)
