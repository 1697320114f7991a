"""The polytope of a leaf holds exactly the rows that reach the leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import foliation as fo
from foliation import simulations


@pytest.mark.parametrize(
    "family",
    [
        fo.Axis(),
        fo.Sparse(),
        fo.Patches(max_size=3),
        fo.Kernels(np.array([[1.0, -2.0, 1.0]])),
        fo.Neighborhoods(np.eye(100, k=1), size=(1, 5)),
        fo.Atoms(np.eye(100) - np.eye(100, k=3)),
        fo.Mixture([fo.Axis(), fo.Patches(contrast=0.5)]),
    ],
    ids=lambda family: type(family).__name__,
)
def test_polytopes_hold_exactly_the_rows_of_their_leaves(family: Any) -> None:
    X, y = simulations.impulse(200, random_state=0)
    new, _ = simulations.impulse(500, random_state=1)
    forest = fo.ForestClassifier(3, projections=family, random_state=0).fit(X, y)
    leaves = forest.apply(new)
    for t in range(3):
        tree = forest.tree(t)
        for leaf in range(tree.n_leaves):
            A, b = forest.leaf_polytope(t, leaf)
            assert A.shape == (tree.leaf_depths()[leaf], X.shape[1])
            np.testing.assert_array_equal((b[:, None] - A @ new.T >= 0).all(axis=0), leaves[:, t] == leaf)


def test_conditions_come_from_the_root_with_the_sign_of_their_side() -> None:
    X = np.array([[0.0, 0.0], [0.0, 4.0], [10.0, 0.0], [10.0, 4.0]]).repeat(5, axis=0)
    y = np.array([0, 0, 1, 2]).repeat(5)
    forest = fo.ForestClassifier(1, projections="axis", max_features=None, bootstrap=False, random_state=0).fit(X, y)
    leaf = int(forest.apply([[10.0, 0.0]])[0, 0])
    A, b = forest.leaf_polytope(0, leaf)
    np.testing.assert_array_equal(A.toarray(), [[-1.0, 0.0], [0.0, 1.0]])  # x0 > 5, then x1 <= 2
    np.testing.assert_array_equal(b, [-np.nextafter(5.0, 6.0), 2.0])


def test_polytope_of_whole_numbers_at_the_threshold() -> None:
    X = np.repeat([[0], [1], [2], [3]], 5, axis=0).astype(np.uint8)
    y = (X[:, 0] >= 2).astype(int)
    forest = fo.ForestClassifier(1, projections="axis", bootstrap=False, random_state=0).fit(X, y)
    new = np.array([[1.5], [np.nextafter(1.5, 2)]])
    leaves = forest.apply(new)[:, 0]
    assert leaves[0] != leaves[1]
    for row, leaf in zip(new, leaves, strict=True):
        A, b = forest.leaf_polytope(0, int(leaf))
        assert (A @ row <= b).all()


def test_a_tree_without_a_split_has_one_leaf_without_conditions() -> None:
    stump = fo.ForestClassifier(1, random_state=0).fit(np.arange(20.0)[:, None], np.zeros(20))
    A, b = stump.leaf_polytope(0, 0)
    assert A.shape == (0, 1) and b.shape == (0,)
    with pytest.raises(IndexError, match="leaf 1 does not exist; this tree has 1 leaves"):
        stump.leaf_polytope(0, 1)
    with pytest.raises(IndexError, match="leaf -1 does not exist"):
        stump.leaf_polytope(0, -1)
    fraction: Any = 0.0
    with pytest.raises(TypeError, match=r"leaf number 0\.0 must be an integer"):
        stump.leaf_polytope(0, fraction)
