"""Rows compared by the leaves they share; what a comparison takes is checked before it is begun."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from foliation import _core
from foliation.data.arrays import Floats, Hashes, Ints, Longs, Matrix
from foliation.memory import check_memory
from foliation.model.model import Model
from foliation.warn import warn

_PROBES = 64  # rows by which the number of entries is estimated
_MOST_ROWS = 4096  # in a block
_MOST_ENTRIES = 4e6  # in a block, roughly
_ENTRY_BYTES = 12  # a column and a value
_MANY_PAIRS = 5e10  # takes minutes
_PAIRS_PER_SECOND = 2.5e8  # of two threads, roughly


class LeafIds(NamedTuple):
    """Rows that were sent down the trees: their leaves, (trees, n), and in which trees they count."""

    leaves: Ints
    bits: Hashes  # a bit per tree for each row; empty: all rows in all trees

    @property
    def n_rows(self) -> int:
        return int(self.leaves.shape[1])


class LeafCooccurrence:
    """The share of trees in which rows are in the same leaf."""

    def __init__(self, rows: LeafIds, others: LeafIds, model: Model, machine: _core.Machine) -> None:
        self._rows, self._n_threads = rows, machine.n_threads
        self.shape = rows.n_rows, others.n_rows
        self._index = _core.LeafIndex(*others, model.trees.leaf_start, machine.n_threads)

    def warn_of_pairs(self) -> None:
        """Warn if there are so many pairs that counting them takes minutes."""
        n_pairs = self._index.n_pairs(self._rows.leaves, self._rows.bits)
        if n_pairs > _MANY_PAIRS:
            minutes = n_pairs / _PAIRS_PER_SECOND / 60
            warn(
                f"rows share leaves in {n_pairs:.1g} pairs, which take about {minutes:.0f} minutes to count; "
                'rows="oob" counts a seventh of those of a bootstrap, and fewer trees have fewer'
            )

    def entries_per_row(self, least: float) -> float:
        """Return how many others have at least this proximity to a row, estimated from some rows."""
        probes = np.unique(np.linspace(0, self.shape[0] - 1, _PROBES).astype(int))
        return sum(len(self._near((row, row + 1), least)[1]) for row in probes) / len(probes)

    def check_size(self, least: float) -> None:
        """Raise MemoryError if a sparse matrix of all rows would not fit."""
        wanted = 2.0 * _ENTRY_BYTES * self.entries_per_row(least) * self.shape[0]  # blocks, and the whole made of them
        advice = "a larger min_value keeps fewer, kneighbors the nearest"
        check_memory(f"sparse proximities of {self.shape[0]} rows", wanted, advice)

    def blocks(self, least: float = 0.0) -> Iterator[tuple[slice, Matrix]]:
        """Yield some rows, and their proximities of at least this much to all others as a sparse matrix."""
        step = int(np.clip(_MOST_ENTRIES / max(1.0, self.entries_per_row(least)), 1, _MOST_ROWS))
        for first in range(0, self.shape[0], step):
            last = min(first + step, self.shape[0])
            start, columns, values = self._near((first, last), least)
            yield slice(first, last), sp.csr_matrix((values, columns, start), shape=(last - first, self.shape[1]))

    def nearest(self, k: int, own: Longs) -> tuple[Floats, Longs]:
        """Return the proximities and numbers of the k nearest others; `own` are numbers to leave out, or -1."""
        check_memory(f"{k} neighbors of {self.shape[0]} rows", 24.0 * k * self.shape[0], "fewer neighbors take less")
        return self._index.nearest(self._rows.leaves, self._rows.bits, k, own, self._n_threads)

    def _near(self, block: tuple[int, int], least: float) -> tuple[Longs, Ints, Floats]:
        return self._index.near(self._rows.leaves, self._rows.bits, block, least, self._n_threads)
