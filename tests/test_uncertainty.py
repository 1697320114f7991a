"""Quantiles, standard deviations, standard errors, and sets that hold the truth as often as promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

import foliation as fo
from foliation import simulations


def noisy(n: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A mean of x, noise that grows with another feature."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 3))
    return X, 2 * X[:, 0] + (0.2 + np.abs(X[:, 1])) * rng.standard_normal(n)


def test_quantiles_are_those_of_the_weights() -> None:
    X, y = noisy(200, 0)
    new, _ = noisy(40, 1)
    forest = fo.ForestRegressor(30, min_samples_leaf=3, random_state=0).fit(X, y)
    levels = [0.0, 0.05, 0.5, 0.95, 1.0]
    found = forest.predict(new, quantiles=levels)
    assert found.shape == (40, 5)
    alpha = forest.leaf_weights(new).toarray()
    order = np.argsort(y)
    for row, weights in enumerate(alpha[:, order]):
        sums = np.cumsum(weights)
        present = np.flatnonzero(weights)
        for k, level in enumerate(levels):
            at = present[np.flatnonzero(sums[present] >= level - 1e-9)[0]]
            assert found[row, k] == y[order[at]]
    assert (np.diff(found, axis=1) >= 0).all()
    assert np.isin(found, y).all()


def test_quantiles_hold_new_targets() -> None:
    X, y = noisy(4000, 0)
    new, truth = noisy(4000, 1)
    forest = fo.ForestRegressor(100, min_samples_leaf=10, random_state=0).fit(X, y)
    low, middle, high = forest.predict(new, quantiles=[0.1, 0.5, 0.9]).T
    assert 0.75 < ((low <= truth) & (truth <= high)).mean() < 0.87
    assert 0.46 < (truth <= middle).mean() < 0.54
    wide = np.abs(new[:, 1]) > 0.7
    assert np.median((high - low)[wide]) > 1.5 * np.median((high - low)[~wide])


def test_std_is_that_of_the_weights() -> None:
    X, y = noisy(200, 0)
    new, _ = noisy(40, 1)
    for shift in (0.0, 1e6):
        forest = fo.ForestRegressor(30, min_samples_leaf=3, random_state=0).fit(X, y + shift)
        mean, std = forest.predict(new, return_std=True)
        np.testing.assert_array_equal(mean, forest.predict(new))
        alpha = forest.leaf_weights(new).toarray()
        by_hand = np.sqrt((alpha * (y[None, :] - (alpha @ y)[:, None]) ** 2).sum(axis=1))
        np.testing.assert_allclose(std, by_hand, rtol=1e-6)


def test_several_outputs() -> None:
    X, y = noisy(300, 0)
    both = np.stack([y, -3 * y], axis=1)
    forest = fo.ForestRegressor(60, random_state=0).fit(X, both)
    assert forest.predict(X, quantiles=[0.1, 0.9]).shape == (300, 2, 2)
    mean, std = forest.predict(X, return_std=True)
    assert mean.shape == std.shape == forest.standard_error(X).shape == (300, 2)
    np.testing.assert_allclose(std[:, 1], 3 * std[:, 0], rtol=1e-6)
    interval = forest.predict_interval(X)
    assert interval.shape == (300, 2, 2)
    np.testing.assert_allclose(np.diff(interval, axis=1)[:, 0, 1], 3 * np.diff(interval, axis=1)[:, 0, 0])
    labels = np.stack([y > 0, np.arange(300) % 3], axis=1).astype(int)
    sets = fo.ForestClassifier(60, random_state=0).fit(X, labels).predict_interval(X)
    assert [s.shape for s in sets] == [(300, 2), (300, 3)]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("settings", [{}, {"honest": True}, {"bootstrap": False, "max_samples": 0.5}])
def test_intervals_cover_as_promised(level: float, settings: dict[str, Any]) -> None:
    """Over several data sets, so that the share is a binomial of all their rows but for the draw of the limits."""
    covered = []
    for seed in range(10):
        X, y = noisy(1000, 2 * seed)
        new, truth = noisy(1000, 2 * seed + 1)
        forest = fo.ForestRegressor(200, min_samples_leaf=5, random_state=seed, **settings).fit(X, y)
        low, high = forest.predict_interval(new, level).T
        covered.append((low <= truth) & (truth <= high))
    # Limits come from 1000 rows each: as many chances to be wrong as the 1000 new rows have.
    assert binom.ppf(0.001, 5000, level) <= np.mean(covered) * 5000 <= binom.ppf(0.999, 5000, level)


@pytest.mark.parametrize("level", [0.7, 0.9])
def test_sets_of_classes_cover_as_promised(level: float) -> None:
    covered, sizes = [], []
    for seed in range(10):
        X, y = simulations.overlapping_gaussians(1000, n_features=3, distance=2.0, random_state=2 * seed)
        new, truth = simulations.overlapping_gaussians(1000, n_features=3, distance=2.0, random_state=2 * seed + 1)
        forest = fo.ForestClassifier(200, min_samples_leaf=5, random_state=seed).fit(X, y)
        found = forest.predict_interval(new, level)
        assert found.shape == (1000, 2) and found.dtype == bool
        covered.append(found[np.arange(1000), truth])
        sizes.append(found.sum(axis=1).mean())
    assert binom.ppf(0.001, 5000, level) <= np.mean(covered) * 5000 <= binom.ppf(0.999, 5000, level)
    assert 0.5 < np.mean(sizes) < 1.5


def test_too_few_rows_for_a_level() -> None:
    X, y = noisy(8, 0)
    forest = fo.ForestRegressor(50, random_state=0).fit(X, y)
    assert np.isinf(forest.predict_interval(X, 0.95)).all()
    assert np.isfinite(forest.predict_interval(X, 0.5)).all()


@pytest.mark.parametrize(
    "settings",
    [{}, {"bootstrap": False, "max_samples": 0.3}, {"honest": True, "bootstrap": False, "max_samples": 0.4}],
    ids=["bootstrap", "subsample", "honest subsample"],
)
def test_standard_errors_are_those_of_other_training_rows(settings: dict[str, Any]) -> None:
    at = np.array([[0.0, 0.0], [0.5, 0.3], [-0.6, 0.6]])
    found, errors = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.uniform(-1, 1, size=(150, 2))
        y = X[:, 0] + 0.5 * rng.standard_normal(150)
        forest = fo.ForestRegressor(1000, min_samples_leaf=5, random_state=seed, n_jobs=-1, **settings).fit(X, y)
        found.append(forest.predict(at))
        errors.append(forest.standard_error(at))
    ratio = np.sqrt((np.array(errors) ** 2).mean()) / np.sqrt(np.array(found).var(axis=0, ddof=1).mean())
    assert 0.8 < ratio < 1.25


def test_standard_errors_of_probabilities() -> None:
    X, y = simulations.overlapping_gaussians(200, random_state=0)
    forest = fo.ForestClassifier(500, min_samples_leaf=5, random_state=0).fit(X, y)
    errors = forest.standard_error(X)
    assert errors.shape == (200, 2)
    np.testing.assert_allclose(errors[:, 0], errors[:, 1], atol=1e-6)
    assert 0.01 < np.median(errors) < 0.2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, X: f.predict(X, quantiles=[0.5, 1.5]), r"quantiles=\[0.5, 1.5\] must be a list of numbers between"),
        (lambda f, X: f.predict(X, quantiles=0.5), "quantiles=0.5 must be a list"),
        (lambda f, X: f.predict(X, quantiles=[0.5], return_std=True), "ask for different things"),
        (lambda f, X: f.predict_interval(X, level=1), "level=1 must be a number between 0 and 1"),
        (lambda f, X: f.predict_interval(X, method="jackknife"), "method='jackknife' is unknown"),
    ],
)
def test_bad_arguments(call: Any, message: str) -> None:
    X, y = noisy(50, 0)
    with pytest.raises(ValueError, match=message):
        call(fo.ForestRegressor(10, random_state=0).fit(X, y), X)


def test_forests_without_rows_out_of_the_bag() -> None:
    X, y = noisy(50, 0)
    filled = fo.ForestRegressor(10, honest=True, honest_fill="oob", random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="none are left to predict"):
        filled.predict_interval(X)
    whole = fo.ForestRegressor(10, bootstrap=False, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="trees that draw different rows"):
        whole.standard_error(X)
    assert np.isinf(whole.predict_interval(X)).all()
