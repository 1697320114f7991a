"""Ctrl-C stops a fit or a predict, leaves the estimator as it was, and leaves no thread."""

from __future__ import annotations

import numpy as np
from interrupts import interrupted

import foliation as fo


def test_fit_of_many_trees() -> None:
    X = np.random.default_rng(0).normal(size=(2000, 20))
    forest = fo.ForestRegressor(100_000, n_jobs=2)
    interrupted(lambda: forest.fit(X, X[:, 0]))
    assert not hasattr(forest, "n_features_in_") and not forest.__sklearn_is_fitted__()


def test_fit_of_one_large_tree_leaves_the_old_forest() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200_000, 10))
    y = rng.normal(size=200_000)
    forest = fo.ForestRegressor(1, random_state=0, max_samples=100).fit(X, y)
    before = forest.predict(X[:50])
    forest.set_params(max_samples=None, n_estimators=3, max_features=100_000)
    interrupted(lambda: forest.fit(X, y))
    np.testing.assert_array_equal(forest.predict(X[:50]), before)


def test_fit_of_one_tree_in_two_threads() -> None:
    """Its first nodes take a moment, so that the threads share it when Ctrl-C comes; all of it takes seconds."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 10))
    forest = fo.ForestRegressor(1, projections=fo.Sparse(), max_features=200, splitter="random", n_jobs=2)
    interrupted(lambda: forest.fit(X, rng.normal(size=100_000)))
    assert not forest.__sklearn_is_fitted__()


def test_predict() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 10))
    forest = fo.ForestRegressor(300, random_state=0, n_jobs=2).fit(X, rng.normal(size=1000))
    many = np.broadcast_to(X, (300, 1000, 10)).reshape(-1, 10)
    interrupted(lambda: [forest.predict(many) for _ in range(1000)])
    assert forest.predict(X[:3]).shape == (3,)
