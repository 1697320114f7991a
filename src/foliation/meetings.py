"""Rows against rows by the leaves they share: the core's index, with what it would take said before it is taken."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from foliation import _core, memory

Bits = NDArray[np.uint64]  # a bit per tree for each row; empty: all rows in all trees

_PROBES = 64  # rows by which the number of entries is estimated
_MOST_ROWS = 4096  # in a block
_MOST_ENTRIES = 4e6  # in a block, roughly
_ENTRY_BYTES = 12  # a column and a value
_MANY_PAIRS = 5e10  # takes minutes
_PAIRS_PER_SECOND = 2.5e8  # of two threads, roughly


class Arrivals(NamedTuple):
    """Rows that have been sent down the trees: their leaves, (trees, n), and in which trees they count."""

    leaves: NDArray[np.int32]
    bits: Bits

    @property
    def n_rows(self) -> int:
        return int(self.leaves.shape[1])


class Meetings:
    """How often rows meet others in leaves."""

    def __init__(self, rows: Arrivals, others: Arrivals, leaf_start: NDArray[np.int64], n_threads: int) -> None:
        self._rows, self._n_threads = rows, n_threads
        self.shape = rows.n_rows, others.n_rows
        self._index = _core.LeafIndex(others.leaves, others.bits, leaf_start, n_threads)

    def warn_of_pairs(self) -> None:
        """Say so if there are so many pairs that counting them takes minutes."""
        n_pairs = self._index.n_pairs(*self._rows)
        if n_pairs > _MANY_PAIRS:
            minutes = n_pairs / _PAIRS_PER_SECOND / 60
            warnings.warn(
                f"rows share leaves in {n_pairs:.1g} pairs, which take about {minutes:.0f} minutes to count; "
                'rows="oob" counts a seventh of those of a bootstrap, and fewer trees have fewer',
                stacklevel=4,
            )

    def entries_per_row(self, least: float) -> float:
        """Return how many others a row meets with at least this proximity, by some rows."""
        probes = np.unique(np.linspace(0, self.shape[0] - 1, _PROBES).astype(int))
        return sum(len(self._near((row, row + 1), least)[1]) for row in probes) / len(probes)

    def check_size(self, least: float) -> None:
        """Refuse a sparse matrix of all rows that would not fit."""
        wanted = 2.0 * _ENTRY_BYTES * self.entries_per_row(least) * self.shape[0]  # blocks, and the whole made of them
        advice = "a larger min_value keeps fewer, kneighbors the nearest"
        memory.check(f"sparse proximities of {self.shape[0]} rows", wanted, advice)

    def blocks(self, least: float = 0.0) -> Iterator[tuple[slice, Any]]:
        """Yield some rows, and their proximities of at least this much to all others as a sparse matrix."""
        step = int(np.clip(_MOST_ENTRIES / max(1.0, self.entries_per_row(least)), 1, _MOST_ROWS))
        for first in range(0, self.shape[0], step):
            last = min(first + step, self.shape[0])
            start, columns, values = self._near((first, last), least)
            yield slice(first, last), sp.csr_matrix((values, columns, start), shape=(last - first, self.shape[1]))

    def nearest(self, k: int, own: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the proximities and numbers of the k nearest others; `own` are numbers to leave out, or -1."""
        memory.check(f"{k} neighbours of {self.shape[0]} rows", 24.0 * k * self.shape[0], "fewer neighbours take less")
        return self._index.nearest(*self._rows, k, own, self._n_threads)

    def _near(
        self, block: tuple[int, int], least: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        return self._index.near(*self._rows, block, least, self._n_threads)
