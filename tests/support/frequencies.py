"""Draw atoms, and compare how often each turns up with its exact probability."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, poisson

from foliation import _core
from foliation.data.rows import Grid, Shape
from foliation.projections import Projections, family

Words = NDArray[np.int32]
Atom = tuple[tuple[int, float], ...]  # (feature, weight), features ascending
Outcome = TypeVar("Outcome", bound=Hashable)

PER_KEY = 100
LEAST_P = 1e-4  # the draws are fixed, so that a test passes always or never


def dictionary_of(projections: Projections, shape: Shape) -> _core.Dictionary:
    grid = Grid(shape, flat=False)
    return family.dictionary_of(projections, grid, projections.views_on(grid))


def words_of(dictionary: _core.Dictionary, key: int, count: int) -> list[Words]:
    """Return the atoms of one node, as stored."""
    start, words = dictionary.draw(key, count)
    return [words[a:b] for a, b in pairwise(start.tolist()) if b > a]


def written_out(dictionary: _core.Dictionary, words: Words) -> Atom:
    ids, weights = dictionary.expand(words)
    return tuple(zip(ids.tolist(), weights.tolist(), strict=True))


def node_of(projections: Projections, shape: Shape, key: int, count: int) -> list[Atom]:
    """Return the atoms of one node, written out."""
    dictionary = dictionary_of(projections, shape)
    return [written_out(dictionary, words) for words in words_of(dictionary, key, count)]


def atoms_of(projections: Projections, shape: Shape, n: int, first_key: int = 0) -> list[Atom]:
    """Return n atoms, a hundred from each of many nodes."""
    dictionary = dictionary_of(projections, shape)
    keys = range(first_key, first_key + n // PER_KEY)
    return [written_out(dictionary, words) for key in keys for words in words_of(dictionary, key, PER_KEY)]


def feature(number: int, weight: float = 1.0) -> Atom:
    """Return the atom of a single feature."""
    return ((number, weight),)


def ids_of(atom: Atom) -> tuple[int, ...]:
    return tuple(feature for feature, _ in atom)


def weights_of(atom: Atom) -> tuple[float, ...]:
    return tuple(weight for _, weight in atom)


def uniform_on(outcomes: Iterable[Outcome]) -> dict[Outcome, Fraction]:
    """Return equal probabilities; an outcome that is listed twice has twice the probability."""
    counts = Counter(outcomes)
    return {outcome: Fraction(count, counts.total()) for outcome, count in counts.items()}


def count_probabilities(rate: float, p: int) -> dict[int, float]:
    """Return the exact probabilities of max(1, Poisson(rate)), at most p."""
    if p == 1:
        return {1: 1.0}
    inner = {k: float(poisson.pmf(k, rate)) for k in range(2, p)}
    return {1: float(poisson.cdf(1, rate)), **inner, p: float(poisson.sf(p - 1, rate))}


def assert_frequencies(found: Iterable[Hashable], exact: Mapping[Any, Fraction | float]) -> None:
    """Chi-square test of counts against exact probabilities; what has none must not turn up."""
    counts = Counter(found)
    assert math.isclose(math.fsum(float(p) for p in exact.values()), 1.0, abs_tol=1e-9)
    assert all(exact.get(outcome, 0) > 0 for outcome in counts), "an impossible outcome turned up"
    cells: list[tuple[float, int]] = [(0.0, 0)]
    for outcome, p in sorted(exact.items(), key=lambda item: item[1]):
        expected, observed = counts.total() * float(p), counts[outcome]
        if cells[-1][0] < 5:  # rare outcomes are counted together
            expected, observed = expected + cells[-1][0], observed + cells[-1][1]
            cells.pop()
        cells.append((expected, observed))
    statistic = sum((observed - expected) ** 2 / expected for expected, observed in cells)
    assert len(cells) == 1 or chi2.sf(statistic, len(cells) - 1) > LEAST_P


def assert_mean(values: NDArray[np.float64], mean: float, variance: float) -> None:
    """Assert that independent values average to their mean, within four standard errors."""
    assert abs(values.mean() - mean) < 4 * math.sqrt(variance / values.size)
