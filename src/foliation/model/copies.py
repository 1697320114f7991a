"""Training rows that are copies of others: predicted out of the bag, they are not new to the trees."""

from __future__ import annotations

import numpy as np

from foliation.data.arrays import Array, Bools, Hashes, Longs
from foliation.model.model import Model
from foliation.warn import warn

_FEW = 0.05  # a share of copies; it takes half a percent from the coverage of a 90 % interval at the most


def warn_of_copies(model: Model) -> None:
    """Warn if rows out of the bag are copies of rows in the bag; nothing is said where digests are not known."""
    digests, sampling = model.training.cached.get("hashes"), model.sampling
    if digests is None:
        return
    rows = np.flatnonzero(sampling.has_weight)
    groups = sampling.groups[rows] if len(sampling.groups) else np.arange(len(rows))
    n_copies = count_copies(digests[rows], model.targets.y[rows], groups)
    if n_copies > _FEW * len(rows):
        warn(
            f"{n_copies:,} of {len(rows):,} training rows equal others in all features and targets. Trees that did not "
            "draw a row may know it by its copies: out-of-bag scores are too good, intervals and standard errors too "
            "small. Fit with groups, which keep the copies of a row together"
        )


def count_copies(digests: Hashes, y: Array, groups: Array) -> int:
    """Return the number of rows that equal rows of other groups in features and targets.

    It is 0 if most rows with equal features have different targets: then these features have few values, and rows
    that are new repeat those of the training sample just so.
    """
    _, cells, sizes = np.unique(digests, return_inverse=True, return_counts=True)
    repeated = np.flatnonzero(sizes[cells] > 1)
    if not len(repeated):
        return 0
    cells = rows = cells[repeated]
    for column in y[repeated].T:
        rows = _joined(rows, np.unique(column, return_inverse=True)[1])
    if _in_several(cells, rows).mean() > 0.5:
        return 0
    return int(_in_several(rows, np.unique(groups[repeated], return_inverse=True)[1]).sum())


def _joined(a: Longs, b: Longs) -> Longs:
    """Return the numbers of the distinct pairs."""
    return np.unique(a * (b.max() + 1) + b, return_inverse=True)[1]


def _in_several(owners: Longs, parts: Longs) -> Bools:
    """Return for each entry whether those of the same owner have different parts."""
    first = np.unique(_joined(owners, parts), return_index=True)[1]
    return np.asarray(np.bincount(owners[first])[owners] > 1)
