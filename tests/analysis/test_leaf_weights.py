"""Predictions as weighted means of training targets, and leaves as polytopes."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import foliation as fo
from foliation import _core, simulations
from foliation.analysis.leaf_weights import _leaf_rows, leaf_weights
from foliation.model import training
from foliation.model.model import Model, TrainingRows
from foliation.model.training import estimation_samples
from foliation.model.trees import Trees

FORESTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "subsample": {"bootstrap": False, "max_samples": 0.5},
    "no sampling": {"bootstrap": False},
    "honest": {"honest": True},
    "honest, empirical": {"honest": 0.7, "honest_prior": "empirical"},
    "honest, ignore": {"honest": 0.8, "honest_prior": "ignore"},
    "filled out of the bag": {"honest": True, "honest_fill": "oob"},
}


def data(n: int = 150) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return simulations.trunk(n, n_features=4, random_state=0)


def onehot(y: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.eye(int(y.max()) + 1)[y]


@pytest.mark.parametrize("settings", FORESTS.values(), ids=FORESTS)
def test_weights_give_the_prediction(settings: dict[str, Any]) -> None:
    X, y = data()
    new, _ = simulations.trunk(60, n_features=4, random_state=1)
    forest = fo.ForestClassifier(25, random_state=0, **settings).fit(X, y)
    alpha = forest.leaf_weights(new)
    assert alpha.shape == (60, 150) and alpha.nnz < alpha.shape[0] * alpha.shape[1]
    assert alpha.min() >= 0
    np.testing.assert_allclose(np.asarray(alpha.sum(axis=1)).ravel(), 1.0)
    np.testing.assert_allclose(alpha @ onehot(y), forest.predict_proba(new), atol=1e-12)
    target = X @ [1.0, 2.0, 0.0, -1.0]
    regressor = fo.ForestRegressor(25, random_state=0, **settings).fit(X, target)
    np.testing.assert_allclose(regressor.leaf_weights(new) @ target, regressor.predict(new), atol=1e-10)


def test_weighted_rows_and_classes() -> None:
    X, y = data()
    rng = np.random.default_rng(0)
    for settings in ({"class_weight": "balanced_subsample"}, {"bootstrap": False, "max_samples": 0.7}):
        forest = fo.ForestClassifier(15, honest=True, random_state=0, **settings)
        forest.fit(X[20:], y[20:], sample_weight=rng.uniform(0.5, 2, size=130))
        np.testing.assert_allclose(forest.leaf_weights(X) @ onehot(y[20:]), forest.predict_proba(X), atol=1e-12)


def test_several_outputs() -> None:
    X, y = data()
    both = np.stack([y, np.arange(len(y)) % 3], axis=1)
    forest = fo.ForestClassifier(10, random_state=0).fit(X, both)
    alpha = forest.leaf_weights(X)
    for output, proba in enumerate(forest.predict_proba(X)):
        np.testing.assert_allclose(alpha @ onehot(both[:, output]), proba, atol=1e-12)


def test_no_weights_express_uniform_leaves() -> None:
    X, y = data()
    forest = fo.ForestClassifier(10, honest=0.9, honest_prior="uniform", random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="no weights of training rows express"):
        forest.leaf_weights(X)
    small = fo.ForestClassifier(10, honest=True, max_depth=1, honest_prior="uniform", random_state=0).fit(X, y)
    assert (small.model_.trees.leaf_weight > 0).all()  # the error does not depend on empty leaves
    with pytest.raises(ValueError, match="no weights of training rows express"):
        small.leaf_weights(X)
    assert fo.ForestClassifier(10, honest_prior="uniform", random_state=0).fit(X, y).leaf_weights(X).shape == (150, 150)
    forest.set_params(honest_prior="ancestor")  # does not change what the leaves hold
    with pytest.raises(ValueError, match="no weights of training rows express"):
        forest.leaf_weights(X)


def test_pickles_know_training_rows() -> None:
    X, y = data()
    forest = fo.ForestClassifier(10, random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(again.leaf_weights(X).toarray(), forest.leaf_weights(X).toarray())
    np.testing.assert_array_equal(again.predict_interval(X), forest.predict_interval(X))
    np.testing.assert_array_equal(again.kneighbors(n_neighbors=3), forest.kneighbors(n_neighbors=3))


def test_pickles_of_large_forests_know_training_rows_once_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_LIGHT", 0.0)
    X, y = data(1000)
    forest = fo.ForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    small = pickle.dumps(forest)
    expected = forest.leaf_weights(X).toarray()
    copy = pickle.loads(small)
    with pytest.raises(ValueError, match=r"forest\.remember\(X\)"):
        copy.leaf_weights(X)
    with pytest.raises(ValueError, match="not the rows that this forest was fitted on"):
        copy.remember(X[::-1])
    with pytest.raises(ValueError, match="X has 999 rows; this forest was fitted on 1000"):
        copy.remember(X[1:])
    np.testing.assert_array_equal(copy.remember(X).leaf_weights(X).toarray(), expected)
    again = pickle.loads(pickle.dumps(copy))
    np.testing.assert_array_equal(again.leaf_weights(X).toarray(), expected)
    np.testing.assert_array_equal(again.predict_interval(X), forest.predict_interval(X))
    assert len(small) < len(pickle.dumps(forest)) < len(pickle.dumps(copy))


def test_training_rows_changed_in_place() -> None:
    X, y = data()
    rows = X.copy()
    forest = fo.ForestClassifier(10, random_state=0).fit(rows, y)
    rows -= rows.mean(axis=0)
    with pytest.raises(ValueError, match="were changed in place since the fit"):
        forest.proximity()
    np.testing.assert_array_equal(
        forest.remember(X).proximity(sparse=False),
        fo.ForestClassifier(10, random_state=0).fit(X, y).proximity(sparse=False),
    )


def test_warm_start_forgets_what_it_knew() -> None:
    X, y = data()
    forest = fo.ForestClassifier(5, warm_start=True, random_state=0).fit(X, y).remember()
    forest.leaf_weights(X)
    forest.set_params(n_estimators=10).fit(X, y)
    np.testing.assert_allclose(forest.leaf_weights(X) @ onehot(y), forest.predict_proba(X), atol=1e-12)


def chain(n_splits: int, leaf_weight: NDArray[np.float64]) -> Trees:
    """Return a tree as deep as it has splits: leaf k has the rows with value k, and the last one all above."""
    left, right = ~np.arange(n_splits), np.append(np.arange(1, n_splits), ~n_splits)
    return Trees(
        split_start=np.array([0, n_splits]),
        leaf_start=np.array([0, n_splits + 1]),
        children=np.stack([left, right], axis=1).astype(np.int32).ravel(),
        threshold=np.arange(n_splits, dtype=float),
        gain=np.ones(n_splits, np.float32),
        gain_unit=np.ones(1),
        atom_start=np.empty(0, np.int32),
        atom_words=np.zeros(n_splits, np.int16),
        value_start=np.arange(n_splits + 2),
        value_column=np.zeros(n_splits + 1, np.int32),
        value=np.ones(n_splits + 1),
        leaf_weight=leaf_weight,
    )


def deep_model(n: int) -> tuple[Model, NDArray[np.int64]]:
    """Return a model as a file may hold it, and its estimation samples: odd leaves have one each, even ones none."""
    X = np.arange(float(n))[:, None]
    forest = fo.ForestRegressor(1, projections="axis", honest=True, bootstrap=False, random_state=0).fit(X, X[:, 0])
    own = estimation_samples(forest.model_, 0).rows.astype(np.int64)
    leaves = np.zeros((1, n), np.int32)
    leaves[0, own] = 2 * np.arange(len(own)) + 1
    trees = chain(2 * len(own), np.append(np.tile([0.0, 1.0], len(own)), 0.0))
    return replace(forest.model_, trees=trees, training=TrainingRows(None, {"leaves": leaves})), own


def test_leaves_of_a_deep_tree_borrow_from_all_below() -> None:
    model, own = deep_model(200)
    rows = np.arange(model.trees.leaf_start[-1], dtype=float)[:, None]
    weights = leaf_weights(model, rows, _core.Machine(1)).toarray()
    expected = np.zeros_like(weights)
    for k in range(len(own)):
        expected[2 * k, own[k:]] = 1.0 / len(own[k:])
        expected[2 * k + 1, own[k]] = 1.0
    expected[-1] = expected[-2]
    np.testing.assert_allclose(weights, expected)


def test_what_is_known_of_a_deep_tree_is_no_larger_than_the_tree() -> None:
    model, own = deep_model(5000)
    known = _leaf_rows(model, _core.Machine(1))
    assert known.weights.nnz + len(known.lender) == 2 * len(own)
