"""Affinities by lowest common ancestors, against a walk up each tree in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

import foliation as fo
from foliation import memory
from foliation.analysis import depth_affinity

X: NDArray[np.float64] = np.random.default_rng(0).normal(size=(60, 4))
NEW: NDArray[np.float64] = np.random.default_rng(1).normal(size=(13, 4))


def forest(n_estimators: int = 70, **settings: Any) -> Any:
    """Return a forest of more trees than a machine word has bits."""
    usual: dict[str, Any] = {"affinity": "depth", "min_samples_split": 8, "min_samples_leaf": 2, "random_state": 0}
    return fo.GeodesicForest(n_estimators, **(usual | settings)).fit(X)


def ways(tree: Any) -> list[list[int]]:
    """Return for each leaf of a tree the nodes on the way to it, from the root to the leaf itself."""
    root = 0 if tree.n_splits else -1
    found: dict[int, list[int]] = {}
    todo = [[root]]
    while todo:
        way = todo.pop()
        if way[-1] < 0:
            found[-way[-1] - 1] = way
        else:
            todo += [[*way, int(child)] for child in tree.children[way[-1]]]
    return [found[leaf] for leaf in range(tree.n_leaves)]


def affinity(one: list[int], other: list[int]) -> float:
    """Return the depth of the last node on both ways over the mean depth of both leaves."""
    n_common = sum(1 for a, b in zip(one, other, strict=False) if a == b)
    depths = len(one) + len(other) - 2
    return 2 * (n_common - 1) / depths if depths else 1.0


def by_hand(model: Any, rows: NDArray[Any], others: NDArray[Any], counts: Any = None) -> NDArray[np.float64]:
    """Average over the trees, of those that count for both rows."""
    a, b = model.apply(rows), model.apply(others)
    sums, numbers = np.zeros((2, len(rows), len(others)))
    for t in range(a.shape[1]):
        to = ways(model.tree(t))
        table = [[affinity(one, other) for other in to] for one in to]
        for i in range(len(rows)):
            for j in range(len(others)):
                if counts is None or counts(t, i, j):
                    sums[i, j] += table[a[i, t]][b[j, t]]
                    numbers[i, j] += 1
    return np.divide(sums, numbers, out=np.zeros_like(sums), where=numbers > 0)


def bags(model: Any) -> NDArray[np.bool_]:
    """Return for each row and tree whether the tree drew the row."""
    return np.stack([np.isin(np.arange(len(X)), sample) for sample in model.estimators_samples_], axis=1)


@pytest.mark.parametrize("rows", ["all", "in_bag", "oob"])
@pytest.mark.parametrize("settings", [{}, {"bootstrap": False, "max_samples": 0.7}, {"max_leaf_nodes": 4}])
def test_training_rows(rows: Any, settings: dict[str, Any]) -> None:
    model = forest(**settings)
    drawn = bags(model)
    counts = {
        "all": None,
        "in_bag": lambda t, i, j: drawn[i, t] and drawn[j, t],
        "oob": lambda t, i, j: not drawn[i, t] and not drawn[j, t],
    }[rows]
    expected = by_hand(model, X, X, counts)
    np.fill_diagonal(expected, 1.0)
    found = model.proximity(rows=rows)
    assert isinstance(found, sp.csr_matrix)
    np.testing.assert_allclose(found.toarray(), expected, atol=1e-14)
    np.testing.assert_array_equal(model.proximity(rows=rows, sparse=False), found.toarray())
    np.testing.assert_array_equal(found.toarray(), found.toarray().T)
    np.testing.assert_array_equal(found.diagonal(), 1.0)
    some = model.proximity(rows=rows, min_value=0.4).toarray()
    np.testing.assert_array_equal(some, np.where(found.toarray() >= 0.4, found.toarray(), 0.0))


def test_new_rows() -> None:
    model = forest()
    np.testing.assert_allclose(model.proximity(NEW, X, sparse=False), by_hand(model, NEW, X), atol=1e-14)
    np.testing.assert_allclose(model.proximity(NEW).toarray(), by_hand(model, NEW, NEW), atol=1e-14)
    drawn = bags(model)
    for rows in ("in_bag", "oob"):
        distances, indices = model.kneighbors(NEW, 60, rows=rows)
        wanted = rows == "in_bag"
        expected = 1.0 - by_hand(model, NEW, X, lambda t, i, j, wanted=wanted: drawn[j, t] == wanted)
        np.testing.assert_allclose(distances, np.take_along_axis(expected, indices, axis=1), atol=1e-14)
        assert (np.diff(distances) >= 0).all()


@pytest.mark.parametrize("rows", ["all", "in_bag", "oob"])
@pytest.mark.parametrize("k", [1, 9, 59])
def test_neighbours_are_those_of_the_dense_matrix(rows: Any, k: int) -> None:
    model = forest()
    distances = 1.0 - model.proximity(rows=rows, sparse=False) + np.where(np.eye(60) > 0, np.inf, 0.0)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    found = model.kneighbors(n_neighbors=k, rows=rows)
    np.testing.assert_array_equal(found[1], order)
    np.testing.assert_array_equal(found[0], np.take_along_axis(distances, order, axis=1))


def test_blocks_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    model = forest()

    def everything() -> list[Any]:
        graph = model.transform(X, 9)
        return [model.proximity(rows="oob").toarray(), model.kneighbors(n_neighbors=9), graph.data, graph.indices]

    whole = everything(), model.outlier_score()
    for cells in (1, 7 * 60):
        monkeypatch.setattr(depth_affinity, "_CELLS", cells)
        for found, expected in zip(everything(), whole[0], strict=True):
            np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(model.outlier_score(), whole[1])


def test_one_tree() -> None:
    """Rows that the root parts have nothing in common, and rows of one leaf everything."""
    model = forest(1, bootstrap=False)
    near, leaves = model.proximity(sparse=False), model.apply(X)[:, 0]
    ids, weights = model.tree(0).atom(0)
    goes_left = X[:, ids] @ weights <= model.tree(0).threshold[0]
    assert (near[goes_left][:, ~goes_left] == 0).all()
    assert (near[leaves[:, None] == leaves] == 1).all()
    assert ((near > 0) & (near < 1)).any()


def test_trees_without_a_split() -> None:
    model = forest(30, max_samples=8, min_samples_split=7)
    assert {model.tree(t).n_splits > 0 for t in range(30)} == {False, True}
    np.testing.assert_allclose(model.proximity(sparse=False), by_hand(model, X, X), atol=1e-14)
    with pytest.warns(UserWarning, match="in one leaf"):
        alone = forest(3, min_samples_split=61)
    assert (alone.proximity(sparse=False) == 1).all()


def test_rows_that_share_leaves_are_as_near_by_depth() -> None:
    """No pair is less near by depth than by leaves, and pairs that always share a leaf are as near as can be."""
    by_depth, by_leaf = forest(), forest(affinity="leaf")
    np.testing.assert_array_equal(by_depth.apply(X), by_leaf.apply(X))
    assert (by_depth.proximity(sparse=False) >= by_leaf.proximity(sparse=False) - 1e-14).all()


def test_the_affinity_is_read_when_it_is_asked_for() -> None:
    model = forest()
    by_depth = model.kneighbors(n_neighbors=5)
    by_leaf = model.set_params(affinity="leaf").kneighbors(n_neighbors=5)
    np.testing.assert_array_equal(by_leaf, forest(affinity="leaf").kneighbors(n_neighbors=5))
    assert not np.array_equal(by_depth[0], by_leaf[0])


def test_requests_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    model = forest()
    model.remember()
    monkeypatch.setattr(memory, "available_bytes", lambda: 10_000.0)
    calls = (model.proximity, lambda: model.proximity(sparse=False), lambda: model.kneighbors(n_neighbors=59))
    for call in calls:
        with pytest.raises(MemoryError, match=r"would take .* KB, but 10 KB are free"):
            call()
