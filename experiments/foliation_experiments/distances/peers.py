"""Distances as others find them: straight lines, Isomap, UMAP, two forests, approximate neighbors.

Each runs on one thread and draws from its seed alone, so that a run can be repeated. Where an embedding is made, the
distances are those between the points of the embedding.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.ensemble import RandomTreesEmbedding
from sklearn.manifold import Isomap
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import OneHotEncoder

from foliation import ForestClassifier

Floats = NDArray[np.float64]

N_TREES = 300  # as many as a geodesic forest has
N_ASKED = 60  # neighbors that pynndescent is asked for; all others count as infinitely far
N_GRAPH = 10  # neighbors in Isomap's graph: scikit-learn's 5 find less on the sphere and on the noisy helix
N_COMPONENTS = 3  # of Isomap's embedding: the signal dimensions of the simulations


def found_distances(method: str, X: ArrayLike, seed: int) -> Floats:
    """Return the distances between the rows of X that a method finds.

    Parameters
    ----------
    method : str
        A key of ``PEERS``.
    X : array_like, shape (n, p)
        The rows.
    seed : int
        What the method draws from. "Euclidean", "Isomap" and "Isomap graph" draw nothing.

    Returns
    -------
    ndarray of float64, shape (n, n)
        Distances, zero from a row to itself. Only "pynndescent" leaves some infinite.
    """
    if method not in PEERS:
        raise ValueError(f"method={method!r}: expected one of {', '.join(PEERS)}")
    return PEERS[method](np.asarray(X, dtype=np.float64), seed)


def _euclidean(X: Floats, seed: int) -> Floats:
    return np.asarray(pairwise_distances(X, n_jobs=1), dtype=np.float64)


def _isomap(X: Floats, seed: int) -> Floats:
    return _euclidean(_fitted_isomap(X).embedding_, seed)


def _isomap_graph(X: Floats, seed: int) -> Floats:
    return np.asarray(_fitted_isomap(X).dist_matrix_, dtype=np.float64)


def _fitted_isomap(X: Floats) -> Any:
    """Fit Isomap; its dense solver draws no starting vector."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a graph in several pieces is joined by its shortest bridges
        return Isomap(n_neighbors=N_GRAPH, n_components=N_COMPONENTS, eigen_solver="dense", n_jobs=1).fit(X)


def _umap(X: Floats, seed: int) -> Floats:
    import umap

    return _euclidean(umap.UMAP(random_state=seed, n_jobs=1).fit_transform(X), seed)


def _random_trees(X: Floats, seed: int) -> Floats:
    forest = RandomTreesEmbedding(N_TREES, n_jobs=1, random_state=seed).fit(X)
    return _apart(forest.apply(X))


def _breiman(X: Floats, seed: int) -> Floats:
    """Tell the rows from rows whose columns are permuted, each by itself, and see which rows share leaves.

    The random forest is ours: among thousands of features scikit-learn's takes minutes.
    """
    shuffled = np.random.default_rng(seed).permuted(X, axis=0)
    forest = ForestClassifier(N_TREES, projections="axis", n_jobs=1, random_state=seed)
    forest.fit(np.concatenate([X, shuffled]), np.repeat([1, 0], len(X)))
    return _apart(forest.apply(X))


def _apart(leaves: NDArray[np.int64]) -> Floats:
    """Return the share of trees, the columns, in which two rows are in different leaves."""
    member = OneHotEncoder(dtype=np.float64).fit_transform(leaves)
    return np.asarray(1.0 - (member @ member.T).toarray() / leaves.shape[1], dtype=np.float64)


def _pynndescent(X: Floats, seed: int) -> Floats:
    from pynndescent import NNDescent

    index = NNDescent(X, n_neighbors=min(N_ASKED + 1, len(X)), random_state=seed, n_jobs=1)
    neighbors, lengths = index.neighbor_graph
    distances = np.full((len(X), len(X)), np.inf)
    rows, places = np.nonzero(neighbors >= 0)
    distances[rows, neighbors[rows, places]] = lengths[rows, places]
    np.fill_diagonal(distances, 0.0)
    return distances


PEERS: dict[str, Callable[[Floats, int], Floats]] = {
    "Euclidean": _euclidean,
    "Isomap": _isomap,
    "Isomap graph": _isomap_graph,
    "UMAP": _umap,
    "random trees": _random_trees,
    "Breiman": _breiman,
    "pynndescent": _pynndescent,
}
