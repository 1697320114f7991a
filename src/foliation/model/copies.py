"""Training rows that repeat others: predicted out of the bag, they may not be new to the trees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from foliation.data.arrays import Array, Bools, Hashes, Longs
from foliation.model.model import Model
from foliation.warn import warn

_FEW = 0.05  # a share of copies; it takes half a percent from the coverage of a 90 % interval at the most
_LEAST_CELLS = 20  # distinct rows by which multiplicities can be judged
_FAR = 5.0  # times as many equal pairs as chance would make


def warn_of_copies(model: Model) -> None:
    """Warn if many training rows repeat others and chance does not explain it.

    Features of few values repeat in new rows just as in these.
    """
    digests, sampling = model.training.cached.get("hashes"), model.sampling
    if digests is None:
        return
    some = np.flatnonzero(sampling.has_weight)
    groups = sampling.groups[some] if len(sampling.groups) else np.arange(len(some))
    n_copies = count_copies(digests[some], groups)
    if n_copies > _FEW * len(some) and not _is_chance(model, some, digests[some]):
        warn(
            f"{n_copies:,} of {len(some):,} training rows equal others in all features. If they are copies of the same "
            "observations, trees that did not draw a row may have drawn its copies: out-of-bag scores are then too "
            "good, intervals and standard errors too small. Fit with groups, which keep the copies of a row together"
        )


def count_copies(digests: Hashes, groups: Array) -> int:
    """Return how many rows have the features of a row of another group."""
    owners = np.unique(digests, return_inverse=True)[1]
    return int(_in_several(owners, np.unique(groups, return_inverse=True)[1]).sum())


def _is_chance(model: Model, some: Longs, digests: Hashes) -> bool:
    rows, owners = model.training.rows, np.unique(digests, return_inverse=True)[1]
    if are_regular(np.bincount(owners)):
        return False
    if rows is None:  # in forests from files
        return True
    equal_too = _joined_all(owners, model.targets.y[some])  # in their targets
    return not (
        far_from_chance(_n_pairs(owners), columns_of(some, rows))
        or far_from_chance(_n_pairs(equal_too), columns_of(some, rows, model.targets.y))
    )


def are_regular(multiplicities: Longs) -> bool:
    """Return whether most distinct rows occur equally often, and more than once.

    Independent draws of rows from any distribution would give a third of them the same multiplicity at the most.
    """
    counts = np.bincount(multiplicities, minlength=3)[2:]
    return len(multiplicities) >= _LEAST_CELLS and bool(2 * counts.max() > len(multiplicities))


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
