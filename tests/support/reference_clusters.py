"""The criteria of geodesic forests in NumPy: two clusters of projected values, and the cut between them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CLUSTERS = ("two_means", "two_means_raw", "fast_bic", "fast_bic_raw", "mclust_bic")
SOME = 256  # rows by which large nodes are cut
TIE = 1e-10  # of the weight: cuts that gain as much but for this are as good, and the first is taken


class Sides(NamedTuple):
    """What each side of a cut needs: rows and weight."""

    rows: int
    weight: float


def some_rows(n: int, numbers: list[int]) -> NDArray[np.int64]:
    """Return one row of each of 256 parts of n rows that follow each other."""
    starts = [i * n // SOME for i in range(SOME + 1)]
    return np.array([a + (u * (b - a) >> 64) for a, b, u in zip(starts[:-1], starts[1:], numbers, strict=True)])


def best_cut(criterion: str, floor: float, values: Floats, w: Floats, least: Sides) -> tuple[float, float] | None:
    """Return the threshold and the gain of the best cut of one projection."""
    order = np.argsort(values, kind="stable")
    x, w = values[order], w[order]
    z = (x - np.average(x, weights=w)) / np.sqrt(variance(x, w))
    cuts = [i for i in range(1, len(x)) if x[i - 1] < x[i] and is_legal(i, w, least)]
    if not cuts:
        return None
    means = criterion.startswith("two_means") or criterion == "mclust_bic"
    gains = np.array([explained(z, w, i) if means else bic_gain(z, w, i, floor) for i in cuts])
    at = int(np.flatnonzero(gains >= gains.max() - TIE * w.sum())[0])
    threshold, gain = float(midpoints(x[cuts[at] - 1], x[cuts[at]])), float(gains[at])
    if criterion == "mclust_bic":
        pair, gain = best_mixture(z, w, cuts[at], floor)
        between = np.average(x, weights=w) + np.sqrt(variance(x, w)) * crossing(pair)
        n_left = int((x <= between).sum())
        moves = not np.isnan(between) and cuts[0] <= n_left and is_legal(n_left, w, least)
        return (float(between) if moves else threshold), gain
    if criterion == "two_means_raw":
        return threshold, -w.sum() * np.log(max(w.sum() - gain, 1e-12) * variance(x, w))
    if criterion == "fast_bic_raw":
        return threshold, gain - w.sum() * (np.log(2 * np.pi * variance(x, w)) + 1) - 2 * np.log(w.sum())
    return threshold, gain


def midpoints(low: Any, high: Any) -> Floats:
    """Return numbers at least as large as the lower ones and below the higher: in the middle, if rounding allows."""
    middle = 0.5 * low + 0.5 * high
    return np.asarray(np.where(middle < high, middle, low))


def cluster_level(criterion: str, n: float) -> float:
    """Return what a projection with clusters gains at least; raw scores do not tell."""
    return {"two_means": 0.75 * n, "fast_bic": -3 * float(np.log(n)), "mclust_bic": 0.05 * n}.get(criterion, -np.inf)


def is_legal(i: int, w: Floats, least: Sides) -> bool:
    return min(i, len(w) - i) >= max(1, least.rows) and min(w[:i].sum(), w[i:].sum()) >= least.weight


def variance(x: Floats, w: Floats) -> float:
    return float(np.average((x - np.average(x, weights=w)) ** 2, weights=w))


def explained(z: Floats, w: Floats, i: int) -> float:
    """Return the sum of squares between both sides."""
    return sum(float(v.sum() * np.average(s, weights=v) ** 2) for s, v in ((z[:i], w[:i]), (z[i:], w[i:])))


def bic_gain(z: Floats, w: Floats, i: int, floor: float) -> float:
    """Return the BIC of one Gaussian minus that of two, one on each side: equation (9) of the paper."""
    n = w.sum()
    sides = [(z[:i], w[:i]), (z[i:], w[i:])]
    own = [max(variance(s, v), floor) for s, v in sides]
    pooled = max(sum(v.sum() * variance(s, v) for s, v in sides) / n, floor)
    bics = []
    for variances, n_parameters in ((own, 5), ([pooled, pooled], 4)):
        log_likelihood = 0.0
        for (_, v), sigma2 in zip(sides, variances, strict=True):
            n_j = v.sum()
            log_likelihood += n_j * np.log(n_j / n) - n_j / 2 * np.log(2 * np.pi * sigma2) - n_j / 2
        bics.append(-2 * log_likelihood + n_parameters * np.log(n))
    one = n * np.log(2 * np.pi) + n + 2 * np.log(n)  # z has a variance of one
    return float(one - min(bics))


class Pair(NamedTuple):
    """Two Gaussians: shares, means and variances."""

    share: Floats
    mean: Floats
    variance: Floats

    def log_densities(self, x: Any) -> Floats:
        squares = (np.asarray(x)[..., None] - self.mean) ** 2 / self.variance
        return np.asarray(np.log(self.share) - 0.5 * np.log(2 * np.pi * self.variance) - 0.5 * squares)


def best_mixture(z: Floats, w: Floats, i: int, floor: float) -> tuple[Pair, float]:
    """Return the mixture with two variances or one that has the smaller BIC, and what it gains over one Gaussian."""
    n = w.sum()
    found = []
    for one_variance, n_parameters in ((False, 5), (True, 4)):
        pair = expectation_maximisation(z, w, i, floor, one_variance)
        log_likelihood = (w * np.logaddexp(*pair.log_densities(z).T)).sum()
        gain = n * np.log(2 * np.pi) + n + 2 * log_likelihood + (2 - n_parameters) * np.log(n)
        found.append((pair, float(gain)))
    return max(found, key=lambda one: one[1])


def expectation_maximisation(z: Floats, w: Floats, i: int, floor: float, one_variance: bool) -> Pair:
    def maximise(first: Floats) -> Pair:
        belongs = np.stack([first, 1 - first]) * w
        weight = belongs.sum(axis=1)
        mean = belongs @ z / weight
        around = np.array([(b * (z - m) ** 2).sum() for b, m in zip(belongs, mean, strict=True)])
        own = np.full(2, around.sum() / w.sum()) if one_variance else around / weight
        return Pair(weight / w.sum(), mean, np.maximum(own, floor))

    pair = maximise((np.arange(len(z)) < i).astype(float))
    for _ in range(50):
        a, b = pair.log_densities(z).T
        before, pair = pair, maximise(1 / (1 + np.exp(np.clip(b - a, -700, 700))))
        if not pair.share.min() > 1e-6:
            return before
        if np.abs(pair.mean - before.mean).max() < 1e-4:
            break
    return pair


def crossing(pair: Pair) -> float:
    """Return where both are equally likely, between their means; NaN if nowhere there."""

    def ahead(x: float) -> float:
        a, b = pair.log_densities(x)
        return float(a - b)

    low, high = (float(m) for m in pair.mean)
    if not (ahead(low) > 0 and ahead(high) < 0):
        return float("nan")
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if ahead(middle) > 0 else (low, middle)
    return low
