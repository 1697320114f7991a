"""The methods of the experiment `noise`: settings of ours, their peers, and peers on screened columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foliation import Sparse
from foliation_experiments.distances.forests import Options, grow
from foliation_experiments.distances.peers import found_distances
from foliation_experiments.harness.experiment import Run

Floats = NDArray[np.float64]

OURS: dict[str, Options] = {
    "GF": {},
    "GF axis": {"projections": "axis"},
    "GF axis, impatient": {"projections": "axis", "min_balance": 0.02, "patience": 0.0},
    "GF axis, 300 candidates": {"projections": "axis", "max_features": 300},  # all features where there are fewer
    "GF screened": {"projections": "axis", "screen": 1.0},
    "GF screened, nonzeros 2": {"projections": Sparse(nonzeros=2), "screen": 1.0},
    "GF nonzeros 1.5": {"projections": Sparse(nonzeros=1.5)},
    "GF nonzeros 3": {"projections": Sparse(nonzeros=3)},
    "GF paper": {  # its saved runs
        "projections": "axis",
        "criterion": "fast_bic_raw",
        "min_samples_split": 32,
        "min_balance": 0.02,
    },
    "GF paper, no guards": {
        "projections": "axis",
        "criterion": "fast_bic_raw",
        "min_samples_split": 32,
        "splitter": "exact",
        "min_samples_leaf": 1,
        "min_balance": 0.0,
        "variance_floor": 1e-9,
    },
    "GF text": {
        "projections": Sparse(density=1 / 20),
        "criterion": "fast_bic_raw",
        "min_samples_split": 100,
        "min_balance": 0.02,
    },
}
# Atoms of many features, or hundreds of candidates for each node, take minutes a forest among thousands of features:
# there they get fewer trees.
FEWER_TREES = {
    ("GF", 1000): 100,
    ("GF axis, 300 candidates", 1000): 100,
    ("GF axis, 300 candidates", 10_000): 50,
}
PEERS = ("Euclidean", "Isomap", "Isomap graph", "UMAP", "random trees", "Breiman", "pynndescent")
SCREENED = {"Euclidean screened": "Euclidean", "Isomap screened": "Isomap"}


# Most noise dimensions at which a method is tried, raw and rescaled: those that have come to chance with fewer are not
# tried further, and what reads one feature at a time is not changed by rescaling.
MOST_NOISE = {
    "GF": (1000, 100),
    "GF axis": (10_000, 1000),
    "GF axis, impatient": (10_000, 1000),
    "GF axis, 300 candidates": (10_000, -1),
    "GF nonzeros 1.5": (1000, -1),
    "GF nonzeros 3": (100, -1),
    "GF paper": (10_000, 1000),
    "GF paper, no guards": (10, -1),
    "GF text": (100, -1),
    "random trees": (10_000, 100),
    "Breiman": (1000, 100),
    "pynndescent": (1000, 100),
    "Isomap graph": (10_000, 1000),
}
LOW_NOISE = (2, 4, 6, 8)
NOT_AT_LOW_NOISE = (
    *SCREENED,
    "GF axis, 300 candidates",
    "GF nonzeros 1.5",
    "GF nonzeros 3",
    "GF paper, no guards",
    "GF text",
    "Breiman",
)


def is_run(run: Run) -> bool:
    """Whether a run is worth its time."""
    most = MOST_NOISE.get(run.method, (10_000, 10_000))[run.part == "rescaled"]
    return run.at <= most and not (run.at in LOW_NOISE and run.method in NOT_AT_LOW_NOISE)


def distances(run: Run, X: Floats) -> Floats:
    """Return the distances that the method of a run finds between the rows of X."""
    if run.method in OURS:
        return grow(run, X, OURS[run.method], FEWER_TREES.get((run.method, int(run.at)))).distances
    if run.method in SCREENED:
        return found_distances(SCREENED[run.method], _screened(X), run.seed)
    return found_distances(run.method, X, run.seed)


def _screened(X: Floats) -> Floats:
    """Return the columns that depart from normality, or all if none does."""
    from foliation.projections.screening import departs_from_normal

    kept = departs_from_normal(X)
    return X[:, kept] if kept.any() else X
