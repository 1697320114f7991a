"""One tree of a model, to look at."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_iris

import foliation as fo


def test_a_tree_can_be_read() -> None:
    X, y = load_iris(return_X_y=True)
    tree = fo.ForestClassifier(1, projections="sparse", random_state=0, max_depth=2).fit(X, y).tree(0)
    drawn = str(tree).splitlines()
    assert len(drawn) == tree.n_nodes
    assert "<=" in drawn[0] and sum("leaf" in line for line in drawn) == tree.n_leaves
    assert tree.depth == 2 and tree.leaf_depths().max() == 2
    assert repr(tree).startswith("Tree(n_splits=")
    only_leaf = fo.ForestClassifier(1).fit(X, np.zeros(150)).tree(0)
    assert (only_leaf.n_splits, only_leaf.n_leaves, only_leaf.depth) == (0, 1, 0)
