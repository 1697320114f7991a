"""Times of any number of calls in little memory: a count for each of 128 intervals per power of two."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

_BITS = 7  # an interval is at most 2^-7 of its times long
_N_INTERVALS = (64 - _BITS) << _BITS


class Histogram:
    """Counts of whole numbers below 2^62, known to within 1 %; the largest is exact."""

    def __init__(self) -> None:
        self.counts = [0] * _N_INTERVALS
        self.largest = 0

    def add(self, number: int) -> None:
        shift = max(0, number.bit_length() - _BITS - 1)
        self.counts[(shift << _BITS) + (number >> shift)] += 1
        self.largest = max(self.largest, number)

    @property
    def n(self) -> int:
        return sum(self.counts)

    def quantile(self, share: float) -> int:
        """Return the end of the interval that holds the quantile."""
        if share >= 1.0:
            return self.largest
        reached = np.cumsum(self.counts)
        index = int(np.searchsorted(reached, share * reached[-1]))
        shift = max(0, (index >> _BITS) - 1)
        return min(self.largest, ((index - (shift << _BITS) + 1) << shift) - 1)


def merged(parts: Iterable[Histogram]) -> Histogram:
    """Return the histogram of all numbers together."""
    whole = Histogram()
    for part in parts:
        whole.counts = [a + b for a, b in zip(whole.counts, part.counts, strict=True)]
        whole.largest = max(whole.largest, part.largest)
    return whole
