"""A fitted forest as a value."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from refusals import X, Y, classifier
from sklearn.datasets import load_iris

import foliation as fo
from foliation import Axis, Patches
from foliation._core import Machine
from foliation.model.predict import leaf_ids


def test_predictions_depend_on_fitted_state_only() -> None:
    X, y = load_iris(return_X_y=True)
    weights = np.where(y == 0, 8.0, 1.0)
    forest = fo.ForestClassifier(2, honest=0.95, honest_prior="ignore", random_state=0).fit(X, y, sample_weight=weights)
    before = forest.predict_proba(X)
    forest.set_params(honest_prior="ancestor")
    np.testing.assert_array_equal(forest.predict_proba(X), before)
    np.testing.assert_allclose(forest.model_.prior, [0.8, 0.1, 0.1])


def test_arrays_of_another_form_are_refused() -> None:
    """A copy made on the way into the core would be gone before it is read."""
    X, y = load_iris(return_X_y=True)
    forest = fo.ForestClassifier(3, random_state=0).fit(X, y)
    trees = forest.model_.trees
    for changed in (
        replace(trees, threshold=np.repeat(trees.threshold, 2)[::2]),
        replace(trees, value=trees.value.astype(np.float32)),
    ):
        with pytest.raises(TypeError):
            _ = replace(forest.model_, trees=changed).router


def test_they_follow_the_fitted_state() -> None:
    boxes = classifier(projections=Patches(max_size=2)).fit(X, Y)
    features = classifier(projections=Axis()).fit(X, Y)
    boxes.model_ = features.model_
    np.testing.assert_array_equal(boxes.predict_proba(X), features.predict_proba(X))


def test_fitted_arrays_are_read_at_each_call() -> None:
    forest = classifier().fit(X, Y)
    trees = replace(forest.model_.trees, value=np.zeros_like(forest.model_.trees.value))
    forest.model_ = replace(forest.model_, trees=trees)
    np.testing.assert_array_equal(forest.predict_proba(X), np.zeros((20, 2)))
    targets = replace(forest.model_.targets, classes=[np.array(["no", "yes"])])
    forest.model_ = replace(forest.model_, targets=targets)
    assert forest.predict(X[:1]) == ["no"]


def test_a_pickled_model_has_no_rows_and_no_objects_of_the_core() -> None:
    X = np.random.default_rng(0).normal(size=(200, 50))
    model = fo.ForestClassifier(2, random_state=0).fit(X, X[:, 0] > 0).model_
    _ = model.router
    again = pickle.loads(pickle.dumps(model))
    assert model.training.rows is not None and again.training.rows is None
    assert not {"router", "dictionary", "core_trees", "core_sampling"} & vars(again).keys()
    np.testing.assert_array_equal(leaf_ids(again, X, Machine(1)), leaf_ids(model, X, Machine(1)))


def test_a_model_cannot_be_changed() -> None:
    X = np.random.default_rng(0).normal(size=(50, 3))
    model = fo.ForestRegressor(2).fit(X, X[:, 0]).model_
    with pytest.raises(FrozenInstanceError):
        model.seed = 1  # type: ignore[misc]
