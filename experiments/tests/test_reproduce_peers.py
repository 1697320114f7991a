"""Distances of peers, and the spectral embedding of a graph."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from foliation.metrics import geodesic_precision
from foliation_experiments.distances.peers import N_ASKED, N_TREES, PEERS, found_distances
from foliation_experiments.distances.spectral import adjacency_spectral_embedding

Floats = NDArray[np.float64]

PLAIN = ("Euclidean", "Isomap", "Isomap graph", "random trees", "Breiman")
ALL = (*PLAIN, *(pytest.param(name, marks=pytest.mark.extra) for name in ("UMAP", "pynndescent")))
FORESTS = ("random trees", "Breiman")


def spiral(n: int = 80) -> tuple[Floats, Floats]:
    """Return points on a flat spiral, and the true distances along it up to a constant."""
    t = np.linspace(2.0, 5.0, n)
    return np.column_stack((t * np.cos(2 * t), t * np.sin(2 * t))), np.abs(np.subtract.outer(t, t))


def distances(method: str, X: Floats, seed: int = 0) -> Floats:
    if method in ("UMAP", "pynndescent"):
        pytest.importorskip({"UMAP": "umap", "pynndescent": "pynndescent"}[method])
    return found_distances(method, X, seed)


def test_all_peers_are_tested() -> None:
    assert set(PEERS) == {*PLAIN, "UMAP", "pynndescent"}


@pytest.mark.parametrize("method", ALL)
def test_distances_have_their_form_and_find_neighbors(method: str) -> None:
    X, true = spiral()
    found = distances(method, X)
    assert found.shape == true.shape and found.dtype == np.float64
    assert (found >= 0).all() and (np.diag(found) == 0).all()
    if method != "pynndescent":  # a neighbor need not find its neighbor
        np.testing.assert_allclose(found, found.T, atol=1e-12)
    assert geodesic_precision(true, found, 8).mean() > 0.6  # guessing has 0.1


@pytest.mark.parametrize("method", ALL)
def test_a_seed_decides_everything(method: str) -> None:
    X, _ = spiral()
    np.testing.assert_array_equal(distances(method, X, 3), distances(method, X, 3))


@pytest.mark.parametrize("method", [*FORESTS, pytest.param("UMAP", marks=pytest.mark.extra)])
def test_seeds_differ(method: str) -> None:
    X, _ = spiral()
    assert (distances(method, X, 3) != distances(method, X, 4)).any()


@pytest.mark.parametrize("method", FORESTS)
def test_forests_count_trees_with_different_leaves(method: str) -> None:
    X, _ = spiral()
    counts = N_TREES * found_distances(method, X, 0)
    np.testing.assert_allclose(counts, counts.round(), atol=1e-9)
    assert counts.max() <= N_TREES and counts[0, -1] > counts[0, 1]


def test_equal_rows_share_all_leaves() -> None:
    X = np.repeat(spiral(20)[0], 2, axis=0)
    for method in FORESTS:
        assert (found_distances(method, X, 0)[::2, 1::2].diagonal() == 0).all()


def test_breiman_sees_no_distance_where_columns_are_independent() -> None:
    """What is the same after permuting columns cannot be told apart: rows are near by chance only."""
    rng = np.random.default_rng(0)
    t = rng.uniform(size=200)
    dependent = np.column_stack((t, t, rng.standard_normal((200, 2))))
    true = np.abs(np.subtract.outer(t, t))
    independent = rng.permuted(dependent, axis=0)
    own = np.abs(np.subtract.outer(independent[:, 0], independent[:, 0]))
    found, lost = found_distances("Breiman", dependent, 0), found_distances("Breiman", independent, 0)
    assert geodesic_precision(true, found, 20).mean() > geodesic_precision(own, lost, 20).mean() + 0.1


def test_isomap_joins_pieces_without_a_word() -> None:
    X, _ = spiral(40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = found_distances("Isomap graph", np.concatenate([X, X + 1000]), 0)
    assert np.isfinite(found).all() and found[0, 40] > 900 > found[0, 39]


@pytest.mark.extra
def test_approximate_neighbors_are_few_and_their_distances_true() -> None:
    X, _ = spiral(150)
    found = distances("pynndescent", X)
    near = np.isfinite(found)
    assert (near.sum(axis=1) >= N_ASKED).all() and not near.all()
    np.testing.assert_allclose(found[near], found_distances("Euclidean", X, 0)[near], rtol=1e-4, atol=1e-4)


def test_an_unknown_peer_is_named() -> None:
    with pytest.raises(ValueError, match="method='FLANN': expected one of Euclidean"):
        found_distances("FLANN", np.zeros((5, 2)), 0)


def test_spectral_embedding_is_the_best_approximation() -> None:
    edges = np.random.default_rng(0).poisson(1.0, (30, 30)).astype(float)
    found = adjacency_spectral_embedding(edges, 4)
    u, s, vt = np.linalg.svd(edges)
    assert found.shape == (30, 8)
    np.testing.assert_allclose(found[:, :4] @ found[:, 4:].T, u[:, :4] * s[:4] @ vt[:4], atol=1e-10)
    np.testing.assert_allclose((found[:, :4] ** 2).sum(axis=0), s[:4])


def test_spectral_embedding_has_the_same_signs_in_any_order() -> None:
    rng = np.random.default_rng(1)
    edges = rng.poisson(1.0, (30, 30)).astype(float)
    order = rng.permutation(30)
    found = adjacency_spectral_embedding(edges, 3)
    np.testing.assert_allclose(adjacency_spectral_embedding(edges[order][:, order], 3), found[order], atol=1e-9)
    assert (found[np.abs(found[:, :3]).argmax(axis=0), range(3)] > 0).all()


@pytest.mark.parametrize(
    ("edges", "n_components", "message"),
    [
        (np.zeros((3, 4)), 1, r"adjacency has shape \(3, 4\)"),
        (np.full((3, 3), np.nan), 1, "finite"),
        (np.eye(3), 4, "n_components=4: expected 1 to 3"),
        (np.eye(3), 0, "n_components=0: expected 1 to 3"),
    ],
)
def test_spectral_embedding_refuses(edges: Floats, n_components: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        adjacency_spectral_embedding(edges, n_components)
