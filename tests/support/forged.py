"""Rows with the number that foliation 0.1.0 knew another row by: a line of algebra."""

from __future__ import annotations

from itertools import count

import numpy as np
from numpy.typing import NDArray

_FACTOR, _SIZE = 0x9E3779B97F4A7C15, 1 << 64


def mixed(x: int) -> int:
    x = (x ^ (x >> 32)) * _FACTOR % _SIZE
    return x ^ (x >> 29)


def unmixed(x: int) -> int:
    x ^= (x >> 29) ^ (x >> 58)
    x = x * pow(_FACTOR, -1, _SIZE) % _SIZE
    return x ^ (x >> 32)


def forged(row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return another row with the same sum: its last value is what the others leave to be made up."""
    factors = [mixed(number) | 1 for number in range(1, len(row) + 1)]
    bits = (row + 0.0).view(np.uint64)
    goal = sum(mixed(int(word)) * factor for word, factor in zip(bits, factors, strict=True))
    for number in count(1):
        other = row.copy()
        other[0] = number
        begun = zip(other[:-1].view(np.uint64), factors[:-1], strict=True)
        rest = goal - sum(mixed(int(word)) * factor for word, factor in begun)
        other[-1] = np.uint64(unmixed(rest * pow(factors[-1], -1, _SIZE) % _SIZE)).view(np.float64)
        if 1e-100 < abs(other[-1]) < 1e100:
            return other
    raise AssertionError
