"""Splitting rules, two parameters and two affinities: figures 2 and 3 of the Geodesic Forests paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from foliation import Sparse
from foliation_experiments.distances.forests import Options, grow, mean_support
from foliation_experiments.distances.geodesic_figures import KS, figures
from foliation_experiments.distances.geodesic_page import page
from foliation_experiments.distances.problems import MANIFOLDS, SEEDS, K, chances, manifold, precisions
from foliation_experiments.harness.experiment import Experiment, Run, Scale

NOISE = 10  # dimensions, for the parameters

CRITERIA = ("fast_bic", "two_means", "mclust_bic", "fast_bic_raw", "two_means_raw")
FAMILIES = {"axis": "axis", "nonzeros 1.5": Sparse(nonzeros=1.5), "density 1/20": Sparse(density=1 / 20)}
RULES: dict[str, Options] = {  # two candidates: one, the integer below sqrt(3), would leave nothing to rank
    f"{criterion}, {name}": {"criterion": criterion, "projections": family, "max_features": 2}
    for criterion, (name, family) in product(CRITERIA, FAMILIES.items())
}
AFFINITIES: dict[str, Options] = {
    f"{affinity}, {size}": {"affinity": affinity, "min_samples_split": size}
    for size, affinity in product((100, 32), ("leaf", "depth"))
}
METHODS = {"rules": tuple(RULES), "min_samples_split": ("GF",), "max_features": ("GF",), "affinity": tuple(AFFINITIES)}
ATS: dict[Scale, dict[str, tuple[int, ...]]] = {
    "full": {
        "rules": (0,),
        "min_samples_split": (2, 52, 102, 202, 302, 452),
        "max_features": (1, 3, 5, 7, 9),
        "affinity": (0, 10),
    },
    "quick": {"rules": (0,), "min_samples_split": (2, 52, 102), "max_features": (1, 5, 9), "affinity": (0, 10)},
}


def runs(scale: Scale) -> list[Run]:
    return [
        Run(part, problem, method, at, seed)
        for part, method, at in _settings(scale)
        for problem, seed in product(MANIFOLDS, range(SEEDS[scale]))
    ]


def _settings(scale: Scale) -> Iterator[tuple[str, str, int]]:
    for part, ats in ATS[scale].items():
        for method, at in product(METHODS[part], ats):
            yield part, method, at


def measure(run: Run) -> dict[str, float]:
    """Return the precision of the nearest 10, 20, ..., 200; for the mixture also that of its components."""
    noise_dimensions = int(run.at) if run.part in ("rules", "affinity") else NOISE
    points, truths = manifold(run.problem, run.scale, run.seed, noise_dimensions)
    grown = grow(run, points, _options(run))
    values = precisions({"precision": truths["precision"]}, grown.distances, KS)
    values |= precisions(truths, grown.distances, (K,)) | chances(truths, (K,))
    return values | ({"support": mean_support(grown.forest)} if run.part == "rules" else {})


def _options(run: Run) -> Options:
    if run.part in ("min_samples_split", "max_features"):
        return {run.part: int(run.at)}
    return (RULES | AFFINITIES)[run.method]


EXPERIMENT = Experiment(
    name="geodesic",
    about="Splitting rules, sizes of nodes, numbers of candidates and affinities on four manifolds.",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 0.5, "full": 6},
)
