"""Outlier scores against Breiman's definition, written out over the dense proximities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import foliation as fo
from foliation import simulations


def scores_by_hand(near: NDArray[Any], same: NDArray[Any], n_trees: int) -> NDArray[np.float64]:
    """Return the rows of the class over the sum of their squared proximities; ``same`` leaves the row itself out."""
    size = same.sum(axis=1) + (near.shape[0] == near.shape[1])
    return np.asarray(size / np.maximum((near**2 * same).sum(axis=1), n_trees**-2.0))


def normalized(raw: NDArray[Any], known: NDArray[Any]) -> NDArray[np.float64]:
    """Return scores less the median of those of the training rows, over their median absolute deviation."""
    middle = np.median(known)
    return np.asarray((raw - middle) / np.median(np.abs(known - middle)))


def trunk() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    X, y = simulations.trunk(200, n_features=10, random_state=0)
    y[:3] = 1 - y[:3]  # rows among those of the other class
    return X, y


@pytest.mark.parametrize("settings", [{}, {"honest": True}, {"max_depth": 2}], ids=str)
def test_training_rows_are_compared_within_their_class(settings: dict[str, Any]) -> None:
    X, y = trunk()
    model = fo.ForestClassifier(100, min_samples_leaf=3, random_state=0, **settings).fit(X, y)
    raw = scores_by_hand(model.proximity(sparse=False), (y[:, None] == y) & ~np.eye(200, dtype=bool), 100)
    expected = np.empty(200)
    for label in (0, 1):
        expected[y == label] = normalized(raw[y == label], raw[y == label])
    np.testing.assert_allclose(model.outlier_score(), expected)


def test_rows_with_a_wrong_label_are_outliers() -> None:
    X, y = trunk()
    scores = fo.ForestClassifier(200, min_samples_leaf=3, random_state=0).fit(X, y).outlier_score()
    assert np.median(scores[:3]) > np.quantile(scores, 0.9)


def test_new_rows_are_compared_within_the_class_that_is_predicted() -> None:
    X, y = trunk()
    new, _ = simulations.trunk(60, n_features=10, random_state=7)
    model = fo.ForestClassifier(100, min_samples_leaf=3, random_state=0).fit(X, y)
    known = scores_by_hand(model.proximity(sparse=False), (y[:, None] == y) & ~np.eye(200, dtype=bool), 100)
    predicted = model.predict(new)
    raw = scores_by_hand(model.proximity(new, X, sparse=False), predicted[:, None] == y, 100)
    expected = np.empty(60)
    for label in (0, 1):
        expected[predicted == label] = normalized(raw[predicted == label], known[y == label])
    np.testing.assert_allclose(model.outlier_score(new), expected)


@pytest.mark.parametrize("kind", ["numbers", "two outputs", "geodesic", "depth"])
def test_without_classes_all_rows_are_compared_with_all(kind: str) -> None:
    X, y = trunk()
    make: dict[str, Any] = {
        "numbers": lambda: fo.ForestRegressor(50, min_samples_leaf=3, random_state=0).fit(X, X[:, 0]),
        "two outputs": lambda: fo.ForestClassifier(50, random_state=0).fit(X, np.stack([y, 1 - y], axis=1)),
        "geodesic": lambda: fo.GeodesicForest(50, random_state=0).fit(X),
        "depth": lambda: fo.GeodesicForest(50, affinity="depth", random_state=0).fit(X),
    }
    model = make[kind]()
    raw = scores_by_hand(model.proximity(sparse=False), ~np.eye(200, dtype=bool), 50)
    np.testing.assert_allclose(model.outlier_score(), normalized(raw, raw))


def test_a_row_that_shares_no_leaf_has_a_finite_score() -> None:
    """Its sum of squared proximities counts as that of one tree's."""
    X = np.concatenate([np.linspace(0, 1, 20), [100.0]])[:, None]
    model = fo.ForestRegressor(10, bootstrap=False, random_state=0).fit(X, X[:, 0])
    assert (model.proximity(sparse=False)[20, :20] == 0).all()
    raw = np.full(21, 21 / 10.0**-2)  # every row is alone in its leaves
    np.testing.assert_array_equal(model.outlier_score(), raw - np.median(raw))


def test_equal_scores_are_not_divided_by_their_spread_of_zero() -> None:
    X, y = np.arange(12.0)[:, None] % 3, np.arange(12) % 3
    assert (fo.ForestClassifier(5, bootstrap=False, random_state=0).fit(X, y).outlier_score() == 0).all()
