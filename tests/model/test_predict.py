"""Rows sent down the trees, against a walk in plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits

import foliation as fo
from foliation._core import Machine
from foliation.model.predict import leaf_ids, leaf_ids_of_rows, leaves_of_forest, mean_values, tree_values
from foliation.model.tree import Tree

DIGITS = load_digits()
X, Y = DIGITS.data[:200], DIGITS.target[:200]


def walked(tree: Tree, row: NDArray[np.float64]) -> int:
    """Return the leaf that a row reaches, split by split."""
    node = 0 if tree.n_splits else ~0
    while node >= 0:
        ids, weights = tree.atom(node)
        node = int(tree.children[node, 0 if row[ids] @ weights <= tree.threshold[node] else 1])
    return ~node


@pytest.mark.parametrize("projections", ["axis", "sparse", fo.Patches(shape=(8, 8))], ids=str)
def test_leaves_are_those_of_a_walk(projections: str | fo.Patches) -> None:
    model = fo.ForestClassifier(4, projections=projections, random_state=0).fit(X, Y)
    expected = [[walked(model.tree(t), row) for row in X[:50]] for t in range(4)]
    np.testing.assert_array_equal(leaf_ids(model.model_, X[:50], Machine(2)), expected)


@pytest.mark.parametrize("n_rows", [1, 10_000, 10_001])
def test_leaves_by_row_are_those_by_tree(n_rows: int) -> None:
    model = fo.ForestClassifier(3, random_state=0).fit(X, Y).model_
    rows = np.resize(X, (n_rows, X.shape[1]))
    leaves = leaf_ids_of_rows(model, rows, Machine(2))
    assert leaves.flags.c_contiguous
    np.testing.assert_array_equal(leaves, leaf_ids(model, rows, Machine(2)).T)


def test_leaves_of_a_forest_are_numbered_through_all_trees() -> None:
    model = fo.ForestClassifier(3, random_state=0).fit(X, Y).model_
    numbers = leaves_of_forest(model, leaf_ids(model, X, Machine(1)))
    for tree in range(3):
        first, last = model.trees.leaf_start[tree : tree + 2]
        assert first <= numbers[:, tree].min() and numbers[:, tree].max() < last


def test_the_mean_is_that_of_the_trees() -> None:
    model = fo.ForestRegressor(5, random_state=0).fit(X, Y).model_
    np.testing.assert_allclose(mean_values(model, X, Machine(1)), tree_values(model, X, Machine(1)).mean(axis=1))


def test_rows_without_a_prediction_get_the_mean_of_all_training_rows() -> None:
    forest = fo.ForestRegressor(1, honest=0.9, honest_prior="ignore", random_state=0).fit(X, Y)
    tree, leaves = forest.tree(0), forest.apply(X)[:, 0]
    empty = tree.leaf_weight[leaves] == 0
    assert empty.any() and not empty.all()
    predicted = mean_values(forest.model_, X, Machine(1))[:, 0]
    np.testing.assert_allclose(predicted[empty], Y.mean())
    np.testing.assert_allclose(predicted[~empty], tree.value[leaves[~empty], 0])
