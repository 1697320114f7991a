"""What pictures are given: complaints in one sentence about what cannot be drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import check_is_fitted
from foliation.fitted import FittedForest
from foliation.plotting.style import need_matplotlib


def check_forest(forest: Any) -> None:
    """Complain of anything but a fitted forest of this package."""
    need_matplotlib()
    if not isinstance(forest, FittedForest):
        name = forest.__name__ if isinstance(forest, type) else type(forest).__name__
        raise TypeError(f"{name} is no forest of Foliation: pictures are drawn of a ForestClassifier and the like")
    check_is_fitted(forest)


def one_each(y: Any, n_rows: int) -> NDArray[Any]:
    """Return y as one class or number for each row."""
    found = np.asarray(y)
    if found.ndim != 1 and found.shape[1:] != (1,):
        raise ValueError(f"y has shape {found.shape}; it must be ({n_rows},), one class or number for each row")
    if len(found) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(found)}")
    return found.reshape(-1)
