"""Cell types in the mushroom body of the Drosophila larva: figure 5 of the Geodesic Forests paper."""

from __future__ import annotations

from itertools import product

import numpy as np

from foliation import Sparse
from foliation.metrics import geodesic_chance, geodesic_precision, geodesic_recall
from foliation_experiments.distances.brains import KS, PROBLEMS, SIDES, embedded, file_name
from foliation_experiments.distances.connectome_figure import figures
from foliation_experiments.distances.connectome_page import page
from foliation_experiments.distances.forests import Options, grow
from foliation_experiments.distances.peers import found_distances
from foliation_experiments.distances.problems import SEEDS
from foliation_experiments.harness.experiment import Experiment, Run, Scale

OURS: dict[str, Options] = {
    "GF": {},
    "GF axis": {"projections": "axis"},
    "GF nonzeros 1.5": {"projections": Sparse(nonzeros=1.5)},
    "GF split 20": {"min_samples_split": 20},
    "GF split 50": {"min_samples_split": 50},
    "GF split 100": {"min_samples_split": 100},
    "GF 6 candidates": {"max_features": 6},
    "GF two-means": {"criterion": "two_means"},
    "GF depth": {"affinity": "depth"},
    "GF mclust": {"criterion": "mclust_bic"},
    "GF floor 1e-8": {"variance_floor": 1e-8},
    "GF floor 1e-8, split 50": {"variance_floor": 1e-8, "min_samples_split": 50},
    "GF floor 1e-8, split 70, 6 candidates": {"variance_floor": 1e-8, "min_samples_split": 70, "max_features": 6},
    "GF balance 0.02, split 50": {"min_balance": 0.02, "min_samples_split": 50},
    "GF raw, no guards": {
        "criterion": "fast_bic_raw",
        "min_samples_leaf": 1,
        "min_balance": 0.0,
        "variance_floor": 1e-9,
    },
    "GF floor 1e-8, nonzeros 1.5, depth": {
        "variance_floor": 1e-8,
        "projections": Sparse(nonzeros=1.5),
        "affinity": "depth",
    },
}
PEERS = ("Euclidean", "Isomap", "Isomap graph", "UMAP", "random trees", "Breiman")


def runs(scale: Scale) -> list[Run]:
    everything = product(PROBLEMS, (*OURS, *PEERS), range(SEEDS[scale]))
    return [Run("connectome", problem, method, 0, seed) for problem, method, seed in everything]


def measure(run: Run) -> dict[str, float]:
    """Return precision and recall at each k, and the precision of guessing and of knowing the types."""
    points, types = embedded(run.problem)
    ours = run.method in OURS
    found = grow(run, points, OURS[run.method]).distances if ours else found_distances(run.method, points, run.seed)
    relevant = geodesic_chance(types, KS) * (len(points) - 1)
    means = {
        "precision": geodesic_precision(types, found, KS),
        "recall": geodesic_recall(types, found, KS),
        "chance": geodesic_chance(types, KS),
        "best": np.minimum(relevant, KS) / KS,
    }
    return {f"{name}@{k}": float(mean) for name in means for k, mean in zip(KS, means[name].mean(axis=0), strict=True)}


EXPERIMENT = Experiment(
    name="connectome",
    about="Cell types in the mushroom body of the Drosophila larva: precision against recall, both hemispheres.",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 1, "full": 2},
    needs=("umap",),
    data=tuple(map(file_name, SIDES)),
)
