"""Calls that need memory, on small data, and the bits of their results; for tests that take memory away."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import foliation as fo

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 4, 3))
Y = (X[:, 0, 0] > 0).astype(int)


def bits(result: Any) -> bytes:
    """Return the bits of an array, of several, or of the predictions of a forest."""
    if isinstance(result, tuple):
        return b"".join(map(bits, result))
    if isinstance(result, bytes):
        return bits(pickle.loads(result))
    if isinstance(result, fo.ForestClassifier):
        return bits(result.predict_proba(X))
    if isinstance(result, fo.ForestRegressor):
        return bits(result.predict(X))
    return np.ascontiguousarray(result).tobytes()


def calls() -> dict[str, Callable[[], Any]]:
    """Return functions by name; each makes a call anew. Those of a fitted forest share it."""
    boxes = fo.Patches(max_size=2, contrast=0.5)
    forest = fo.ForestClassifier(3, projections=boxes, random_state=0, n_jobs=2).fit(X, Y)
    path = Path(tempfile.mkdtemp()) / "forest.fol"
    forest.save(path)
    pickled = pickle.dumps(forest)

    def save() -> Any:
        forest.save(path.with_name("copy.fol"))
        return forest

    def regression() -> Any:
        return fo.ForestRegressor(2, honest=True, random_state=0, n_jobs=2).fit(X.reshape(40, -1), X[:, 0, 0])

    return {
        "fit": lambda: fo.ForestClassifier(3, projections=boxes, random_state=0, n_jobs=2).fit(X, Y),
        "regression": lambda: regression().predict(X.reshape(40, -1)),
        "geodesic": lambda: (
            fo.GeodesicForest(2, random_state=0).fit(X.reshape(40, -1)).transform(X.reshape(40, -1)).data
        ),
        "series": lambda: fo.ForestClassifier(2, projections="series", random_state=0).fit(X, Y).predict(X),
        "predict": lambda: forest.predict_proba(X),
        "predict a row": lambda: forest.predict_proba(X[:1]),
        "kneighbors": lambda: forest.kneighbors(X),
        "proximity": lambda: forest.proximity(X).toarray(),
        "importance": lambda: forest.feature_importances_,
        "load": lambda: fo.load(path),
        "save": save,
        "pickle": lambda: pickle.dumps(forest),
        "unpickle": lambda: pickle.loads(pickled),
    }
