"""Coordinates in which near training rows are near."""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import dataclass
from inspect import signature
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackError, eigsh
from sklearn.utils import check_random_state

from foliation.analysis.comparison import Comparison
from foliation.analysis.neighbors import kneighbors, neighbor_graph
from foliation.analysis.proximity import proximity, rows_to_compare
from foliation.data.arrays import Data, Floats, Matrix
from foliation.memory import check_memory
from foliation.printable import quoted
from foliation.validation import check_seed, is_one_of
from foliation.warn import warn

if TYPE_CHECKING:
    from sklearn.manifold import MDS

_DENSE = 1000  # rows of a matrix that is decomposed at once, in a fraction of a second
_N_LANCZOS = 7  # vectors that the iteration keeps for each eigenvector
_MOST_RESTARTS = 100  # of the iteration: a second or two for 15,000 rows
_MOST_TIMES = 8  # as many neighbors as asked for, to hold a graph together


@dataclass(frozen=True)
class Embedding:
    """How coordinates are found."""

    n_components: int
    method: str
    n_neighbors: int
    random_state: Data


def check_arguments(n_components: int, method: str, n_neighbors: int | None, most: int) -> None:
    """Raise ValueError for arguments that do not fit each other or the number of other rows."""
    if not is_one_of(method, ("spectral", "umap", "mds")):
        raise ValueError(f'method={quoted(method)} is unknown; it must be "spectral", "umap" or "mds"')
    if most < 2:
        raise ValueError(f"embed needs a forest of at least 3 rows; this one was fitted on {most + 1}")
    if not isinstance(n_components, Integral) or isinstance(n_components, bool) or not 1 <= n_components < most:
        raise ValueError(f"n_components={quoted(n_components)} must be an integer from 1 to {most - 1}")
    if method == "mds" and n_neighbors is not None:
        raise ValueError(f'n_neighbors={quoted(n_neighbors)} has no meaning for method="mds", which uses all distances')


def embed(how: Comparison, into: Embedding) -> Floats:
    """Embed the training rows of a model."""
    check_seed(into.random_state)
    methods = {"mds": _mds, "umap": _umap, "spectral": _spectral}
    return methods[into.method](how, into)


def _spectral(how: Comparison, into: Embedding) -> Floats:
    graph = _connected_graph(how, into.n_neighbors)
    try:
        return _by_iteration(graph, into)
    except ArpackError:  # eigenvalues that lie so near each other are those of a thin graph, which has sparse factors
        from sklearn.manifold import SpectralEmbedding  # takes long to import

        embedding = SpectralEmbedding(into.n_components, affinity="precomputed", random_state=into.random_state)
        coordinates: Floats = embedding.fit_transform(graph)
        return coordinates


def _by_iteration(graph: Matrix, into: Embedding) -> Floats:
    """Return Laplacian eigenmaps as scikit-learn does; Ctrl-C is heard between products with the graph.

    The eigenvectors are those of the graph with normalized weights plus the identity, which has no negative
    eigenvalues.
    """
    n, n_vectors = graph.shape[0], into.n_components + 1
    if n < _N_LANCZOS * n_vectors:
        raise ArpackError(-3)  # there is no room to iterate
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    roots = np.sqrt(np.where(degrees > 0, degrees, 1.0))
    scaled = sp.diags_array(1.0 / roots)
    matrix = sp.csr_array(scaled @ graph @ scaled + sp.eye_array(n))
    start = check_random_state(into.random_state).uniform(-1.0, 1.0, n)
    _, vectors = eigsh(matrix, n_vectors, which="LA", v0=start, ncv=_N_LANCZOS * n_vectors, maxiter=_MOST_RESTARTS)
    coordinates = vectors[:, -2::-1] / roots[:, None]
    largest = coordinates[np.abs(coordinates).argmax(axis=0), np.arange(into.n_components)]
    return np.asarray(coordinates * np.sign(largest))


def _connected_graph(how: Comparison, n_neighbors: int) -> Matrix:
    """Proximities to the nearest rows: of as many as asked for, or some times as many if parts would stand alone."""
    most = min(_MOST_TIMES * n_neighbors, how.n_training_rows - 1)
    while True:
        distances, indices = kneighbors(how, None, n_neighbors, "all")
        graph = neighbor_graph(1.0 - distances, indices, how.n_training_rows)
        graph.eliminate_zeros()
        graph = graph.maximum(graph.T)
        n_parts = int(connected_components(graph, directed=False)[0])
        if n_parts == 1:
            return graph
        if n_neighbors >= most:
            warn(f"the graph of the {n_neighbors} nearest rows falls into {n_parts} parts; their places are arbitrary")
            return graph
        n_neighbors = min(2 * n_neighbors, most)


def _umap(how: Comparison, into: Embedding) -> Floats:
    try:
        from umap import UMAP
    except ImportError as error:
        raise ImportError('embed(method="umap") needs umap-learn: pip install "foliation[umap]"') from error

    n = how.n_training_rows
    n_neighbors = min(into.n_neighbors, n - 2)  # and the row itself: as many as UMAP takes
    distances, indices = kneighbors(how, None, n_neighbors, "all")
    itself = np.arange(n)[:, None]
    known = np.hstack([itself, indices]), np.hstack([np.zeros((n, 1)), distances]), None
    embedding = UMAP(
        n_neighbors + 1,
        into.n_components,
        precomputed_knn=known,
        random_state=into.random_state,
        force_approximation_algorithm=True,  # few rows are not compared anew
        disconnection_distance=1.0,  # rows that never share a leaf are no neighbors
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*precomputed_knn.*")  # that new rows cannot be placed by it
        warnings.filterwarnings("ignore", message=".*n_jobs value.*")  # that a seed means one thread
        coordinates = embedding.fit_transform(np.arange(n, dtype=np.float64)[:, None])
    return np.asarray(coordinates, dtype=np.float64)


def _mds(how: Comparison, into: Embedding) -> Floats:
    n = how.n_training_rows
    check_memory(f"scaling of {n} rows", 64.0 * n * n, 'method="spectral" takes less')
    distances = 1.0 - proximity(how, rows_to_compare(how, None, None, "all"), sparse=False)
    if not distances.any():
        return np.zeros((n, into.n_components))
    start = _classical(distances, into.n_components)
    coordinates: Floats = precomputed_mds(into.n_components, into.random_state).fit_transform(distances, init=start)
    return coordinates


def precomputed_mds(n_components: int, random_state: Data) -> MDS:
    """Return metric scaling of given distances, under the names that each version of scikit-learn has for it."""
    from sklearn.manifold import MDS  # takes long to import

    names = signature(MDS).parameters
    metric = {"metric": "precomputed"} if "metric_mds" in names else {"dissimilarity": "precomputed"}
    start = {"init": "random"} if "init" in names else {}
    return MDS(n_components, n_init=1, random_state=random_state, **metric, **start)


def _classical(distances: Floats, n_components: int) -> Floats:
    """Classical scaling, from where few steps lead far: random starts end in poor places."""
    squares = distances**2
    inner = 0.5 * (squares.mean(axis=0) + squares.mean(axis=1, keepdims=True) - squares.mean() - squares)
    values, vectors = _largest_eigenvectors(inner, n_components)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1])


def _largest_eigenvectors(matrix: Floats, n: int) -> tuple[Floats, Floats]:
    """Return the n largest eigenvalues, in ascending order, and their vectors."""
    if len(matrix) > _DENSE and 2 * n < len(matrix):
        with suppress(ArpackError):  # which multiplies by the matrix, and so hears Ctrl-C
            values, vectors = eigsh(matrix, n, which="LA", v0=np.arange(1.0, len(matrix) + 1.0))
            return values, vectors
    values, vectors = eigh(matrix, subset_by_index=(len(matrix) - n, len(matrix) - 1))
    return values, vectors
