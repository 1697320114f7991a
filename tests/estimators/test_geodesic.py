"""Geodesic forests as a user meets them: what each method returns, and what the trees are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

import foliation as fo
from foliation import simulations
from foliation.metrics import geodesic_chance, geodesic_precision

CRITERIA = ("fast_bic", "two_means", "mclust_bic", "fast_bic_raw", "two_means_raw")
SCALE_FREE = CRITERIA[:3]
KIND = np.arange(120) % 2  # of the rows of `clusters`


def forest(n_estimators: int = 20, **settings: Any) -> Any:
    return fo.GeodesicForest(n_estimators, **({"random_state": 0} | settings))


def clusters(n_features: int = 4, seed: int = 0) -> NDArray[np.float64]:
    """Return 120 rows of two kinds, one after the other in turn, far apart in all features."""
    return np.random.default_rng(seed).normal(size=(120, n_features)) + 10.0 * KIND[:, None]


def drawn(model: Any, tree: int) -> NDArray[np.int64]:
    """Return the different rows that a tree drew."""
    return np.unique(model.estimators_samples_[tree])


def rows_of_splits(model: Any, X: NDArray[Any], tree: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return for each split of a tree the rows that it drew and that go left and right, by the tree's own atoms."""
    found: list[Any] = [None] * model.tree(tree).n_splits
    todo = [(0, drawn(model, tree))]
    while todo:
        at, rows = todo.pop()
        if at < 0:
            continue
        ids, weights = model.tree(tree).atom(at)
        goes_left = X[rows][:, ids] @ weights <= model.tree(tree).threshold[at]
        found[at] = rows[goes_left], rows[~goes_left]
        todo += zip(model.tree(tree).children[at].tolist(), found[at], strict=True)
    return found


# ---- neighbours ----


def test_the_product_guides_defaults() -> None:
    expected: dict[str, Any] = {
        "n_estimators": 300,
        "criterion": "fast_bic",
        "max_features": "sqrt",
        "min_samples_split": None,
        "bootstrap": True,
        "affinity": "leaf",
        "screen": 0.0,
        "n_neighbors": 15,
    }
    assert expected.items() <= fo.GeodesicForest().get_params().items()
    for X in (clusters(), clusters().reshape(120, 2, 2)):
        family = forest(2).fit(X).projections_
        assert isinstance(family, fo.Sparse) and family.density == 1 / 20


def test_leaves() -> None:
    X = clusters()
    model = forest().fit(X)
    leaves = model.apply(X)
    assert leaves.shape == (120, 20) and leaves.dtype == np.int64
    assert all(set(leaves[:, t]) == set(range(model.tree(t).n_leaves)) for t in range(20))
    for tree, sample in enumerate(model.estimators_samples_):
        weights = np.bincount(leaves[sample, tree], minlength=model.tree(tree).n_leaves)
        np.testing.assert_array_equal(weights, model.tree(tree).leaf_weight)


@pytest.mark.parametrize("family", [fo.Axis(), fo.Sparse(nonzeros=3, weights="normal"), fo.Patches(max_size=3)])
@pytest.mark.parametrize("splitter", ["auto", "exact"])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_rows_reach_the_leaves_they_grew(criterion: str, splitter: str, family: Any) -> None:
    """Also where only some rows of a large node chose its cut."""
    X = np.random.default_rng(0).normal(size=(900, 8))
    model = forest(3, criterion=criterion, splitter=splitter, projections=family).fit(X)
    leaves = model.apply(X)
    for tree, sample in enumerate(model.estimators_samples_):
        weights = np.bincount(leaves[sample, tree], minlength=model.tree(tree).n_leaves)
        np.testing.assert_array_equal(weights, model.tree(tree).leaf_weight)
        assert len(weights) > 4


def test_transform() -> None:
    X = clusters()
    model = forest(n_neighbors=7).fit(X)
    graph = model.transform(X)
    assert isinstance(graph, sp.csr_matrix) and graph.shape == (120, 120) and graph.nnz == 120 * 8
    near, distances = graph.indices.reshape(120, 8), graph.data.reshape(120, 8)
    np.testing.assert_array_equal(near[:, 0], np.arange(120))
    assert (np.diff(distances) >= 0).all() and (distances[:, 0] == 0).all()
    expected = model.kneighbors()
    np.testing.assert_array_equal(distances[:, 1:], expected[0])
    np.testing.assert_array_equal(near[:, 1:], expected[1])
    again = forest(n_neighbors=7).fit_transform(X)
    np.testing.assert_array_equal(again.toarray(), graph.toarray())
    np.testing.assert_array_equal(model.transform(X, n_neighbors=3).data, distances[:, :4].ravel())
    assert model.get_feature_names_out()[-1] == "geodesicforest119"


def test_neighbours_graphs_and_proximities_agree() -> None:
    model = forest().fit(clusters())
    near = model.proximity(sparse=False)
    by_hand = (model.apply(clusters())[:, None] == model.apply(clusters())[None]).mean(axis=2)
    np.testing.assert_allclose(near, by_hand, rtol=1e-15)
    distances, indices = model.kneighbors(n_neighbors=119)
    np.testing.assert_array_equal(np.sort(indices, axis=1), [np.delete(np.arange(120), row) for row in range(120)])
    np.testing.assert_array_equal(distances, 1.0 - np.take_along_axis(near, indices, axis=1))
    assert (KIND[indices[:, :15]] == KIND[:, None]).all()
    graph = model.kneighbors_graph(n_neighbors=9, mode="distance")
    np.testing.assert_array_equal(graph.data.reshape(120, 9), distances[:, :9])
    ones = model.kneighbors_graph(n_neighbors=9)
    assert set(ones.data) == {1.0}
    np.testing.assert_array_equal(ones.indices.reshape(120, 9), indices[:, :9])


@pytest.mark.parametrize("affinity", ["leaf", "depth"])
def test_new_rows_are_placed_against_the_training_rows(affinity: str) -> None:
    X, new = clusters(), clusters(seed=1)[:31]
    model = forest(affinity=affinity).fit(X)
    near = model.proximity(new, X, sparse=False)
    distances, indices = model.kneighbors(new, 10)
    assert near.shape == (31, 120) and indices.shape == (31, 10)
    assert (KIND[indices] == KIND[:31, None]).all()
    np.testing.assert_array_equal(distances, 1.0 - np.take_along_axis(near, indices, axis=1))
    np.testing.assert_array_equal(distances, np.sort(1.0 - near, axis=1)[:, :10])
    graph = model.transform(new, 9)
    assert graph.shape == (31, 120)
    np.testing.assert_array_equal(graph.indices.reshape(31, 10), indices)
    np.testing.assert_array_equal(graph.data.reshape(31, 10), distances)


@pytest.mark.parametrize("affinity", ["leaf", "depth"])
@pytest.mark.parametrize("rows", ["all", "in_bag", "oob"])
def test_proximities_are_symmetric_with_a_unit_diagonal(rows: Any, affinity: str) -> None:
    near = forest(affinity=affinity).fit(clusters()).proximity(rows=rows)
    assert isinstance(near, sp.csr_matrix) and near.dtype == np.float64
    np.testing.assert_array_equal(near.toarray(), near.toarray().T)
    np.testing.assert_array_equal(near.diagonal(), 1.0)
    assert near.min() >= 0 and near.max() <= 1


def test_the_graph_is_one_of_scikit_learns() -> None:
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline

    X = clusters()
    model = make_pipeline(forest(n_neighbors=6), KNeighborsClassifier(5, metric="precomputed"))
    assert model.fit(X[:80], KIND[:80]).score(X[80:], KIND[80:]) == 1.0
    assert model.score(X[:80], KIND[:80]) == 1.0


def test_outliers() -> None:
    X = np.vstack([clusters(2), [[5.0, 5.0]]])  # between the clusters
    model = forest(200, min_samples_split=10, min_samples_leaf=1, min_balance=0.02).fit(X)
    near = model.proximity(sparse=False)
    raw = 121 / (near**2).sum(axis=1, where=~np.eye(121, dtype=bool))
    middle = np.median(raw)
    scores = model.outlier_score()
    np.testing.assert_allclose(scores, (raw - middle) / np.median(np.abs(raw - middle)))
    assert scores[120] > np.quantile(scores, 0.95)
    new = model.outlier_score(np.vstack([clusters(2, seed=1), [[5.0, 5.0]]]))
    assert new.shape == (121,) and new[120] > np.quantile(new, 0.9)


# ---- limits ----


@pytest.mark.parametrize(("n", "given", "least"), [(160, None, 20), (900, None, 100), (160, 60, 60), (160, 0.25, 40)])
def test_smallest_node_that_splits(n: int, given: float | None, least: int) -> None:
    X = np.random.default_rng(0).normal(size=(n, 3))
    model = forest(5, min_samples_split=given).fit(X)
    sizes = [len(left) + len(right) for tree in range(5) for left, right in rows_of_splits(model, X, tree)]
    assert min(sizes) >= least
    assert min(sizes) < 2 * least


def test_smallest_cluster() -> None:
    X = np.random.default_rng(0).normal(size=(300, 3))
    for settings, least, share in (({}, 4, 0.1), ({"min_samples_leaf": 11}, 11, 0.1), ({"min_balance": 0.3}, 4, 0.3)):
        model = forest(5, splitter="exact", bootstrap=False, **settings).fit(X)
        sides = np.array([(len(a), len(b)) for tree in range(5) for a, b in rows_of_splits(model, X, tree)])
        assert sides.min() >= least
        assert (sides.min(axis=1) >= share * sides.sum(axis=1)).all()


def test_depth_and_number_of_leaves() -> None:
    X = np.random.default_rng(0).normal(size=(300, 3))
    assert max(forest(max_depth=2).fit(X).tree(t).depth for t in range(20)) == 2
    assert {forest(max_leaf_nodes=5).fit(X).tree(t).n_leaves for t in range(20)} == {5}


def test_only_large_nodes_are_cut_by_some_of_their_rows() -> None:
    X = np.random.default_rng(0).normal(size=(600, 3))
    some, every = (forest(splitter=splitter) for splitter in ("auto", "exact"))
    for n, same in ((256, True), (600, False)):
        assert np.array_equal(some.fit(X[:n]).apply(X), every.fit(X[:n]).apply(X)) == same


def test_a_gain_of_no_sign_stops_a_node() -> None:
    """One cluster has no two, and its gains are losses; the trees grow all the same, unless a gain is asked for."""
    X = clusters()
    model, asked = forest().fit(X), forest(min_impurity_decrease=0.2).fit(X)
    assert all(model.tree(t).gain.min() < 0 < model.tree(t).gain[0] for t in range(20))
    assert all(asked.tree(t).gain.min() > 0.2 * 120 * (1 - 1e-6) for t in range(20))
    assert (asked.n_nodes_ < model.n_nodes_).all() and (asked.n_nodes_ >= 3).all()


# ---- criteria ----


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(("shift", "factor"), [(0.0, 1024.0), (-4096.0, 3.0), (1e6, 1.0), (77.0, 0.125)])
def test_units_matter_to_raw_scores_only(criterion: str, shift: float, factor: float) -> None:
    """Whole numbers, so that nothing is rounded; features are not all changed alike."""
    X = np.random.default_rng(0).integers(-500, 500, size=(400, 5)).astype(np.float64)
    changed = X.copy()
    changed[:, ::2] = shift + factor * X[:, ::2]
    settings = {"criterion": criterion, "projections": "axis", "max_features": None, "min_samples_split": 20}
    before, after = (forest(10, **settings).fit(rows).apply(rows) for rows in (X, changed))
    assert np.array_equal(before, after) == (criterion in SCALE_FREE or factor == 1)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(("shift", "factor"), [(1e6, 3.0), (0.0, 2.0**900), (0.0, 2.0**-900)])
def test_units_that_all_features_share_matter_to_no_score(criterion: str, shift: float, factor: float) -> None:
    X = np.random.default_rng(0).integers(-500, 500, size=(400, 5)).astype(np.float64)
    settings = {"criterion": criterion, "projections": fo.Sparse(nonzeros=3), "min_samples_split": 20}
    before, after = (forest(10, **settings).fit(rows).apply(rows) for rows in (X, shift + factor * X))
    np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_close_clusters_far_from_zero(criterion: str) -> None:
    rng = np.random.default_rng(0)
    X = 1e6 + 1e-3 * (2 * KIND[:, None] - 1) + 1e-5 * rng.normal(size=(120, 3))
    leaves = forest(criterion=criterion, max_depth=1).fit(X).apply(X)
    assert (leaves[KIND == 0] == leaves[0]).all() and (leaves[KIND == 1] == leaves[1]).all()
    assert (leaves[0] != leaves[1]).all()


@pytest.mark.parametrize("criterion", SCALE_FREE)
def test_two_clusters_are_found_among_noise(criterion: str) -> None:
    X = np.random.default_rng(0).normal(size=(120, 9))
    X[:, 4] += 6 * KIND
    model = forest(criterion=criterion, max_depth=1, max_features=None, projections="axis").fit(X)
    assert model.importance()[4] == 1.0
    leaves = model.apply(X)
    agree = (leaves == leaves[0]) == (KIND == 0)[:, None]
    assert agree.mean() > 0.97


# ---- how near on a manifold ----


@pytest.mark.parametrize("affinity", ["leaf", "depth"])
def test_precision_on_a_helix_among_noise(affinity: str) -> None:
    for seed in range(3):
        helix = simulations.helix(300, noise_dimensions=10, random_state=seed)
        model = forest(60, affinity=affinity, random_state=seed).fit(helix.points)
        found = geodesic_precision(helix.distances, 1.0 - model.proximity(sparse=False), 20).mean()
        euclidean = geodesic_precision(helix.distances, cdist(helix.points, helix.points), 20).mean()
        assert found > 0.5 > euclidean + 0.15
        assert found > 6 * geodesic_chance(helix.distances, 20).mean()
