"""One structure in each row: segments on a circle, bars in an image, an impulse in a series."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foliation.simulations._common import (
    N_TIMES,
    Bytes,
    Floats,
    Labels,
    RandomState,
    alternating_labels,
    as_rows,
    generator,
    logistic,
    normal_cdf,
)

_N_CELLS = 100  # cells on the circle
_N_ONES = 10  # cells set to one in every row of the circle
_SEGMENTS = np.array([[5, 5], [4, 6]])  # lengths of the two segments, by class
_SIDE = 28  # rows and columns of a bars image
_MEAN_BARS = 10.0  # expected number of bars drawn, repeats included
_ONSET = 20  # first time point of the impulse
_DECAY = 0.1  # decay of the impulse per time point


def circle(n: int, *, random_state: RandomState = None) -> tuple[Bytes, Labels]:
    """Draw two segments on a circle of 100 cells, 10 cells in all.

    Class 0 has two segments of length 5, class 1 one of length 4 and one of length 6; at least one empty cell
    separates them on either side. The problem is experiment A of the MORF paper.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of uint8, shape (n, 100)
        Indicator of the covered cells; the last cell is a neighbour of the first.
    y : ndarray of int64, shape (n,)
        Labels 0, 1, 0, 1, ...
    """
    y = alternating_labels(n)
    rng = generator(random_state)
    # The start is uniform and the two gaps exchangeable, so the order of the lengths 4 and 6 does not matter.
    first, second = _SEGMENTS[y].T
    start = rng.integers(_N_CELLS, size=n)
    gap = rng.integers(1, _N_CELLS - _N_ONES, size=n)
    covered = _arc(start, first) | _arc(start + first + gap, second)
    return covered.astype(np.uint8), y


def bars(n: int, *, random_state: RandomState = None) -> tuple[Bytes, Labels]:
    """Draw horizontal (class 0) or vertical (class 1) bars in a 28 x 28 image.

    Poisson(10) rows, drawn uniformly with replacement, are set to one; class 1 is the transpose. The
    problem is experiment B of the MORF paper.

    Parameters
    ----------
    n : int
        Number of images, at least 1.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of uint8, shape (n, 28, 28)
        The images.
    y : ndarray of int64, shape (n,)
        Labels 0, 1, 0, 1, ...
    """
    y = alternating_labels(n)
    rng = generator(random_state)
    # A Poisson number of uniform draws hits each row an independent Poisson number of times.
    lit = rng.poisson(_MEAN_BARS / _SIDE, size=(n, _SIDE)) > 0
    images = np.where(y[:, None, None] == 0, lit[:, :, None], lit[:, None, :])
    return images.astype(np.uint8), y


def impulse(n: int, *, random_state: RandomState = None) -> tuple[Floats, Labels]:
    """Draw white noise (class 0), or white noise plus a decaying impulse (class 1).

    The noise is standard normal and the impulse is exp(-0.1 (t - 20)) from t = 20 on. The problem is
    experiment C of the MORF paper, with the decay rate that its published errors imply.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of float64, shape (n, 100)
        The series.
    y : ndarray of int64, shape (n,)
        Labels 0, 1, 0, 1, ...
    """
    y = alternating_labels(n)
    X = generator(random_state).standard_normal((n, N_TIMES))
    X[1::2] += _impulse_signal()
    return X, y


def impulse_posterior(X: ArrayLike) -> Floats:
    """Compute the exact probability of class 1 in ``impulse``.

    The classes are Gaussian with unit covariance and equal priors, as experiment C of the MORF paper has
    them.

    Parameters
    ----------
    X : array_like, shape (n, 100)
        The series.

    Returns
    -------
    ndarray of float64, shape (n,)
        P(y = 1 | x) for each row.
    """
    rows = as_rows(X)
    if rows.shape[1] != N_TIMES:
        raise ValueError(f"X has {rows.shape[1]} columns; it must have {N_TIMES}, one per time point")
    signal = _impulse_signal()
    return logistic(rows @ signal - signal @ signal / 2)


def impulse_bayes_error() -> float:
    """Compute the Bayes error of ``impulse``.

    Two Gaussians with unit covariance whose means lie d apart are confused with probability Phi(-d / 2);
    this is the floor under every curve of experiment C of the MORF paper.

    Returns
    -------
    float
        The smallest error rate that any classifier can have, about 0.1201.
    """
    return normal_cdf(-float(np.linalg.norm(_impulse_signal())) / 2)


def _arc(start: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark `length` cells from `start` on, around the circle, one row for each pair."""
    steps: NDArray[np.int64] = (np.arange(_N_CELLS) - start[:, None]) % _N_CELLS
    return steps < length[:, None]


def _impulse_signal() -> Floats:
    """Return the mean of class 1 in the impulse problem."""
    since_onset = np.arange(N_TIMES) - _ONSET
    return np.where(since_onset >= 0, np.exp(-_DECAY * since_onset), 0.0)
