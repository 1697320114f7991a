"""Classification forests: labels of any kind, several outputs, probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_iris

import foliation as fo


@pytest.mark.parametrize(
    "labels", [np.array(["no", "yes", "perhaps"]), np.array([False, True, True]), np.array([-5, 0, 12])]
)
def test_labels_of_any_kind(labels: NDArray[Any]) -> None:
    X, y = load_iris(return_X_y=True)
    named = labels[y]
    forest = fo.ForestClassifier(20, random_state=0).fit(X, named)
    np.testing.assert_array_equal(forest.classes_, np.unique(named))
    assert forest.predict(X).dtype == named.dtype
    assert forest.score(X, named) > 0.95
    np.testing.assert_allclose(forest.predict_proba(X).sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(forest.predict_log_proba(X)), forest.predict_proba(X), rtol=1e-12)


def test_several_outputs_of_classes() -> None:
    X, y = load_iris(return_X_y=True)
    both = np.column_stack([np.array(["a", "b", "c"])[y], np.array(["long", "short"])[(X[:, 0] < 5.8).astype(int)]])
    forest = fo.ForestClassifier(30, random_state=0, oob_score=True).fit(X, both)
    proba = forest.predict_proba(X)
    assert [p.shape for p in proba] == [(150, 3), (150, 2)]
    assert all(np.allclose(p.sum(axis=1), 1) for p in proba)
    assert (forest.predict(X) == both).mean() > 0.97
    assert forest.n_classes_ == [3, 2] and forest.n_outputs_ == 2
    assert 0.7 < forest.oob_score_ < 1
    assert forest.predict_trees(X).shape == (150, 30, 2)


def test_probabilities_are_means_over_trees(digits: Any) -> None:
    X, y = digits
    forest = fo.ForestClassifier(7, random_state=0, min_samples_leaf=5).fit(X, y)
    leaves = forest.apply(X)
    assert leaves.shape == (len(X), 7)
    by_hand = np.mean([forest.tree(t).value[leaves[:, t]] for t in range(7)], axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), by_hand, rtol=1e-12)
    votes = forest.predict_trees(X)
    np.testing.assert_array_equal(votes[:, 3], forest.classes_[forest.tree(3).value[leaves[:, 3]].argmax(axis=1)])
    assert forest.n_nodes_.tolist() == [forest.tree(t).n_nodes for t in range(7)]
