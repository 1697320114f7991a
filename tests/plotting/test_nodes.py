"""Nodes of a tree: their rows, labels and places, and the tree in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import foliation as fo
from foliation.model.predict import leaf_ids
from foliation.plotting.grid import Places
from foliation.plotting.nodes import Node, Rows, in_words, nodes_of

RNG = np.random.default_rng(0)
FLAT, THREE = RNG.standard_normal((90, 6)), np.arange(90) % 3


def forest(projections: Any = None, X: Any = FLAT, y: Any = THREE) -> Any:
    return fo.ForestClassifier(3, projections=projections, random_state=0).fit(X, y)


def nodes(forest: Any, X: Any = FLAT, max_depth: int = 2, codes: Any = None) -> list[Node]:
    cells = np.asarray(X, dtype=np.float64).reshape(len(X), -1)
    rows = Rows(cells, leaf_ids(forest.model_, cells, forest._machine()), codes)
    return nodes_of(forest.model_, 0, rows, max_depth, Places.of_forest(forest))


def test_rows_go_to_the_side_of_their_projection() -> None:
    fitted = forest()
    tree, drawn = fitted.tree(0), nodes(fitted, codes=THREE)
    splits = [node for node in drawn if node.values is not None]
    assert {node.reference for node in splits} == {0, *(child for child in tree.children[0] if child >= 0)}
    root = splits[0]
    ids, weights = tree.atom(0)
    assert root.values is not None and root.classes is not None and root.n_rows == 90
    np.testing.assert_allclose(root.values, FLAT[:, ids] @ weights)
    np.testing.assert_array_equal(root.classes, THREE)
    assert root.threshold == tree.threshold[0]
    below = [node.n_rows for node in drawn if node.parent is root]
    assert below == [(root.values <= root.threshold).sum(), (root.values > root.threshold).sum()]


def test_leaves_of_the_whole_tree_receive_the_rows_that_apply_says() -> None:
    fitted = forest()
    drawn = nodes(fitted, max_depth=99)
    counts = np.bincount(fitted.apply(FLAT)[:, 0])
    assert {~node.reference: node.n_rows for node in drawn if node.reference < 0} == dict(enumerate(counts))


def test_lowest_nodes_stand_side_by_side_and_parents_above_them() -> None:
    drawn = nodes(forest(), max_depth=3)
    lowest = [node for node in drawn if node.values is None]
    assert [node.x for node in lowest] == list(range(len(lowest)))
    for split in drawn:
        below = [node for node in drawn if node.parent is split]
        if below:
            assert split.x == np.mean([node.x for node in below])
            assert [node.depth for node in below] == [split.depth + 1] * 2 and [node.side for node in below] == [0, 1]


def test_nodes_below_the_last_level_have_the_mean_prediction() -> None:
    fitted = forest()
    tree, cut = fitted.tree(0), [node for node in nodes(fitted, max_depth=1) if node.depth == 1]
    expected = []
    for child in tree.children[0]:
        todo, total = [int(child)], np.zeros(3)
        while todo:
            node = todo.pop()
            if node < 0:
                total += tree.leaf_weight[~node] * tree.value[~node]
            else:
                todo += tree.children[node].tolist()
        expected.append(f"{total.argmax()}: {total.max() / total.sum():.0%} ...")
    assert [node.label.splitlines()[0] for node in cut] == expected


@pytest.mark.parametrize("X", [FLAT, FLAT[:1]])
def test_labels_count_rows(X: Any) -> None:
    labels = [node.label.split("\n")[-1] for node in nodes(forest(), X, max_depth=1)[1:]]
    assert sum(int(label.split()[0]) for label in labels) == len(X)
    assert ("1 row" in labels) == (len(X) == 1)


def test_leaves_of_a_regression_have_numbers() -> None:
    regression = fo.ForestRegressor(1, random_state=0).fit(FLAT, FLAT[:, 0])
    assert all(float(node.label.split(" ...")[0]) for node in nodes(regression, max_depth=1)[1:])


def test_a_tree_without_splits_is_one_leaf() -> None:
    (leaf,) = nodes(forest(y=np.zeros(90)))
    assert (leaf.reference, leaf.label) == (~0, "0.0: 100%\n90 rows")


def test_atoms_of_a_volume_name_the_slice_that_is_drawn() -> None:
    volume = RNG.standard_normal((90, 3, 4, 4))
    root = nodes(forest(fo.Atoms(np.eye(48)[20:21]), volume), volume)[0]
    assert root.label == "[1, 1, 0]\nslice 1 is drawn"
    assert root.cells is not None and np.flatnonzero(root.cells).tolist() == [4]


def test_a_tree_can_be_told() -> None:
    fitted = forest(fo.Atoms(np.eye(6)[2:3]))
    words = in_words(nodes(fitted), max_depth=1)
    assert words.startswith(f"level 0: x2; level 1, ≤ {fitted.tree(0).threshold[0]:.3g}: ")
    assert "level 2" not in words and "level 2" in in_words(nodes(fitted))
