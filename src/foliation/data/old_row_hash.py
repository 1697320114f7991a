"""How foliation 0.1.0 recognized training rows. It is here for the model files of that release, and for nothing else.

Its fingerprint reads some of the rows only, and whoever wants to can find other rows with the same numbers.
"""

from __future__ import annotations

import zlib

import numpy as np

from foliation.data.arrays import Array, Hashes

_READ = 1_000_000  # numbers that are read together, and for a fingerprint


def old_fingerprint(X: Array) -> int:
    """Return a number for the rows; of a large X some, spread evenly, stand for all."""
    most = max(256, _READ // max(1, X.shape[1]))
    some = X if len(X) <= most else X[np.linspace(0, len(X) - 1, most).astype(np.int64)]
    return zlib.crc32((np.asarray(some, dtype=np.float64, order="C") + 0.0).tobytes(), len(X))


def old_row_digests(X: Array) -> Hashes:
    """Return a number for each row: a sum over its values."""
    factors = _mixed(np.arange(1, X.shape[1] + 1, dtype=np.uint64)) | np.uint64(1)
    digests = np.empty(len(X), dtype=np.uint64)
    step = max(1, _READ // max(1, X.shape[1]))
    for first in range(0, len(X), step):
        numbers = np.asarray(X[first : first + step], dtype=np.float64, order="C") + 0.0
        digests[first : first + step] = (_mixed(numbers.view(np.uint64)) * factors).sum(axis=1, dtype=np.uint64)
    return digests


def _mixed(x: Hashes) -> Hashes:
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return x ^ (x >> np.uint64(29))
