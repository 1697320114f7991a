"""Geodesic forests as the experiments grow them: on one thread, from the seed of the run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foliation_experiments.harness.experiment import Run, Scale

if TYPE_CHECKING:
    from foliation import GeodesicForest

Floats = NDArray[np.float64]
Options = dict[str, Any]  # of a forest, beside its trees, threads and seed

TREES: dict[Scale, int] = {"full": 300, "quick": 50}


class Grown(NamedTuple):
    """A forest, the distances between its training rows, and the seconds that growing it took."""

    forest: GeodesicForest
    distances: Floats
    seconds: float


def grow(run: Run, X: Floats, options: Options, n_trees: int | None = None) -> Grown:
    """Grow the forest of a run on the rows of X; with as many trees as its scale has, if not told otherwise."""
    from foliation import GeodesicForest

    forest = GeodesicForest(n_trees or TREES[run.scale], n_jobs=1, random_state=run.seed, **options)
    begin = time.perf_counter()
    forest.fit(X)
    seconds = time.perf_counter() - begin
    return Grown(forest, np.asarray(1.0 - forest.proximity(sparse=False), dtype=np.float64), seconds)


def mean_support(forest: GeodesicForest) -> float:
    """Return how many features the projection of a split has on average."""
    trees = [forest.tree(number) for number in range(forest.n_estimators)]
    sizes = [len(tree.atom(split)[0]) for tree in trees for split in range(tree.n_splits)]
    return float(np.mean(sizes)) if sizes else 0.0
