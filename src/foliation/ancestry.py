"""Rows against rows by how deep in the trees they part; speaks as ``foliation.meetings.Meetings`` does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from foliation import memory
from foliation.meetings import Arrivals
from foliation.trees import Arrays

_CELLS = 4_000_000  # of a block of rows against all others


class Ancestry:
    """Affinities by the lowest common ancestors of rows, averaged over the trees.

    In a tree, two rows whose leaves lie ``d`` and ``e`` splits deep, and part ``c`` splits deep, have the affinity
    ``2 c / (d + e)``: 1 in the same leaf, 0 if the root parts them. All rows are compared with all.
    """

    def __init__(self, rows: Arrivals, others: Arrivals, trees: Arrays) -> None:
        self._rows, self._others = rows, others
        self.shape = rows.n_rows, others.n_rows
        self._trees = trees

    def warn_of_pairs(self) -> None:
        """Say nothing: all pairs are compared, as documented."""

    def check_size(self, least: float) -> None:
        """Refuse a sparse matrix of all rows that would not fit."""
        wanted = 24.0 * self.shape[0] * self.shape[1]
        memory.check(f"affinities of {self.shape[0]} rows", wanted, "kneighbors keeps only the nearest")

    def blocks(self, least: float = 0.0) -> Iterator[tuple[slice, Any]]:
        """Yield some rows, and their affinities of at least this much to all others as a sparse matrix."""
        step = max(1, _CELLS // max(1, self.shape[1]))
        for first in range(0, self.shape[0], step):
            here = slice(first, min(first + step, self.shape[0]))
            found = self._affinities(here)
            yield here, sp.csr_matrix(np.where(found >= least, found, 0.0))

    def nearest(self, k: int, own: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the affinities and numbers of the k nearest others; `own` are numbers to leave out, or -1."""
        memory.check(f"{k} neighbours of {self.shape[0]} rows", 24.0 * k * self.shape[0], "fewer neighbours take less")
        values, indices = np.empty((self.shape[0], k)), np.empty((self.shape[0], k), dtype=np.int64)
        step = max(1, _CELLS // max(1, self.shape[1]))
        for first in range(0, self.shape[0], step):
            here = slice(first, min(first + step, self.shape[0]))
            found = self._affinities(here)
            left_out = np.flatnonzero(own[here] >= 0)
            found[left_out, own[here][left_out]] = -1.0
            order = np.argsort(-found, axis=1, kind="stable")[:, :k]
            indices[here], values[here] = order, np.take_along_axis(found, order, axis=1)
        return values, indices

    def _affinities(self, here: slice) -> NDArray[np.float64]:
        sums = np.zeros((here.stop - here.start, self.shape[1]))
        counts: Any = np.zeros((1, 1))  # of trees that count for both rows; grows to the shape of the sums if need be
        children = self._trees["children"].reshape(-1, 2)
        for tree, (first, last) in enumerate(pairwise(self._trees["split_start"])):
            table = _leaf_affinities(children[first:last])
            found = table[self._rows.leaves[tree, here]][:, self._others.leaves[tree]]
            both = np.outer(_takes_part(self._rows, tree, here), _takes_part(self._others, tree))
            sums += found if both.size == 1 else found * both
            counts = counts + both
        return np.asarray(np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0))


def _takes_part(arrivals: Arrivals, tree: int, here: slice = slice(None)) -> NDArray[np.float64]:
    """Return for each row whether a tree counts, as a number; a single one if all trees count for all rows."""
    if not arrivals.bits.size:
        return np.ones(1)
    words = arrivals.bits.reshape(arrivals.n_rows, -1)[here, tree // 64]
    return (words >> np.uint64(tree % 64) & np.uint64(1)).astype(np.float64)


def _leaf_affinities(children: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return for each two leaves of a tree the affinity of rows in them."""
    n_leaves = len(children) + 1
    table = np.zeros((n_leaves, n_leaves))  # of leaves from left to right; first, the depths at which they part
    places, depths = np.zeros(n_leaves, dtype=np.int64), np.zeros(n_leaves)
    sizes = _leaves_below(children)
    todo = [(0 if len(children) else -1, 0, 0)]  # node, its first leaf, its depth
    while todo:
        node, first, depth = todo.pop()
        if node < 0:
            places[~node], depths[first] = first, depth
            continue
        left, right = (int(child) for child in children[node])
        middle = first + (int(sizes[left]) if left >= 0 else 1)
        last = first + int(sizes[node])
        table[first:middle, middle:last] = table[middle:last, first:middle] = depth
        todo += [(left, first, depth + 1), (right, middle, depth + 1)]
    means = 0.5 * (depths[:, None] + depths)
    table /= np.where(means > 0, means, 1.0)
    np.fill_diagonal(table, 1.0)
    return np.asarray(table[np.ix_(places, places)])


def _leaves_below(children: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the number of leaves below each split; a split comes before its children."""
    sizes = np.zeros(len(children), dtype=np.int64)
    for split in range(len(children) - 1, -1, -1):
        sizes[split] = sum(int(sizes[child]) if child >= 0 else 1 for child in children[split])
    return sizes
