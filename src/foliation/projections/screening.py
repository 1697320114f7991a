"""Which features are worth a look: those whose distribution is not a normal one."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation.projections import Projections

_FEWEST_ROWS = 20  # for the tests to be what they say
_BLOCK = 4_000_000  # numbers that are looked at together
_DOUBT = 10.0  # how often far tails of kurtosis are more likely than its test says, at most about


def departs_from_normal(X: NDArray[Any], level: float = 0.05) -> NDArray[np.bool_]:
    """Tell which columns of X have a skewness or kurtosis that no normal distribution has.

    Both are tested, by the tests of D'Agostino and of Anscombe and Glynn, at a level divided by the number of all
    tests: if all columns were normal, one of them would be named with about this probability. Far tails of the second
    are not as thin as it says; its level is a tenth of that of the first.

    Parameters
    ----------
    X : array of shape (n, p)
    level : float, default=0.05

    Returns
    -------
    array of bool, shape (p,)
        False for all columns if there are fewer than 20 rows, and for constant columns.
    """
    from scipy.stats import kurtosistest, skewtest  # kept off the import path

    n, p = X.shape
    departs = np.zeros(p, dtype=bool)
    if n < _FEWEST_ROWS:
        return departs
    step = max(1, _BLOCK // n)
    for first in range(0, p, step):
        block = np.asarray(X[:, first : first + step], dtype=np.float64, order="C")
        spread = np.ptp(block, axis=0)
        block = (block - block.min(axis=0)) / np.where(spread > 0, spread, 1.0)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # of constant columns
            least = np.minimum(skewtest(block).pvalue, _DOUBT * kurtosistest(block).pvalue)
        departs[first : first + step] = (spread > 0) & (least < level / (2 * p))
    return departs


def screened(projections: Projections, features: NDArray[np.bool_]) -> Projections:
    """Return the same family of projections on some features only."""
    numbers = np.flatnonzero(features).tolist()
    departs = projections.on_features(numbers)
    if departs is None:
        given = type(projections).__name__ + (" with features" if hasattr(projections, "features") else "")
        raise ValueError(f"screen chooses among single features: projections must be Axis() or Sparse(), not {given}")
    return departs
