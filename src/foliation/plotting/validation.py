"""Checks of the arguments of figures."""

from __future__ import annotations

import numpy as np

from foliation.data.arrays import Array, Data
from foliation.model.fitted import FittedForest, fitted_model
from foliation.model.model import Model
from foliation.plotting.style import need_matplotlib


def check_forest(forest: FittedForest) -> Model:
    """Return the model of a fitted forest; raise TypeError for other objects, and ImportError without matplotlib."""
    need_matplotlib()
    return fitted_model(forest)


def check_targets(y: Data, n_rows: int) -> Array:
    """Return y as one class or number for each row."""
    targets = np.asarray(y)
    if targets.ndim != 1 and targets.shape[1:] != (1,):
        raise ValueError(f"y has shape {targets.shape}: expected ({n_rows},), one class or number for each row")
    if len(targets) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(targets)}")
    return targets.reshape(-1)
