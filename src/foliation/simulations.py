"""Simulated classification problems with known structure.

Every generator returns ``(X, y)``. Where the class is part of the design, the labels alternate 0, 1, 0, 1,
... in row order, so every prefix of a draw is class-balanced to within one row: for a learning curve, draw
the largest size once and train on prefixes of it. (Drawing again with a smaller ``n`` and the same seed
may give other rows.)

References
----------
Li, A., Perry, R., Huynh, C., et al. "Manifold oblique random forests: towards closing the gap on
convolutional deep networks", called MORF below.

Tomita, T. M., Browne, J., Shen, C., et al. "Sparse projection oblique randomer forests", called SPORF below.

Trunk, G. V. "A problem of dimensionality: a simple example".
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "bars",
    "circle",
    "gaussian_channels",
    "impulse",
    "impulse_bayes_error",
    "impulse_posterior",
    "linear_dynamics",
    "linear_dynamics_matrices",
    "orthant",
    "sparse_parity",
    "trunk",
    "trunk_posterior",
]

RandomState: TypeAlias = int | np.random.Generator | None
Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = NDArray[np.int64]

_N_CELLS = 100  # cells on the circle
_N_ONES = 10  # cells set to one in every row of the circle
_SEGMENTS = np.array([[5, 5], [4, 6]])  # lengths of the two segments, by class
_SIDE = 28  # rows and columns of a bars image
_MEAN_BARS = 10.0  # expected number of bars drawn, repeats included
_N_TIMES = 100  # time points of every series
_ONSET = 20  # first time point of the impulse
_DECAY = 0.1  # decay of the impulse per time point
_STATE = np.array([[1.0, 0.7, 0.6], [-0.5, 0.9, 0.5], [-0.6, -0.7, 0.8]])  # before division by its norm
_INPUTS = {
    "code": np.array(
        [
            [[0.5, 0.1, 0.1], [0.0, 0.5, 0.1], [0.0, 0.0, -0.5]],
            [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, -0.5]],
        ]
    ),
    "paper": np.array(
        [
            [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]],
            [[0.5, 0.1, 0.1], [0.1, 0.5, 0.1], [0.1, 0.1, 0.5]],
        ]
    ),
}
_PULSE_STARTS = (20, 40)  # the input sets in at a time from this half-open range
_PULSE_LENGTH = 5  # and lasts this many steps
_OBSERVATION_SD = 0.5
_VARIANCES = np.array([1.5, 1.25, 1.0])  # of the three Gaussian channels, in both classes
_NOISE_SCALE = 5.0  # the noise channels beside them are uniform on (0, 5)
_MAX_ORTHANT_FEATURES = 62  # so that 2**p fits a signed 64-bit label


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
    y = _alternating_labels(n)
    rng = np.random.default_rng(random_state)
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
    y = _alternating_labels(n)
    rng = np.random.default_rng(random_state)
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
    y = _alternating_labels(n)
    X = np.random.default_rng(random_state).standard_normal((n, _N_TIMES))
    X[1::2] += _impulse_signal()
    return X, y


def impulse_posterior(X: ArrayLike) -> Floats:
    """Compute the exact probability of class 1 in :func:`impulse`.

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
    rows = _as_rows(X)
    if rows.shape[1] != _N_TIMES:
        raise ValueError(f"X has {rows.shape[1]} columns; it must have {_N_TIMES}, one per time point")
    signal = _impulse_signal()
    return _logistic(rows @ signal - signal @ signal / 2)


def impulse_bayes_error() -> float:
    """Compute the Bayes error of :func:`impulse`.

    Two Gaussians with unit covariance whose means lie d apart are confused with probability Phi(-d / 2);
    this is the floor under every curve of experiment C of the MORF paper.

    Returns
    -------
    float
        The smallest error rate that any classifier can have, about 0.1201.
    """
    return _normal_cdf(-float(np.linalg.norm(_impulse_signal())) / 2)


def linear_dynamics(
    n: int, *, variant: Literal["code", "paper"] = "code", random_state: RandomState = None
) -> tuple[Floats, Labels]:
    """Draw noisy observations of a linear system x(t + 1) = A x(t) + B u(t) whose B depends on the class.

    The state starts uniform on (0, 1)^3; all three inputs are one for five steps from a time drawn from 20,
    ..., 39; each state is observed at t = 0, ..., 99 with normal noise of standard deviation 0.5. The
    problem is experiment D of the MORF paper.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    variant : {"code", "paper"}
        "code" takes the matrices of the authors' program and follows each state by a channel of uniform
        (0, 1) noise; "paper" takes the printed matrices and has the three states alone.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of float64, shape (n, 6, 100) for "code" and (n, 3, 100) for "paper"
        Channels by time points.
    y : ndarray of int64, shape (n,)
        Labels 0, 1, 0, 1, ...
    """
    y = _alternating_labels(n)
    A, B = linear_dynamics_matrices(variant)
    rng = np.random.default_rng(random_state)
    states = _trajectories(A, B.sum(axis=2)[y], rng)
    states += rng.normal(scale=_OBSERVATION_SD, size=states.shape)
    return (_interleave(states, rng.random(states.shape)) if variant == "code" else states), y


def linear_dynamics_matrices(variant: Literal["code", "paper"] = "code") -> tuple[Floats, Floats]:
    """Return the matrices behind :func:`linear_dynamics`.

    They are those of experiment D of the MORF paper, either as printed there or as its authors ran them.

    Parameters
    ----------
    variant : {"code", "paper"}
        Which input matrices to return; A is the same for both.

    Returns
    -------
    A : ndarray of float64, shape (3, 3)
        State matrix, of unit Frobenius norm.
    B : ndarray of float64, shape (2, 3, 3)
        Input matrix of each class.
    """
    if variant not in tuple(_INPUTS):
        raise ValueError(f"variant is {variant!r}; it must be 'code' or 'paper'")
    return _STATE / np.linalg.norm(_STATE), _INPUTS[variant].copy()


def gaussian_channels(n: int, *, random_state: RandomState = None) -> tuple[Floats, Labels]:
    """Draw three Gaussian channels, correlated in class 1 only, among three of noise.

    Rows 1, 3 and 5 have variances 1.5, 1.25 and 1 in both classes and covariances 0 (class 0) or 1 (class
    1); rows 0, 2 and 4 are uniform on (0, 5); all time points are independent. The problem is experiment E
    of the MORF paper, which gives only the settings used for it.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of float64, shape (n, 6, 100)
        Channels by time points.
    y : ndarray of int64, shape (n,)
        Labels 0, 1, 0, 1, ...
    """
    y = _alternating_labels(n)
    rng = np.random.default_rng(random_state)
    roots = np.linalg.cholesky(_channel_covariances())
    channels = roots[y] @ rng.standard_normal((n, 3, _N_TIMES))
    noise = rng.uniform(0.0, _NOISE_SCALE, size=channels.shape)
    return _interleave(noise, channels), y


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
    _check_size("n", n)
    _check_size("n_features", n_features)
    _check_size("n_relevant", n_relevant, most=n_features)
    X = np.random.default_rng(random_state).uniform(-1.0, 1.0, size=(n, n_features))
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
    y = _alternating_labels(n)
    _check_size("n_features", n_features)
    X = np.random.default_rng(random_state).standard_normal((n, n_features))
    X += (2 * y - 1)[:, None] * _trunk_mean(n_features)
    return X, y


def trunk_posterior(X: ArrayLike) -> Floats:
    """Compute the exact probability of class 1 in :func:`trunk`.

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
    rows = _as_rows(X)
    return _logistic(2 * rows @ _trunk_mean(rows.shape[1]))


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
    _check_size("n", n)
    _check_size("n_features", n_features, most=_MAX_ORTHANT_FEATURES)
    X = np.random.default_rng(random_state).uniform(-1.0, 1.0, size=(n, n_features))
    bits = np.int64(1) << np.arange(n_features, dtype=np.int64)
    return X, (X > 0).astype(np.int64) @ bits


def _check_size(name: str, value: int, most: int | None = None) -> None:
    """Raise unless the value is an integer from 1 to `most`."""
    is_integer = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_integer or value < 1 or (most is not None and value > most):
        wanted = "of at least 1" if most is None else f"from 1 to {most}"
        raise ValueError(f"{name} is {value!r}; it must be an integer {wanted}")


def _alternating_labels(n: int) -> Labels:
    """Return the labels 0, 1, 0, 1, ... of n rows."""
    _check_size("n", n)
    return np.arange(n, dtype=np.int64) % 2


def _as_rows(X: ArrayLike) -> Floats:
    """Return X as a matrix of floats with at least one column."""
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ValueError(f"X has shape {rows.shape}; it must have two dimensions and at least one column")
    return rows


def _arc(start: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark `length` cells from `start` on, around the circle, one row for each pair."""
    steps: NDArray[np.int64] = (np.arange(_N_CELLS) - start[:, None]) % _N_CELLS
    return steps < length[:, None]


def _impulse_signal() -> Floats:
    """Return the mean of class 1 in the impulse problem."""
    since_onset = np.arange(_N_TIMES) - _ONSET
    return np.where(since_onset >= 0, np.exp(-_DECAY * since_onset), 0.0)


def _trunk_mean(n_features: int) -> Floats:
    """Return the mean of class 1 in Trunk's problem."""
    return 1.0 / np.sqrt(np.arange(1, n_features + 1, dtype=np.float64))


def _channel_covariances() -> Floats:
    """Return the covariance matrices of the three Gaussian channels, class 0 first."""
    independent = np.diag(_VARIANCES)
    return np.stack((independent, independent + 1.0 - np.eye(3)))


def _trajectories(A: Floats, push: Floats, rng: np.random.Generator) -> Floats:
    """Run the system from random states; `push` (n, 3) is added at each step of the input pulse."""
    n = len(push)
    states = np.empty((_N_TIMES, n, 3))
    states[0] = rng.random((n, 3))
    onset = rng.integers(*_PULSE_STARTS, size=n)
    for t in range(_N_TIMES - 1):
        active = (onset <= t) & (t < onset + _PULSE_LENGTH)
        states[t + 1] = states[t] @ A.T + active[:, None] * push
    return np.ascontiguousarray(states.transpose(1, 2, 0))


def _interleave(first: Floats, second: Floats) -> Floats:
    """Merge two (n, c, T) arrays into one (n, 2c, T), channels alternating."""
    n, channels, times = first.shape
    return np.stack((first, second), axis=2).reshape(n, 2 * channels, times)


def _logistic(z: Floats) -> Floats:
    """Compute 1 / (1 + exp(-z)) without overflow."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -z)), dtype=np.float64)


def _normal_cdf(z: float) -> float:
    """Compute the standard normal distribution function."""
    return 0.5 * (1.0 + math.erf(z / math.sqrt(2.0)))
