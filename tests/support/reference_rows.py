"""The draws of a tree's rows in NumPy: the bootstrap by weights, subsamples, groups, and the parts of an honest tree.

Nothing comes from the core. A tree's numbers are a function of (seed, tree, purpose), see docs/decisions/0001; what is
drawn by them and what rows then weigh, see 0005 and 0006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Samples = tuple[Ints, Floats]  # rows and their weights

ROWS, NODES, HONESTY = 1, 2, 3  # purposes of draws
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def mix(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _MASK
    return x ^ (x >> 31)


def chain(*parts: int) -> int:
    """Return the key that follows from a key and more parts."""
    key = parts[0]
    for part in parts[1:]:
        key = mix(key ^ mix(part + _GOLDEN & _MASK))
    return key


class Draws:
    """The numbers of a key, one after the other."""

    def __init__(self, key: int) -> None:
        self.key, self.count = key, 0

    def next(self) -> int:
        self.count += 1
        return mix(self.key + _GOLDEN * self.count & _MASK)

    def below(self, n: int) -> int:
        product = self.next() * n
        while product & _MASK < 2**64 % n:  # would favor some numbers
            product = self.next() * n
        return product >> 64

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53

    def subset(self, n: int, count: int) -> Ints:
        """Return so many different numbers below n: by Floyd's method."""
        chosen: set[int] = set()
        for last in range(n - count, n):
            drawn = self.below(last + 1)
            chosen.add(last if drawn in chosen else drawn)
        return np.array(sorted(chosen), dtype=np.int64)


@dataclass
class RowPlan:
    """What the samples of a tree depend on; a unit is a group, or a row where there are no groups."""

    seed: int
    units: Ints  # of each row, numbered from 0
    weights: Floats | None
    n_draws: int
    bootstrap: bool
    grouped: bool = False
    structure_share: float = 1.0
    by_oob: bool = False  # rows out of the bag are the estimation samples
    balanced_classes: NDArray[Any] | None = None  # of each row and output, if each tree balances its own

    def samples(self, tree: int) -> tuple[Samples, Samples]:
        """Return the structure samples and the estimation samples of a tree; the same ones unless it is honest."""
        counts = self._counts(tree)
        by_weight = self._by_weight and self.weights is not None
        w = np.ones(len(counts)) if self.weights is None else self.weights
        drawn = np.flatnonzero((counts > 0) & (w > 0))
        carried = np.ones(len(w)) if by_weight else w
        bag = drawn, counts[drawn] * carried[drawn] * self._balance(drawn, counts)
        rest = np.flatnonzero((counts == 0) & (w > 0))
        if self.by_oob and len(rest):
            return bag, (rest, w[rest] * self._balance(rest, np.ones(len(w))))
        return self._split(bag, tree)

    @property
    def _by_weight(self) -> bool:
        return self.weights is not None and self.bootstrap and not self.grouped and not self.by_oob

    def _counts(self, tree: int) -> Ints:
        """Return how often each row is drawn."""
        draws = Draws(chain(self.seed, tree, ROWS))
        weighted = np.ones(len(self.units), bool) if self.weights is None else self.weights > 0
        eligible = np.unique(self.units[weighted])
        if not self.bootstrap:
            units = eligible[draws.subset(len(eligible), min(self.n_draws, len(eligible)))]
        elif self._by_weight and self.weights is not None:
            ends = np.cumsum(self.weights) / np.cumsum(self.weights)[-1]
            units = np.array([np.searchsorted(ends[:-1], draws.uniform(), "right") for _ in range(self.n_draws)])
        else:
            units = np.array([eligible[draws.below(len(eligible))] for _ in range(self.n_draws)])
        counts = np.bincount(units, minlength=self.units.max() + 1)
        if self.structure_share < 1 and not self.by_oob:
            self._make_two(counts, eligible, draws)
        return counts[self.units]

    @staticmethod
    def _make_two(counts: Ints, eligible: Ints, draws: Draws) -> None:
        """If all draws hit the same unit, move one of them to another: an honest tree needs two."""
        (drawn,) = np.nonzero(counts)
        if len(drawn) != 1 or len(eligible) < 2:
            return
        other = eligible[draws.below(len(eligible) - 1)]
        counts[drawn] = max(int(counts[drawn[0]]) - 1, 1)
        counts[other if other != drawn[0] else eligible[-1]] = 1

    def _balance(self, rows: Ints, counts: NDArray[Any]) -> Floats:
        """Return factors by which all classes of some rows weigh the same, for every output in turn."""
        factors = np.ones(len(rows))
        if self.balanced_classes is None or not len(rows):
            return factors
        for classes in self.balanced_classes[rows].T:
            n_of = np.bincount(classes, weights=counts[rows])
            factors *= counts[rows].sum() / ((n_of > 0).sum() * n_of[classes])
        return factors

    def _split(self, bag: Samples, tree: int) -> tuple[Samples, Samples]:
        """Part the distinct units of a tree at random."""
        rows, w = bag
        units = list(dict.fromkeys(self.units[rows].tolist()))  # in the order of their first rows
        if self.structure_share == 1 or len(units) < 2:
            return bag, bag
        n = min(max(int(self.structure_share * len(units) + 0.5), 1), len(units) - 1)
        chosen = Draws(chain(self.seed, tree, HONESTY)).subset(len(units), n)
        first = np.isin(self.units[rows], np.array(units)[chosen])
        return (rows[first], w[first]), (rows[~first], w[~first])
