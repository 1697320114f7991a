"""Where the vertices of a directed graph lie, by what they send and what they receive."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.extmath import svd_flip


def adjacency_spectral_embedding(adjacency: ArrayLike, n_components: int = 3) -> NDArray[np.float64]:
    """Embed the vertices of a directed graph by the scaled singular vectors of its adjacency matrix.

    With A = U S V', the coordinates of a vertex are its rows of U sqrt(S) and V sqrt(S) for the largest singular
    values. The sign of each pair of vectors is such that the largest entry of U by amount is positive.

    Parameters
    ----------
    adjacency : array_like, shape (n, n)
        Entry (i, j) is the weight of the edge from vertex i to vertex j, 0 without an edge.
    n_components : int
        Number of singular values, from 1 to n.

    Returns
    -------
    ndarray of float64, shape (n, 2 * n_components)
        The coordinates of sending, then those of receiving.
    """
    edges = np.asarray(adjacency, dtype=np.float64)
    if edges.ndim != 2 or edges.shape[0] != edges.shape[1] or not np.isfinite(edges).all():
        raise ValueError(f"adjacency has shape {edges.shape}: expected a square matrix of finite numbers")
    if not 1 <= n_components <= len(edges):
        raise ValueError(f"n_components={n_components}: expected 1 to {len(edges)}")
    u, s, vt = np.linalg.svd(edges)
    u, vt = svd_flip(u[:, :n_components], vt[:n_components])
    return np.asarray(np.hstack([u, vt.T]) * np.sqrt(np.tile(s[:n_components], 2)))
