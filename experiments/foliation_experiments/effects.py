"""Sizes of effects, with intervals by bootstrap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

_DRAWS = 2000
_LEAST = 1e-9  # a standard deviation below which nothing varies


class Effect(NamedTuple):
    """Cohen's d and its 95 % interval; NaN where nothing varies."""

    d: float
    low: float
    high: float

    def __str__(self) -> str:
        return "-" if np.isnan(self.d) else f"{self.d:+.2f} ({self.low:+.2f} to {self.high:+.2f})"


def cohens_d(a: ArrayLike, b: ArrayLike) -> Effect:
    """Return the difference of two means over their pooled standard deviation.

    Pairs are drawn again together; draws in which nothing varies are left out.
    """
    pairs = np.stack([np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)])
    n = pairs.shape[1]
    if n < 2:
        return Effect(np.nan, np.nan, np.nan)
    drawn = np.random.default_rng(0).integers(n, size=(_DRAWS, n))
    again = _pooled(pairs[:, drawn])
    again = again[np.isfinite(again)]
    low, high = np.quantile(again, (0.025, 0.975)) if again.size else (np.nan, np.nan)
    return Effect(float(_pooled(pairs)), float(low), float(high))


def _pooled(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return d of the last axis, for the two entries of the first."""
    means, variances = pairs.mean(axis=-1), pairs.var(axis=-1, ddof=1)
    spread = np.sqrt(variances.mean(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(spread > _LEAST, (means[0] - means[1]) / spread, np.nan))
