"""Checks of the arguments of figures."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from foliation.data.arrays import Array, Data
from foliation.model.fitted import FittedForest
from foliation.model.model import Model
from foliation.model.settings import Composition
from foliation.plotting.style import need_matplotlib


def check_forest(forest: FittedForest) -> Model:
    """Return the model of a fitted forest; raise TypeError for other objects."""
    need_matplotlib()
    if isinstance(forest, type) or not isinstance(getattr(forest, "_composition", None), Composition):
        name = forest.__name__ if isinstance(forest, type) else type(forest).__name__
        raise TypeError(f"forest is of type {name}: expected a fitted ForestClassifier or other forest of Foliation")
    check_is_fitted(forest)
    return forest.model_


def check_targets(y: Data, n_rows: int) -> Array:
    """Return y as one class or number for each row."""
    targets = np.asarray(y)
    if targets.ndim != 1 and targets.shape[1:] != (1,):
        raise ValueError(f"y has shape {targets.shape}: expected ({n_rows},), one class or number for each row")
    if len(targets) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(targets)}")
    return targets.reshape(-1)
