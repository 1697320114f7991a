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
    forest = fo.ForestRegressor(1000, min_samples_leaf=5, random_state=0).fit(X, both)
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


LEAVES_OF_ALL: dict[str, tuple[dict[str, Any], int, int]] = {  # settings, zero weights, rows in a group
    "bootstrap": ({}, 0, 1),
    "half a bootstrap": ({"max_samples": 0.5}, 0, 1),
    "subsample": ({"bootstrap": False, "max_samples": 0.3}, 0, 1),
    "large subsample": ({"bootstrap": False, "max_samples": 0.8}, 0, 1),
    "honest subsample": ({"bootstrap": False, "max_samples": 0.5, "honest": True}, 0, 1),
    "honest, ignore": ({"honest": True, "honest_prior": "ignore"}, 0, 1),
    "zero weights": ({"bootstrap": False, "max_samples": 60}, 80, 1),
    "groups": ({}, 0, 4),
    "groups, zero weights": ({}, 40, 4),
}


@pytest.mark.parametrize(("settings", "n_zero", "size"), LEAVES_OF_ALL.values(), ids=LEAVES_OF_ALL)
def test_standard_errors_of_means(settings: dict[str, Any], n_zero: int, size: int) -> None:
    """Trees of one leaf say the mean of what fills them; its standard error is known."""
    rng = np.random.default_rng(0)
    y, weights = rng.normal(size=200), np.ones(200)
    weights[: 5 * n_zero : 5] = 0  # n_zero rows; the first of groups among them
    groups = np.repeat(np.arange(200 // size), size) if size > 1 else None
    forest = fo.ForestRegressor(4000, min_samples_split=1000, random_state=0, n_jobs=-1, **settings)
    forest.fit(np.zeros((200, 1)), y, sample_weight=weights if n_zero else None, groups=groups)
    mean = np.average(y, weights=weights)
    of_units = np.add.reduceat(weights * (y - mean), np.arange(0, 200, size))
    expected = np.sqrt((of_units**2).sum()) / weights.sum()
    assert forest.standard_error(np.zeros((1, 1)))[0] == pytest.approx(expected, rel=0.08)


def test_few_trees_for_standard_errors_are_said() -> None:
    X, y = noisy(500, 0)
    forest = fo.ForestRegressor(30, random_state=0).fit(X, y)
    with pytest.warns(UserWarning, match="of the standard errors come out as 0: 30 trees leave more noise"):
        forest.standard_error(X)


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
        (lambda f, X: f.predict(X, quantiles=[[0.1], [0.1, 0.2]]), r"quantiles=.* must be a list"),
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
    with pytest.raises(ValueError, match="intervals need rows out of the bag"):
        whole.predict_interval(X)
    with pytest.raises(ValueError, match='standard errors are not known for honest_fill="oob"'):
        filled.standard_error(X)


def test_targets_changed_in_place_change_nothing() -> None:
    X, y = noisy(50, 0)
    given = y.copy()
    forest = fo.ForestRegressor(30, random_state=0).fit(X, given)
    before = forest.predict_interval(X), forest.predict(X, quantiles=[0.5])
    given[:] = 1000
    np.testing.assert_array_equal(forest.predict_interval(X), before[0])
    np.testing.assert_array_equal(forest.predict(X, quantiles=[0.5]), before[1])


def test_rows_without_weight_do_not_calibrate() -> None:
    X, y = noisy(300, 0)
    weights = np.ones(300)
    weights[:100] = 0
    wild = np.where(weights == 0, 1000.0, y)
    forest = fo.ForestRegressor(100, random_state=0).fit(X, wild, sample_weight=weights)
    assert np.diff(forest.predict_interval(X), axis=1).max() < 6


def test_rows_that_every_tree_drew_count_as_missed() -> None:
    """Heavy rows are hardly ever out of the bag; those that are must not stand for the others."""
    covered = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, new = rng.normal(size=(2, 600, 2))
        y, truth = rng.random((2, 600)) < 0.05
        forest = fo.ForestClassifier(50, class_weight="balanced", min_samples_leaf=5, random_state=seed)
        with pytest.warns(UserWarning, match="training rows were drawn by every tree"):
            found = forest.fit(X, y).predict_interval(new, 0.9)
        covered.append(found[np.arange(600), truth.astype(int)].mean())
    assert np.mean(covered) > 0.89


@pytest.mark.parametrize("n_groups", [8, 20])
def test_intervals_cover_new_groups(n_groups: int) -> None:
    covered = []
    for seed in range(150):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(n_groups), rng.integers(1, 15, size=n_groups))
        y = rng.normal(size=n_groups)[groups] + 0.2 * rng.normal(size=len(groups))
        X = rng.normal(size=(len(groups), 2))
        forest = fo.ForestRegressor(60, min_samples_leaf=20, random_state=seed).fit(X, y, groups=groups)
        low, high = forest.predict_interval(rng.normal(size=(1, 2)), 0.8)[0]
        covered.append(low <= rng.normal() + 0.2 * rng.normal() <= high)
    assert np.mean(covered) > binom.ppf(0.01, 150, 0.8) / 150
    assert np.isinf(forest.predict_interval(X, 1 - 0.5 / n_groups)).all()
