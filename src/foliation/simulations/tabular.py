"""Features without order: sparse parity, Trunk's problem and the orthants."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foliation.simulations._common import (
    Floats,
    Labels,
    RandomState,
    alternating_labels,
    as_rows,
    check_number,
    check_size,
    generator,
    logistic,
)

_MAX_ORTHANT_FEATURES = 62  # so that 2**p fits a signed 64-bit label


def sparse_parity(
    n: int, *, n_features: int = 20, n_relevant: int = 3, random_state: RandomState = None
) -> tuple[Floats, Labels]:
    """Draw uniform features of which the first few decide the class by the parity of their signs.

    The label is one where an odd number of the relevant features is positive. The problem is taken
    from the SPORF paper.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    n_features : int
        Number of columns, at least 1.
    n_relevant : int
        Number of leading columns that decide the class, from 1 to `n_features`.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of float64, shape (n, n_features)
        Features, uniform on (-1, 1).
    y : ndarray of int64, shape (n,)
        Labels as drawn, each class with probability one half.
    """
    check_size("n", n)
    check_size("n_features", n_features)
    check_size("n_relevant", n_relevant, most=n_features)
    X = generator(random_state).uniform(-1.0, 1.0, size=(n, n_features))
    return X, np.count_nonzero(X[:, :n_relevant] > 0, axis=1).astype(np.int64) % 2


def trunk(n: int, *, n_features: int = 10, random_state: RandomState = None) -> tuple[Floats, Labels]:
    """Draw two Gaussian classes whose features tell less and less.

    The covariance is the identity and the mean is m = (1, 1/sqrt 2, 1/sqrt 3, ...) in class 1 and -m in
    class 0. The problem is Trunk's, in the form of the SPORF paper.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    n_features : int
        Number of columns, at least 1.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of float64, shape (n, n_features)
        Features.
    y : ndarray of int64, shape (n,)
        Labels 0, 1, 0, 1, ...
    """
    y = alternating_labels(n)
    check_size("n_features", n_features)
    X = generator(random_state).standard_normal((n, n_features))
    X += (2 * y - 1)[:, None] * _trunk_mean(n_features)
    return X, y


def trunk_posterior(X: ArrayLike) -> Floats:
    """Compute the exact probability of class 1 in ``trunk``.

    The classes are Gaussian with unit covariance, opposite means and equal priors, as Trunk's problem has
    them.

    Parameters
    ----------
    X : array_like, shape (n, n_features)
        Features; their number sets the means.

    Returns
    -------
    ndarray of float64, shape (n,)
        P(y = 1 | x) for each row.
    """
    rows = as_rows(X)
    return logistic(2 * rows @ _trunk_mean(rows.shape[1]))


def overlapping_gaussians(
    n: int, *, n_features: int = 2, distance: float = 1.0, random_state: RandomState = None
) -> tuple[Floats, Labels]:
    """Draw two Gaussian classes that differ in their first feature and overlap.

    The covariance is the identity; the means of the first feature are ``-distance / 2`` in class 0 and
    ``distance / 2`` in class 1, those of all others are 0.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    n_features : int
        Number of columns, at least 1.
    distance : float
        Between the means, in standard deviations.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of float64, shape (n, n_features)
        Features.
    y : ndarray of int64, shape (n,)
        Labels 0, 1, 0, 1, ...
    """
    y = alternating_labels(n)
    check_size("n_features", n_features)
    check_number("distance", distance)
    X = generator(random_state).standard_normal((n, n_features))
    X[:, 0] += (y - 0.5) * float(distance)
    return X, y


def overlapping_gaussians_posterior(X: ArrayLike, *, distance: float = 1.0) -> Floats:
    """Compute the exact probability of class 1 in ``overlapping_gaussians``.

    Parameters
    ----------
    X : array_like, shape (n, n_features)
        Features.
    distance : float
        As given to ``overlapping_gaussians``.

    Returns
    -------
    ndarray of float64, shape (n,)
        P(y = 1 | x) for each row.
    """
    check_number("distance", distance)
    return logistic(float(distance) * as_rows(X)[:, 0])


def orthant(n: int, *, n_features: int = 6, random_state: RandomState = None) -> tuple[Floats, Labels]:
    """Draw uniform features whose signs together are the class.

    Each of the 2**n_features orthants is a class; a positive feature j adds 2**j to the label. The problem
    is taken from the SPORF paper.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    n_features : int
        Number of columns, from 1 to 62.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of float64, shape (n, n_features)
        Features, uniform on (-1, 1).
    y : ndarray of int64, shape (n,)
        Labels as drawn, all 2**n_features equally likely.
    """
    check_size("n", n)
    check_size("n_features", n_features, most=_MAX_ORTHANT_FEATURES)
    X = generator(random_state).uniform(-1.0, 1.0, size=(n, n_features))
    bits = np.int64(1) << np.arange(n_features, dtype=np.int64)
    return X, (X > 0).astype(np.int64) @ bits


def _trunk_mean(n_features: int) -> Floats:
    """Return the mean of class 1 in Trunk's problem."""
    return 1.0 / np.sqrt(np.arange(1, n_features + 1, dtype=np.float64))
