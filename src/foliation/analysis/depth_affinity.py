"""Rows compared by how deep in the trees they part; the same methods as ``LeafCooccurrence``."""

from __future__ import annotations

from collections.abc import Iterator

import scipy.sparse as sp

from foliation import _core
from foliation.analysis.leaf_cooccurrence import LeafIds
from foliation.data.arrays import Floats, Longs, Matrix
from foliation.memory import check_memory
from foliation.model.model import Model

_CELLS = 4_000_000  # of a block of rows against all others


class DepthAffinity:
    """Affinities by the lowest common ancestors of rows, averaged over the trees.

    In a tree, two rows whose leaves lie ``d`` and ``e`` splits deep, and part ``c`` splits deep, have the affinity
    ``2 c / (d + e)``: 1 in the same leaf, 0 if the root parts them. All rows are compared with all.
    """

    def __init__(self, rows: LeafIds, others: LeafIds, model: Model, machine: _core.Machine) -> None:
        self._rows, self._n_threads = rows, machine.n_threads
        self.shape = rows.n_rows, others.n_rows
        self._index = _core.DepthAffinity(*others, model.core_trees)

    def warn_of_pairs(self) -> None:
        """Do not warn: all pairs are compared, as documented."""

    def check_size(self, least: float) -> None:
        """Raise MemoryError if a sparse matrix of all rows would not fit."""
        wanted = 24.0 * self.shape[0] * self.shape[1]
        check_memory(f"affinities of {self.shape[0]} rows", wanted, "kneighbors keeps only the nearest")

    def blocks(self, least: float = 0.0) -> Iterator[tuple[slice, Matrix]]:
        """Yield some rows, and their affinities of at least this much to all others as a sparse matrix."""
        step = max(1, _CELLS // max(1, self.shape[1]))
        for first in range(0, self.shape[0], step):
            last = min(first + step, self.shape[0])
            leaves, bits = self._rows
            start, columns, values = self._index.near(leaves, bits, (first, last), least, self._n_threads)
            yield slice(first, last), sp.csr_matrix((values, columns, start), shape=(last - first, self.shape[1]))

    def nearest(self, k: int, own: Longs) -> tuple[Floats, Longs]:
        """Return the affinities and numbers of the k nearest others; `own` are numbers to leave out, or -1."""
        check_memory(f"{k} neighbors of {self.shape[0]} rows", 24.0 * k * self.shape[0], "fewer neighbors take less")
        return self._index.nearest(self._rows.leaves, self._rows.bits, k, own, self._n_threads)
