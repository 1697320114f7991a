"""Linear dynamics and Gaussian channels."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from foliation import simulations

# Linear dynamics

STATE = np.array([[1, 0.7, 0.6], [-0.5, 0.9, 0.5], [-0.6, -0.7, 0.8]])
INPUTS = {
    "code": np.array([[[0.5, 0.1, 0.1], [0, 0.5, 0.1], [0, 0, -0.5]], np.diag([0.5, 0.5, -0.5])]),
    "paper": np.array([0.5 * np.eye(3), 0.4 * np.eye(3) + 0.1]),
}


def trajectory_moments(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance, each (3, 100), of the observed states, by enumerating the 20 onsets."""
    free = np.array([np.linalg.matrix_power(A, t) for t in range(100)])
    forced = np.zeros((20, 100, 3))
    for i, onset in enumerate(range(20, 40)):
        for s in range(onset, onset + 5):
            forced[i, s + 1 :] += free[: 99 - s] @ B @ np.ones(3)
    mean = free @ np.full(3, 0.5) + forced.mean(axis=0)
    variance = (free**2).sum(axis=2) / 12 + forced.var(axis=0) + 0.25
    return mean.T, variance.T


@pytest.mark.parametrize("variant", ["code", "paper"])
def test_dynamics_matrices(variant: Any) -> None:
    A, B = simulations.linear_dynamics_matrices(variant)
    np.testing.assert_allclose(A, STATE / math.sqrt((STATE**2).sum()), rtol=1e-14)
    np.testing.assert_allclose(B, INPUTS[variant], rtol=1e-14)
    assert np.abs(np.linalg.eigvals(A)).max() <= 1
    for b in B:
        assert np.linalg.matrix_rank(np.hstack((b, A @ b, A @ A @ b))) == 3


def test_dynamics_matrices_are_copies() -> None:
    for matrix in simulations.linear_dynamics_matrices():
        matrix[...] = 0
    assert all(matrix.any() for matrix in simulations.linear_dynamics_matrices())


@pytest.mark.parametrize("variant", ["code", "paper"])
def test_dynamics_moments(variant: Any) -> None:
    n = 6000
    X, y = simulations.linear_dynamics(n, variant=variant, random_state=0)
    states = X[:, ::2] if variant == "code" else X
    assert states.shape == (n, 3, 100)
    for label in (0, 1):
        mean, variance = trajectory_moments(STATE / np.linalg.norm(STATE), INPUTS[variant][label])
        rows = states[y == label]
        assert (np.abs(rows.mean(axis=0) - mean) < 5 * np.sqrt(variance / len(rows))).all()
        assert (np.abs(rows.var(axis=0) - variance) < 5 * variance * math.sqrt(2 / len(rows))).all()


def test_dynamics_noise_channels() -> None:
    X, _ = simulations.linear_dynamics(2000, random_state=1)
    noise = X[:, 1::2]
    assert 0 <= noise.min() < 0.001
    assert 0.999 < noise.max() <= 1
    assert abs(noise.mean() - 0.5) < 5 * math.sqrt(1 / 12 / noise.size)
    assert abs(noise.var() - 1 / 12) < 5 * math.sqrt(1 / 180 / noise.size)


@pytest.mark.parametrize("variant", ["printed", None, []])
def test_dynamics_unknown_variant(variant: Any) -> None:
    message = rf"^variant is {re.escape(repr(variant))}; it must be 'code' or 'paper'$"
    with pytest.raises(ValueError, match=message):
        simulations.linear_dynamics(4, variant=variant)
    with pytest.raises(ValueError, match=message):
        simulations.linear_dynamics_matrices(variant)


# Gaussian channels


def test_gaussian_channel_covariances() -> None:
    X, y = simulations.gaussian_channels(2000, random_state=0)
    for label in (0, 1):
        expected = np.diag([25 / 12, 1.5, 25 / 12, 1.25, 25 / 12, 1.0])
        expected[1::2, 1::2] += label * (1 - np.eye(3))
        points = X[y == label].transpose(1, 0, 2).reshape(6, -1)
        spread = np.sqrt(np.outer(np.diag(expected), np.diag(expected)) + expected**2)
        assert (np.abs(np.cov(points) - expected) < 5 * spread / math.sqrt(points.shape[1])).all()
        center = np.array([2.5, 0, 2.5, 0, 2.5, 0])
        assert (np.abs(points.mean(axis=1) - center) < 5 * np.sqrt(np.diag(expected) / points.shape[1])).all()


def test_gaussian_channels_noise_and_time() -> None:
    X, _ = simulations.gaussian_channels(2000, random_state=1)
    noise = X[:, ::2]
    assert 0 <= noise.min() < 0.001
    assert 4.999 < noise.max() <= 5
    earlier, later = X[:, :, :-1] - X.mean(axis=(0, 2), keepdims=True), X[:, :, 1:]
    lagged = (earlier * later).mean(axis=(0, 2)) / X.var(axis=(0, 2))
    assert np.abs(lagged).max() < 5 * 2 / math.sqrt(2000 * 99)
