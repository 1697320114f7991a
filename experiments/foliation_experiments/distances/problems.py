"""The points of an experiment, what is true of them, and how well distances keep it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets
from sklearn.preprocessing import StandardScaler

from foliation import simulations
from foliation.metrics import geodesic_chance, geodesic_precision
from foliation_experiments.harness.experiment import Scale

Floats = NDArray[np.float64]

K = 50  # neighbors at which values are compared
MANIFOLDS = ("line", "helix", "sphere", "mixture")
ROWS: dict[Scale, int] = {"full": 1000, "quick": 300}
SEEDS: dict[Scale, int] = {"full": 10, "quick": 2}
FEW_SEEDS: dict[Scale, int] = {"full": 5, "quick": 2}  # where many settings are compared


class Problem(NamedTuple):
    """Points, and what is true of them by the name of the figure that it gives: distances, or labels."""

    points: Floats
    truths: dict[str, Any]


def manifold(name: str, scale: Scale, seed: int, noise_dimensions: int = 0, rescale: bool = False) -> Problem:
    """Draw a manifold; the mixture has two truths, Euclidean as "precision" and its components as "component"."""
    options: dict[str, Any] = {"noise_dimensions": noise_dimensions, "rescale": rescale, "random_state": seed}
    if name != "mixture":
        drawn = getattr(simulations, name)(ROWS[scale], **options)
        return Problem(drawn.points, {"precision": drawn.distances})
    drawn = simulations.gaussian_mixture(ROWS[scale], truth="euclidean", **options)
    components = simulations.gaussian_mixture(ROWS[scale], **options).latent
    return Problem(drawn.points, {"precision": drawn.distances, "component": components})


def labeled(name: str) -> Problem:
    """Return data whose classes are the truth: the digits as they are, the others with standardised columns."""
    found = LABELED[name]()
    X = found.data if name == "digits" else StandardScaler().fit_transform(found.data)
    return Problem(np.asarray(X, dtype=np.float64), {"precision": found.target})


LABELED: dict[str, Callable[[], Any]] = {
    "digits": datasets.load_digits,
    "wine": datasets.load_wine,
    "breast cancer": datasets.load_breast_cancer,
}


def precisions(truths: Mapping[str, Any], found: Floats, ks: Sequence[int]) -> dict[str, float]:
    """Return the mean precision of the k nearest, for each truth and each k."""
    values = {name: geodesic_precision(true, found, ks).mean(axis=0) for name, true in truths.items()}
    return {f"{name}@{k}": float(mean) for name in values for k, mean in zip(ks, values[name], strict=True)}


def chances(truths: Mapping[str, Any], ks: Sequence[int]) -> dict[str, float]:
    """Return the mean precision that guessing would have, for each truth and each k."""
    values = {name: geodesic_chance(true, ks).mean(axis=0) for name, true in truths.items()}
    return {f"{name} chance@{k}": float(mean) for name in values for k, mean in zip(ks, values[name], strict=True)}
