"""Several series in each row: observations of a linear system, and Gaussian channels among noise."""

from __future__ import annotations

from typing import Literal

import numpy as np

from foliation.printable import quoted
from foliation.simulations._common import N_TIMES, Floats, Labels, RandomState, alternating_labels, generator
from foliation.validation import is_one_of

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
    y = alternating_labels(n)
    A, B = linear_dynamics_matrices(variant)
    rng = generator(random_state)
    states = _trajectories(A, B.sum(axis=2)[y], rng)
    states += rng.normal(scale=_OBSERVATION_SD, size=states.shape)
    return (_interleave(states, rng.random(states.shape)) if variant == "code" else states), y


def linear_dynamics_matrices(variant: Literal["code", "paper"] = "code") -> tuple[Floats, Floats]:
    """Return the matrices behind ``linear_dynamics``.

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
    if not is_one_of(variant, _INPUTS):
        raise ValueError(f"variant is {quoted(variant)}; it must be 'code' or 'paper'")
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
    y = alternating_labels(n)
    rng = generator(random_state)
    roots = np.linalg.cholesky(_channel_covariances())
    channels = roots[y] @ rng.standard_normal((n, 3, N_TIMES))
    noise = rng.uniform(0.0, _NOISE_SCALE, size=channels.shape)
    return _interleave(noise, channels), y


def _channel_covariances() -> Floats:
    """Return the covariance matrices of the three Gaussian channels, class 0 first."""
    independent = np.diag(_VARIANCES)
    return np.stack((independent, independent + 1.0 - np.eye(3)))


def _trajectories(A: Floats, push: Floats, rng: np.random.Generator) -> Floats:
    """Run the system from random states; `push` (n, 3) is added at each step of the input pulse."""
    n = len(push)
    states = np.empty((N_TIMES, n, 3))
    states[0] = rng.random((n, 3))
    onset = rng.integers(*_PULSE_STARTS, size=n)
    for t in range(N_TIMES - 1):
        active = (onset <= t) & (t < onset + _PULSE_LENGTH)
        states[t + 1] = states[t] @ A.T + active[:, None] * push
    return np.ascontiguousarray(states.transpose(1, 2, 0))


def _interleave(first: Floats, second: Floats) -> Floats:
    """Merge two (n, c, T) arrays into one (n, 2c, T), channels alternating."""
    n, channels, times = first.shape
    return np.stack((first, second), axis=2).reshape(n, 2 * channels, times)
