"""The training rows that are nearest to others."""

from __future__ import annotations

from numbers import Integral

import numpy as np
import scipy.sparse as sp

from foliation._core import Machine
from foliation.analysis.comparison import Comparison
from foliation.analysis.leaf_cooccurrence import LeafIds
from foliation.data.arrays import Array, Floats, Longs, Matrix
from foliation.model.model import Model
from foliation.model.training import RowSet, digests_of, training_digests
from foliation.printable import quoted


def check_n_neighbors(n_neighbors: int | None, default: int, most: int) -> int:
    """Return a number of neighbors; the default, or all others if they are fewer, if none is given."""
    if n_neighbors is None:
        return min(default, most)
    if not isinstance(n_neighbors, Integral) or isinstance(n_neighbors, bool) or not 1 <= int(n_neighbors) <= most:
        raise ValueError(f"n_neighbors={quoted(n_neighbors)} must be an integer from 1 to {most}, the number of others")
    return int(n_neighbors)


def kneighbors(how: Comparison, X: Array | None, k: int, kind: RowSet) -> tuple[Floats, Longs]:
    """Return distances and row numbers of the k nearest training rows; a training row is not its own neighbor."""
    training = how.of_training_rows(kind)
    given = training if X is None else how.of_rows(X)
    own = np.arange(given.n_rows) if X is None else np.full(given.n_rows, -1)
    affinity = how.between(given, training)
    affinity.warn_of_pairs()
    proximity, indices = affinity.nearest(k, own)
    return 1.0 - proximity, indices


def neighbor_graph(values: Floats, indices: Longs, n_training_rows: int) -> Matrix:
    """Return values at the neighbors of each row as a sparse matrix."""
    start = np.arange(len(values) + 1) * values.shape[1]
    return sp.csr_matrix((values.ravel(), indices.ravel(), start), shape=(len(values), n_training_rows))


def distance_graph(how: Comparison, X: Array, k: int) -> Matrix:
    """Return distances to k + 1 training rows: a training row itself and its k nearest, k + 1 of a new row."""
    training, given = how.of_training_rows(), how.of_rows(X)
    own = training_numbers(how.model, X, how.machine)
    values, indices = np.empty((given.n_rows, k + 1)), np.empty((given.n_rows, k + 1), dtype=np.int64)
    for known in (False, True):
        if not (here := np.flatnonzero((own >= 0) == known)).size:
            continue
        some = LeafIds(np.ascontiguousarray(given.leaves[:, here]), given.bits)
        affinity = how.between(some, training)
        affinity.warn_of_pairs()
        values[here, 0], indices[here, 0] = 1.0, own[here]
        if k + 1 > known:
            values[here, known:], indices[here, known:] = affinity.nearest(k + 1 - known, own[here])
    return neighbor_graph(1.0 - values, indices, how.n_training_rows)


def training_numbers(model: Model, X: Array, machine: Machine) -> Longs:
    """Return the number of each row among the training rows, or -1 for a new one; by its place where rows repeat."""
    known, sought = training_digests(model, machine), digests_of(model, X, machine)
    order = np.argsort(known, kind="stable")
    places = order[np.minimum(np.searchsorted(known[order], sought), len(known) - 1)]
    numbers = np.where(known[places] == sought, places, -1)
    if len(sought) == len(known):
        numbers = np.where(known == sought, np.arange(len(known)), numbers)
    return numbers
