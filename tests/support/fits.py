"""Small fits of every family of projections by every kind of forest, and the fingerprint of what they hold and predict.

The data are ratios of whole numbers: the same bits on every machine, which random normal numbers are not.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from golden import answers
from numpy.typing import NDArray

import foliation as fo

_RNG = np.random.default_rng(0)
ROWS = _RNG.integers(-512, 512, size=(240, 6, 8)) / 256
_SUMS = ROWS[:, 1:3, 2:5].sum(axis=(1, 2))
CLASSES = np.digitize(_SUMS, (-1, 1))
TARGETS = np.stack([_SUMS, ROWS[:, 0, 0] * ROWS[:, 5, 7]], axis=1)
_RING = np.roll(np.eye(48), 1, axis=1) + np.roll(np.eye(48), -1, axis=1)
_BANK = np.array([[[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]], [[1.0, 2.0, 1.0], [-1.0, -2.0, -1.0]]])

PROJECTIONS: dict[str, Any] = {
    "axis": fo.Axis(),
    "sparse": fo.Sparse(),
    "normal": fo.Sparse(nonzeros=3, weights="normal"),
    "patches": fo.Patches(max_size=4, contrast=0.5, wrap=(True, False)),
    "free": fo.Patches(contiguous=(False, True), weights="signs"),
    "image": "image",
    "series": "series",
    "channels": "channels",
    "kernels": fo.Kernels(_BANK, wrap=True),
    "neighborhoods": fo.Neighborhoods(_RING, size=(1, 4)),
    "atoms": fo.Atoms(_RING),
    "mixture": fo.Mixture([fo.Axis(), fo.Patches(), fo.Atoms(_RING)]),
}
KINDS: dict[str, Any] = {
    "classifier": lambda **settings: fo.ForestClassifier(3, **settings),
    "entropy": lambda **settings: fo.ForestClassifier(3, criterion="entropy", splitter="histogram", **settings),
    "honest": lambda **settings: fo.ForestClassifier(3, honest=True, **settings),
    "regressor": lambda **settings: fo.ForestRegressor(3, **settings),
    "geodesic": lambda **settings: fo.GeodesicForest(3, min_samples_split=8, **settings),
    "two_means": lambda **settings: fo.GeodesicForest(3, criterion="two_means", min_samples_split=8, **settings),
    "mclust_bic": lambda **settings: fo.GeodesicForest(2, criterion="mclust_bic", min_samples_split=40, **settings),
}
NAMES = [f"{kind} {family}" for kind in KINDS for family in PROJECTIONS]


def fit(name: str, n_jobs: int = 1) -> Any:
    """Return the fitted forest of this name."""
    kind, family = name.split(" ")
    forest = KINDS[kind](projections=PROJECTIONS[family], random_state=0, n_jobs=n_jobs)
    return forest.fit(ROWS, TARGETS if kind == "regressor" else CLASSES)


def held(forest: Any) -> list[NDArray[Any]]:
    """Return the arrays of the trees of a forest, and what it predicts for the rows."""
    return [np.ascontiguousarray(array) for array in (*forest.model_.trees.arrays().values(), answers(forest, ROWS))]


def fingerprint(forest: Any) -> str:
    """Return a hash of all bits of the trees of a forest and of what it predicts for the rows."""
    return hashlib.sha256(b"".join(array.tobytes() for array in held(forest))).hexdigest()
