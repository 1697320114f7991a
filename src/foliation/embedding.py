"""Coordinates for rows whose proximities are known."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from foliation import memory
from foliation._sklearn import precomputed_mds

_MOST_TIMES = 8  # as many neighbours as asked for, to hold a graph together


def check_arguments(n_components: int, method: str, n_neighbors: int | None, most: int) -> None:
    """Complain about arguments that do not fit each other or the number of other rows."""
    if method not in ("spectral", "umap", "mds"):
        raise ValueError(f'method={method!r} is unknown; it must be "spectral", "umap" or "mds"')
    if most < 2:
        raise ValueError(f"embed needs a forest of at least 3 rows; this one was fitted on {most + 1}")
    if not isinstance(n_components, Integral) or isinstance(n_components, bool) or not 1 <= n_components < most:
        raise ValueError(f"n_components={n_components!r} must be an integer from 1 to {most - 1}")
    if method == "mds" and n_neighbors is not None:
        raise ValueError(f'n_neighbors={n_neighbors!r} has no meaning for method="mds", which uses all distances')


def embed(forest: Any, n_components: int, method: str, n_neighbors: int, random_state: Any) -> NDArray[np.float64]:
    """Embed the training rows of a forest."""
    if method == "mds":
        return _mds(forest, n_components, random_state)
    if method == "umap":
        return _umap(forest, n_components, n_neighbors, random_state)
    return _spectral(forest, n_components, n_neighbors, random_state)


def _spectral(forest: Any, n_components: int, n_neighbors: int, random_state: Any) -> NDArray[np.float64]:
    from sklearn.manifold import SpectralEmbedding  # kept off the import path

    embedding = SpectralEmbedding(n_components, affinity="precomputed", random_state=random_state)
    found: NDArray[np.float64] = embedding.fit_transform(_connected_graph(forest, n_neighbors))
    return found


def _connected_graph(forest: Any, n_neighbors: int) -> Any:
    """Proximities to the nearest rows: of as many as asked for, or some times as many if parts would stand alone."""
    most = min(_MOST_TIMES * n_neighbors, forest.sampling_["n_rows"] - 1)
    while True:
        graph = forest.kneighbors_graph(n_neighbors=n_neighbors, mode="distance")
        graph.data = 1.0 - graph.data
        graph.eliminate_zeros()
        graph = graph.maximum(graph.T)
        n_parts = int(connected_components(graph, directed=False)[0])
        if n_parts == 1:
            return graph
        if n_neighbors >= most:
            warnings.warn(
                f"the graph of the {n_neighbors} nearest rows falls into {n_parts} parts; their places are arbitrary",
                stacklevel=5,
            )
            return graph
        n_neighbors = min(2 * n_neighbors, most)


def _umap(forest: Any, n_components: int, n_neighbors: int, random_state: Any) -> NDArray[np.float64]:
    try:
        from umap import UMAP
    except ImportError as error:
        raise ImportError('embed(method="umap") needs umap-learn: pip install "foliation[umap]"') from error

    n = int(forest.sampling_["n_rows"])
    n_neighbors = min(n_neighbors, n - 2)  # and the row itself: as many as UMAP takes
    distances, indices = forest.kneighbors(n_neighbors=n_neighbors)
    itself = np.arange(n)[:, None]
    known = np.hstack([itself, indices]), np.hstack([np.zeros((n, 1)), distances]), None
    embedding = UMAP(
        n_neighbors + 1,
        n_components,
        precomputed_knn=known,
        random_state=random_state,
        force_approximation_algorithm=True,  # few rows are not compared anew
        disconnection_distance=1.0,  # rows that never share a leaf are no neighbours
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*precomputed_knn.*")  # that new rows cannot be placed by it
        warnings.filterwarnings("ignore", message=".*n_jobs value.*")  # that a seed means one thread
        found = embedding.fit_transform(np.arange(n, dtype=np.float64)[:, None])
    return np.asarray(found, dtype=np.float64)


def _mds(forest: Any, n_components: int, random_state: Any) -> NDArray[np.float64]:
    n = forest.sampling_["n_rows"]
    memory.check(f"scaling of {n} rows", 64.0 * n * n, 'method="spectral" takes less')
    distances = 1.0 - forest.proximity(sparse=False)
    if not distances.any():
        return np.zeros((n, n_components))
    start = _classical(distances, n_components)
    found: NDArray[np.float64] = precomputed_mds(n_components, random_state).fit_transform(distances, init=start)
    return found


def _classical(distances: NDArray[np.float64], n_components: int) -> NDArray[np.float64]:
    """Classical scaling, from where few steps lead far: random starts end in poor places."""
    from scipy.linalg import eigh

    squares = distances**2
    inner = 0.5 * (squares.mean(axis=0) + squares.mean(axis=1, keepdims=True) - squares.mean() - squares)
    values, vectors = eigh(inner, subset_by_index=(len(inner) - n_components, len(inner) - 1))
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1])
