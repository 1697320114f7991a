"""Neighbors and graphs against a full sort of the dense proximities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from forged import forged
from numpy.typing import NDArray
from shared_leaves import data, forest
from sklearn.cluster import DBSCAN, SpectralClustering
from sklearn.manifold import TSNE, Isomap

import foliation as fo
from foliation import simulations
from foliation._core import Machine
from foliation.analysis.neighbors import check_n_neighbors, neighbor_graph, training_numbers
from foliation.data.old_row_hash import old_row_digests


def nearest_by_hand(proximity: NDArray[np.float64], k: int, apart: bool) -> tuple[Any, Any]:
    distances = 1.0 - proximity
    if apart:
        distances = distances + np.where(np.eye(len(distances)) > 0, np.inf, 0.0)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(distances, order, axis=1), order


@pytest.mark.parametrize("rows", ["all", "in_bag", "oob"])
@pytest.mark.parametrize("k", [1, 7, 119])
def test_neighbors_are_those_of_the_dense_matrix(rows: Any, k: int) -> None:
    model = forest()
    distances, indices = model.kneighbors(n_neighbors=k, rows=rows)
    expected = nearest_by_hand(model.proximity(rows=rows, sparse=False), k, apart=True)
    np.testing.assert_array_equal(indices, expected[1])
    np.testing.assert_array_equal(distances, expected[0])
    np.testing.assert_array_equal(model.kneighbors(n_neighbors=k, rows=rows, return_distance=False), indices)


def test_neighbors_of_new_rows() -> None:
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


def test_a_training_row_comes_first_among_equally_near_ones() -> None:
    X, y = data()
    model = fo.ForestClassifier(3, max_depth=1, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.transform(X, 4).indices.reshape(120, 5)[:, 0], np.arange(120))
    twice = np.repeat(X[:60], 2, axis=0)
    model = fo.ForestClassifier(3, random_state=0).fit(twice, np.repeat(y[:60], 2))
    np.testing.assert_array_equal(model.transform(twice, 4).indices.reshape(120, 5)[:, 0], np.arange(120))


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


def test_training_rows_are_recognized_wherever_they_stand() -> None:
    X, _ = data()
    model = forest(2).model_
    order = np.random.default_rng(0).permutation(120)
    np.testing.assert_array_equal(training_numbers(model, X[order], Machine(1)), order)
    new = X[:6].copy()
    new[1::2, 0] = np.nextafter(new[1::2, 0], np.inf)
    assert training_numbers(model, new, Machine(1)).tolist() == [0, -1, 2, -1, 4, -1]


def test_a_row_made_up_for_the_hash_of_0_1_0_is_new() -> None:
    X, _ = data()
    model, made = forest(2).model_, forged(X[0].astype(float))[None]
    assert old_row_digests(made)[0] == old_row_digests(X)[0]
    assert training_numbers(model, made, Machine(1)).tolist() == [-1]
    np.testing.assert_array_equal(forest(2).transform(made, 4).indices, forest(2).kneighbors(made, 5)[1][0])


def test_repeated_training_rows_are_recognized_by_their_places() -> None:
    X = np.array([[1.0], [2.0], [1.0], [1.0], [3.0]])
    model = fo.ForestRegressor(1, random_state=0).fit(X, X[:, 0]).model_
    assert training_numbers(model, X, Machine(1)).tolist() == [0, 1, 2, 3, 4]
    assert training_numbers(model, X[2:], Machine(1)).tolist() == [0, 0, 4]  # the first of them if there are others


def test_a_graph_has_the_values_of_each_row_at_its_neighbors() -> None:
    values, indices = np.array([[0.0, 0.5], [0.25, 1.0]]), np.array([[3, 0], [1, 2]])
    graph = neighbor_graph(values, indices, 4)
    assert graph.nnz == 4  # also the distance 0
    np.testing.assert_array_equal(graph.toarray(), [[0.5, 0, 0, 0.0], [0, 0.25, 1.0, 0]])


@pytest.mark.parametrize(("given", "expected"), [(None, 5), (1, 1), (np.int32(7), 7), (119, 119)])
def test_a_number_of_neighbors_is_a_plain_integer(given: Any, expected: int) -> None:
    found = check_n_neighbors(given, default=5, most=119)
    assert found == expected and type(found) is int


def test_the_default_number_of_neighbors_is_at_most_all_others() -> None:
    assert check_n_neighbors(None, default=5, most=3) == 3


@pytest.mark.parametrize("given", [0, -5, 120, True, 2.0, "3"])
def test_other_numbers_of_neighbors_are_refused(given: Any) -> None:
    with pytest.raises(ValueError, match=rf"^n_neighbors={given!r} must be an integer from 1 to 119, the number of"):
        check_n_neighbors(given, default=5, most=119)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, X: f.kneighbors(n_neighbors=120), "n_neighbors=120 must be an integer from 1 to 119"),
        (lambda f, X: f.kneighbors(X, n_neighbors=121), "n_neighbors=121 must be an integer from 1 to 120"),
        (lambda f, X: f.kneighbors(rows="out"), 'rows=\'out\' is unknown; it must be "all", "in_bag" or "oob"'),
        (lambda f, X: f.kneighbors_graph(mode="all"), "mode='all' is unknown"),
        (lambda f, X: f.transform(X, 120), "n_neighbors=120 must be an integer from 1 to 119"),
    ],
)
def test_bad_arguments(call: Any, message: str) -> None:
    X, _ = data()
    with pytest.raises(ValueError, match=message):
        call(forest(5), X)
