"""Sparse parity, trunk, overlapping Gaussians and orthant."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from simulated import GENERATORS, assert_uniform, gaussian_ratio, normal_cdf

from foliation import simulations

# Sparse parity


def test_sparse_parity_labels() -> None:
    X, y = simulations.sparse_parity(500, random_state=0)
    assert [sum(value > 0 for value in row[:3]) % 2 for row in X.tolist()] == y.tolist()
    X, y = simulations.sparse_parity(500, n_features=4, n_relevant=2, random_state=0)
    assert X.shape == (500, 4)
    np.testing.assert_array_equal(y == 1, (X[:, 0] > 0) != (X[:, 1] > 0))


@pytest.mark.parametrize("name", ["sparse_parity", "orthant"])
def test_uniform_features(name: str) -> None:
    X, _ = GENERATORS[name](20_000, random_state=1)
    assert -1 <= X.min() < -0.999
    assert 0.999 < X.max() <= 1
    for column in X.T:
        assert_uniform(np.floor((column + 1) * 25).astype(int), 0, 49)


def test_sparse_parity_classes() -> None:
    X, y = simulations.sparse_parity(20_000, random_state=2)
    assert_uniform(y, 0, 1)
    differences = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    assert np.abs(differences).max() < 5 * math.sqrt(4 / 3 / 20_000), "no feature tells anything on its own"


@pytest.mark.parametrize("n_relevant", [0, -1, 6, 1.5])
def test_sparse_parity_bad_relevant(n_relevant: Any) -> None:
    with pytest.raises(ValueError, match=rf"^n_relevant is {n_relevant}; it must be an integer from 1 to 5$"):
        simulations.sparse_parity(4, n_features=5, n_relevant=n_relevant)


@pytest.mark.parametrize(
    "generate",
    [simulations.sparse_parity, simulations.trunk, simulations.overlapping_gaussians, simulations.orthant],
)
@pytest.mark.parametrize("n_features", [0, -2, 3.0, False])
def test_bad_features(generate: Callable[..., Any], n_features: object) -> None:
    with pytest.raises(ValueError, match=rf"^n_features is {n_features}; it must be an integer"):
        generate(4, n_features=n_features)


# Trunk


def test_trunk_means() -> None:
    n = 20_000
    X, y = simulations.trunk(n, n_features=5, random_state=0)
    mean = np.array([1, 1 / math.sqrt(2), 1 / math.sqrt(3), 1 / 2, 1 / math.sqrt(5)])
    for label, sign in ((0, -1), (1, 1)):
        rows = X[y == label]
        assert np.abs(rows.mean(axis=0) - sign * mean).max() < 5 / math.sqrt(len(rows))
        assert np.abs(np.cov(rows.T) - np.eye(5)).max() < 5 * math.sqrt(2 / len(rows))


def test_trunk_posterior() -> None:
    n = 20_000
    X, y = simulations.trunk(n, n_features=4, random_state=1)
    mean = np.array([1, 1 / math.sqrt(2), 1 / math.sqrt(3), 1 / 2])
    posterior = simulations.trunk_posterior(X)
    np.testing.assert_allclose(posterior[:50], [gaussian_ratio(x, -mean, mean) for x in X[:50]], rtol=1e-9)
    bayes = normal_cdf(-math.sqrt(25 / 12))  # 1 + 1/2 + 1/3 + 1/4
    assert abs(np.mean((posterior > 0.5) != y) - bayes) < 4 * math.sqrt(bayes * (1 - bayes) / n)


@pytest.mark.parametrize("X", [np.zeros(10), np.zeros((2, 0))])
def test_trunk_posterior_bad_shape(X: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"^X has shape .*; it must have two dimensions"):
        simulations.trunk_posterior(X)


# Overlapping Gaussians


def test_overlapping_gaussians() -> None:
    n = 20_000
    X, y = simulations.overlapping_gaussians(n, n_features=3, distance=1.5, random_state=0)
    mean = np.array([0.75, 0.0, 0.0])
    for label, sign in ((0, -1), (1, 1)):
        rows = X[y == label]
        assert np.abs(rows.mean(axis=0) - sign * mean).max() < 5 / math.sqrt(len(rows))
        assert np.abs(np.cov(rows.T) - np.eye(3)).max() < 5 * math.sqrt(2 / len(rows))
    posterior = simulations.overlapping_gaussians_posterior(X, distance=1.5)
    np.testing.assert_allclose(posterior[:50], [gaussian_ratio(x, -mean, mean) for x in X[:50]], rtol=1e-9)
    bayes = normal_cdf(-0.75)
    assert abs(np.mean((posterior > 0.5) != y) - bayes) < 4 * math.sqrt(bayes * (1 - bayes) / n)


# Orthant


def test_orthant_labels() -> None:
    X, y = simulations.orthant(500, n_features=3, random_state=0)
    weights = {True: (1, 2, 4), False: (0, 0, 0)}
    assert [sum(weights[v > 0][j] for j, v in enumerate(row)) for row in X.tolist()] == y.tolist()


def test_orthant_classes() -> None:
    _, y = simulations.orthant(20_000, random_state=1)
    assert_uniform(y, 0, 63)


def test_orthant_widest() -> None:
    X, y = simulations.orthant(50, n_features=62, random_state=0)
    bits = [[(int(label) >> j) & 1 for j in range(62)] for label in y]
    np.testing.assert_array_equal(bits, X > 0)
    with pytest.raises(ValueError, match=r"^n_features is 63; it must be an integer from 1 to 62$"):
        simulations.orthant(50, n_features=63)
