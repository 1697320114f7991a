"""Arguments of pictures; an error in one sentence for what cannot be drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from foliation.model.model import Model
from foliation.model.settings import Composition
from foliation.plotting.style import need_matplotlib


def check_forest(forest: Any) -> Model:
    """Return the model of a fitted forest; raise an error for anything else."""
    need_matplotlib()
    if isinstance(forest, type) or not isinstance(getattr(forest, "_composition", None), Composition):
        name = forest.__name__ if isinstance(forest, type) else type(forest).__name__
        raise TypeError(f"{name} is no forest of Foliation: pictures are drawn of a ForestClassifier and the like")
    check_is_fitted(forest)
    model: Model = forest.model_
    return model


def one_each(y: Any, n_rows: int) -> NDArray[Any]:
    """Return y as one class or number for each row."""
    found = np.asarray(y)
    if found.ndim != 1 and found.shape[1:] != (1,):
        raise ValueError(f"y has shape {found.shape}; it must be ({n_rows},), one class or number for each row")
    if len(found) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(found)}")
    return found.reshape(-1)
