"""A small forest to compare rows by, and its proximities pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import foliation as fo
from foliation import simulations


def data(n: int = 120) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return simulations.trunk(n, n_features=4, random_state=0)


def forest(n_trees: int = 70, **settings: Any) -> Any:
    X, y = data()
    return fo.ForestClassifier(n_trees, min_samples_leaf=3, random_state=0, **settings).fit(X, y)


def proximity_by_hand(forest: Any, X: NDArray[Any], rows: str) -> NDArray[np.float64]:
    """Return the trees with both rows in one leaf over the trees in which both count, pair by pair."""
    leaves = forest.apply(X)
    drawn = np.stack([np.isin(np.arange(len(X)), sample) for sample in forest.estimators_samples_], axis=1)
    counts = {"all": np.ones_like(drawn), "in_bag": drawn, "oob": ~drawn}[rows].astype(float)
    together = counts @ counts.T
    shared = np.zeros((len(X), len(X)))
    for t in range(leaves.shape[1]):
        same = leaves[:, t, None] == leaves[None, :, t]
        shared += same * np.outer(counts[:, t], counts[:, t])
    found = np.divide(shared, together, out=np.zeros_like(shared), where=together > 0)
    np.fill_diagonal(found, 1.0)
    return np.asarray(found)
