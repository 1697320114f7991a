"""Proximities, neighbours and graphs against plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

import foliation as fo
from foliation import memory, simulations
from foliation.analysis import leaf_cooccurrence


def data(n: int = 120) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return simulations.trunk(n, n_features=4, random_state=0)


def forest(n_trees: int = 70, **settings: Any) -> Any:
    X, y = data()
    return fo.ForestClassifier(n_trees, min_samples_leaf=3, random_state=0, **settings).fit(X, y)


def by_hand(forest: Any, X: NDArray[Any], rows: str) -> NDArray[np.float64]:
    """L / T, pair by pair."""
    leaves = forest.apply(X)
    drawn = np.stack([np.isin(np.arange(len(X)), sample) for sample in forest.estimators_samples_], axis=1)
    counts = {"all": np.ones_like(drawn), "in_bag": drawn, "oob": ~drawn}[rows].astype(float)
    together = counts @ counts.T
    shared = np.zeros((len(X), len(X)))
    for t in range(leaves.shape[1]):
        same = leaves[:, t, None] == leaves[None, :, t]
        shared += same * np.outer(counts[:, t], counts[:, t])
    found = np.divide(shared, together, out=np.zeros_like(shared), where=together > 0)
    np.fill_diagonal(found, 1.0)
    return np.asarray(found)


@pytest.mark.parametrize("rows", ["all", "in_bag", "oob"])
@pytest.mark.parametrize("settings", [{}, {"honest": True}, {"bootstrap": False, "max_samples": 0.6}])
def test_training_rows(rows: Any, settings: dict[str, Any]) -> None:
    X, _ = data()
    model = forest(**settings)
    expected = by_hand(model, X, rows)
    found = model.proximity(rows=rows)
    assert isinstance(found, sp.csr_matrix) and found.dtype == np.float64
    np.testing.assert_array_equal(found.toarray(), expected)
    np.testing.assert_array_equal(model.proximity(rows=rows, sparse=False), expected)
    np.testing.assert_array_equal(found.toarray(), found.toarray().T)
    np.testing.assert_array_equal(found.diagonal(), 1.0)
    some = model.proximity(rows=rows, min_value=0.3).toarray()
    np.testing.assert_array_equal(some, np.where(expected >= 0.3, expected, 0.0))


def test_same_leaves_for_all_rows() -> None:
    """Rows as near to each other as to themselves: a training row is still the first of its own."""
    X, y = data()
    model = fo.ForestClassifier(3, max_depth=1, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.transform(X, 4).indices.reshape(120, 5)[:, 0], np.arange(120))
    twice = np.repeat(X[:60], 2, axis=0)
    model = fo.ForestClassifier(3, random_state=0).fit(twice, np.repeat(y[:60], 2))
    np.testing.assert_array_equal(model.transform(twice, 4).indices.reshape(120, 5)[:, 0], np.arange(120))


def test_nothing_is_out_of_the_bag_of_all() -> None:
    X, y = data()
    model = fo.ForestClassifier(5, bootstrap=False, random_state=0).fit(X, y)
    for call in (model.proximity, model.kneighbors):
        with pytest.raises(ValueError, match="no row is out of the bag"):
            call(rows="oob")


def test_few_trees_leave_rows_without_one() -> None:
    """Rows that every tree drew have no proximity out of the bag but to themselves."""
    X, _ = data()
    model = forest(3)
    expected = by_hand(model, X, "oob")
    assert (expected.sum(axis=1) == 1).any()
    np.testing.assert_array_equal(model.proximity(rows="oob").toarray(), expected)


def test_new_rows() -> None:
    X, _ = data()
    new, _ = simulations.trunk(50, n_features=4, random_state=5)
    model = forest()
    a, b = model.apply(new), model.apply(X)
    between = (a[:, None, :] == b[None, :, :]).mean(axis=2)
    np.testing.assert_allclose(model.proximity(new, X).toarray(), between, rtol=1e-15)
    np.testing.assert_allclose(model.proximity(new, X, sparse=False), between, rtol=1e-15)
    within = (a[:, None, :] == a[None, :, :]).mean(axis=2)
    np.testing.assert_allclose(model.proximity(new).toarray(), within, rtol=1e-15)


def nearest_by_hand(proximity: NDArray[np.float64], k: int, apart: bool) -> tuple[Any, Any]:
    distances = 1.0 - proximity
    if apart:
        distances = distances + np.where(np.eye(len(distances)) > 0, np.inf, 0.0)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(distances, order, axis=1), order


@pytest.mark.parametrize("rows", ["all", "in_bag", "oob"])
@pytest.mark.parametrize("k", [1, 7, 119])
def test_neighbours_are_those_of_the_dense_matrix(rows: Any, k: int) -> None:
    model = forest()
    distances, indices = model.kneighbors(n_neighbors=k, rows=rows)
    expected = nearest_by_hand(model.proximity(rows=rows, sparse=False), k, apart=True)
    np.testing.assert_array_equal(indices, expected[1])
    np.testing.assert_array_equal(distances, expected[0])
    np.testing.assert_array_equal(model.kneighbors(n_neighbors=k, rows=rows, return_distance=False), indices)


def test_neighbours_of_new_rows() -> None:
    X, _ = data()
    model = forest()
    for rows in (X, simulations.trunk(50, n_features=4, random_state=5)[0]):
        distances, indices = model.kneighbors(rows, 120)
        expected = nearest_by_hand(model.proximity(rows, X, sparse=False), 120, apart=False)
        np.testing.assert_array_equal(indices, expected[1])
        np.testing.assert_array_equal(distances, expected[0])


def test_threads_change_nothing() -> None:
    model = forest()
    one = model.set_params(n_jobs=1).kneighbors(n_neighbors=9, rows="oob")
    three = model.set_params(n_jobs=3).kneighbors(n_neighbors=9, rows="oob")
    np.testing.assert_array_equal(one, three)


def test_graphs() -> None:
    X, y = data()
    model = forest()
    distances, indices = model.kneighbors(n_neighbors=5)
    graph = model.kneighbors_graph(n_neighbors=5)
    assert graph.shape == (120, 120) and graph.nnz == 600 and set(graph.data) == {1.0}
    np.testing.assert_array_equal(graph.indices.reshape(120, 5), indices)
    np.testing.assert_array_equal(model.kneighbors_graph(n_neighbors=5, mode="distance").data, distances.ravel())
    transformed = model.transform(X, 5)
    assert transformed.nnz == 720 and (np.diff(transformed.data.reshape(120, 6)) >= 0).all()
    np.testing.assert_array_equal(transformed.indices.reshape(120, 6)[:, 0], np.arange(120))
    np.testing.assert_array_equal(transformed.indices.reshape(120, 6)[:, 1:], indices)
    np.testing.assert_array_equal(model.transform(X[50:60], 5).toarray(), transformed[50:60].toarray())
    assert model.transform(X[50:60], 5).indices.reshape(10, 6)[:, 0].tolist() == list(range(50, 60))
    new = simulations.trunk(30, n_features=4, random_state=5)[0]
    np.testing.assert_array_equal(model.transform(new, 5).indices.reshape(30, 6), model.kneighbors(new, 6)[1])
    assert model.transform(X, 119).nnz == 120 * 120 and model.transform(new, 119).nnz == 30 * 120
    again = fo.ForestClassifier(70, min_samples_leaf=3, random_state=0).fit_transform(X, y, n_neighbors=5)
    np.testing.assert_array_equal(again.toarray(), transformed.toarray())


def test_graphs_go_into_scikit_learn() -> None:
    from sklearn.cluster import DBSCAN, SpectralClustering
    from sklearn.manifold import TSNE, Isomap

    X, y = simulations.trunk(150, n_features=10, random_state=0)
    model = fo.ForestClassifier(100, max_leaf_nodes=12, random_state=0).fit(X, y)
    graph = model.transform(X, 40)
    for affinity, given in (("precomputed", model.proximity()), ("precomputed_nearest_neighbors", graph)):
        found = SpectralClustering(2, affinity=affinity, n_neighbors=40, random_state=0).fit_predict(given)
        assert max((found == y).mean(), (found != y).mean()) > 0.9
    labels = DBSCAN(eps=0.6, metric="precomputed").fit_predict(graph)
    assert labels.shape == (150,) and labels.max() >= 0
    embedded = TSNE(metric="precomputed", init="random", perplexity=10, random_state=0).fit_transform(graph)
    assert embedded.shape == (150, 2) and np.isfinite(embedded).all()
    assert Isomap(n_neighbors=30, metric="precomputed").fit_transform(graph).shape == (150, 2)


def test_outliers_of_a_class() -> None:
    X, y = simulations.trunk(200, n_features=10, random_state=0)
    y[:3] = 1 - y[:3]  # rows among those of the other class
    model = fo.ForestClassifier(200, min_samples_leaf=3, random_state=0).fit(X, y)
    near = model.proximity(sparse=False)
    same = (y[:, None] == y[None, :]) & ~np.eye(200, dtype=bool)
    raw = np.bincount(y)[y] / np.maximum((near**2 * same).sum(axis=1), 200.0**-2)
    expected = np.empty(200)
    for label in (0, 1):
        own = raw[y == label]
        expected[y == label] = (own - np.median(own)) / np.median(np.abs(own - np.median(own)))
    np.testing.assert_allclose(model.outlier_score(), expected)
    oob = model.outlier_score()
    assert np.median(oob[:3]) > np.quantile(oob, 0.9)
    assert model.outlier_score(X[:50]).shape == (50,)
    regressor = fo.ForestRegressor(50, random_state=0).fit(X, X[:, 0])
    far = np.concatenate([X, np.full((1, 10), 8.0)])
    assert np.isfinite(regressor.outlier_score(far)).all()


def test_pooled_forests_are_one_large_forest() -> None:
    """L and T of several forests added up are those of one forest with all the trees, in distribution."""
    X, y = data(60)

    def shares(n_trees: int, seed: int) -> tuple[Any, Any]:
        model = fo.ForestClassifier(n_trees, min_samples_leaf=5, random_state=seed).fit(X, y)
        leaves = model.apply(X)
        out = np.stack([~np.isin(np.arange(60), sample) for sample in model.estimators_samples_], axis=1).astype(float)
        shared = sum(
            (leaves[:, t, None] == leaves[None, :, t]) * np.outer(out[:, t], out[:, t]) for t in range(n_trees)
        )
        return shared, out @ out.T

    pooled, whole = [], []
    for seed in range(20):
        parts = [shares(30, 1000 * seed + f) for f in range(4)]
        pooled.append(sum(p[0] for p in parts) / sum(p[1] for p in parts))
        whole.append(
            fo.ForestClassifier(120, min_samples_leaf=5, random_state=seed).fit(X, y).proximity(rows="oob").toarray()
        )
    a, b = np.array(pooled), np.array(whole)
    off = ~np.eye(60, dtype=bool)
    error = np.sqrt(a.var(axis=0) / 20 + b.var(axis=0) / 20)[off]
    z = (a.mean(axis=0) - b.mean(axis=0))[off] / np.maximum(error, 1e-3)
    assert abs(z.mean()) < 0.3 and 0.7 < z.std() < 1.3
    ratio = a.std(axis=0)[off].mean() / b.std(axis=0)[off].mean()
    assert 0.9 < ratio < 1.1


def test_requests_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    model = forest()
    monkeypatch.setattr(memory, "available_bytes", lambda: 50_000.0)
    with pytest.raises(MemoryError, match=r"dense proximity matrix of shape \(120, 120\) would take 115 KB, but 50 KB"):
        model.proximity(sparse=False)
    with pytest.raises(MemoryError, match=r"sparse proximities of 120 rows would take .* KB, but 50 KB are free"):
        model.proximity()
    with pytest.raises(MemoryError, match="100 neighbors of 120 rows would take 288 KB, but 50 KB are free"):
        model.kneighbors(n_neighbors=100)
    assert model.kneighbors(n_neighbors=2)[0].shape == (120, 2)
    assert model.outlier_score().shape == (120,)


def test_many_pairs_are_said_before_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    X, _ = data()
    model = forest()
    monkeypatch.setattr(leaf_cooccurrence, "_MANY_PAIRS", 1e4)
    calls = [lambda: model.kneighbors(n_neighbors=2), model.proximity, model.outlier_score, lambda: model.transform(X)]
    for call in calls:
        with pytest.warns(UserWarning, match="rows share leaves in .* pairs"):
            call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, X: f.proximity(rows="out"), 'rows=\'out\' is unknown; it must be "all", "in_bag" or "oob"'),
        (lambda f, X: f.proximity(X, rows="oob"), "rows='oob' tells training rows apart"),
        (lambda f, X: f.proximity(None, X), "Y was given without X"),
        (lambda f, X: f.proximity(min_value=2), "min_value=2 must be a number between 0 and 1"),
        (lambda f, X: f.kneighbors(n_neighbors=0), "n_neighbors=0 must be an integer from 1 to 119"),
        (lambda f, X: f.kneighbors(X, n_neighbors=121), "n_neighbors=121 must be an integer from 1 to 120"),
        (lambda f, X: f.kneighbors_graph(mode="all"), "mode='all' is unknown"),
        (lambda f, X: f.proximity(min_value="a"), "min_value='a' must be a number"),
        (lambda f, X: f.transform(X, -5), "n_neighbors=-5 must be an integer from 1 to 119"),
        (lambda f, X: f.transform(X, 120), "n_neighbors=120 must be an integer from 1 to 119"),
        (lambda f, X: f.transform(X, True), "n_neighbors=True must be an integer"),
    ],
)
def test_bad_arguments(call: Any, message: str) -> None:
    X, _ = data()
    with pytest.raises(ValueError, match=message):
        call(forest(5), X)
