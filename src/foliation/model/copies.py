"""Training rows that repeat others: predicted out of the bag, they are not new to the trees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from foliation.data.arrays import Array, Bools, Hashes, Longs

_FEW = 0.05  # a share of copies; it takes half a percent from the coverage of a 90 % interval at the most
_FAR = 5.0  # times as many equal pairs as chance would make


def count_copies(digests: Hashes, X: Array, y: Array, groups: Array, rows: Longs) -> int:
    """Return how many of some rows of X have the features of a row of another group; 0 for a few.

    It is 0 as well if chance may explain them: features of few values repeat, in rows that are new just as in these.
    """
    cells = np.unique(digests, return_inverse=True)[1]
    n_copies = int(_in_several(cells, np.unique(groups, return_inverse=True)[1]).sum())
    if n_copies <= _FEW * len(digests):
        return 0
    equal_too = _joined_all(cells, y[rows])  # in their targets
    far = far_from_chance(_n_pairs(cells), columns_of(rows, X))
    return n_copies if far or far_from_chance(_n_pairs(equal_too), columns_of(rows, X, y)) else 0


def far_from_chance(n_pairs: float, columns: Iterable[Array]) -> bool:
    """Return whether many more pairs of rows are equal than if half of the columns were independent of each other.

    Two entries of a column are equal with the probability s, the sum of its values' squared shares. The product of the
    square roots of all s is large enough for tables whose columns depend on each other in pairs.
    """
    if n_pairs == 0:
        return False
    log_chance = 0.0
    for column in columns:
        counts = np.unique(column, return_counts=True)[1]
        n_rows = len(column)
        log_chance += 0.5 * math.log(float((counts / n_rows) @ (counts / n_rows)))
        if math.log(n_pairs) > math.log(_FAR * n_rows * (n_rows - 1) / 2) + log_chance:
            return True
    return False


def columns_of(rows: Longs, *tables: Array) -> Iterator[Array]:
    """Yield the columns of some rows of several tables."""
    return (column[rows] for table in tables for column in table.T)


def _n_pairs(owners: Longs) -> float:
    sizes = np.bincount(owners).astype(np.float64)
    return float((sizes * (sizes - 1)).sum() / 2)


def _joined_all(owners: Longs, columns: Array) -> Longs:
    for column in columns.T:
        owners = _joined(owners, np.unique(column, return_inverse=True)[1])
    return owners


def _joined(a: Longs, b: Longs) -> Longs:
    """Return the numbers of the distinct pairs."""
    return np.unique(a * (b.max() + 1) + b, return_inverse=True)[1]


def _in_several(owners: Longs, parts: Longs) -> Bools:
    """Return for each entry whether those of the same owner have different parts."""
    first = np.unique(_joined(owners, parts), return_index=True)[1]
    return np.asarray(np.bincount(owners[first])[owners] > 1)
