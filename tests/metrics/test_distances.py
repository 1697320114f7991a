"""Distances are read from every form that they may have; everything else is refused in one clear line."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from refusals import Table, assert_refused
from scipy.spatial.distance import cdist

from foliation.metrics import geodesic_chance, geodesic_precision, geodesic_recall
from foliation.metrics.distances import Distances, read_matrix, read_truth

Share = Callable[..., np.ndarray]
BOTH = pytest.mark.parametrize("measure", [geodesic_precision, geodesic_recall])
GOOD = np.random.default_rng(0).random((6, 6))
HOLED = np.where(np.arange(36).reshape(6, 6) == 4, math.nan, GOOD)
BAD_TRUTH: Table = [
    (GOOD[:, :5], r"^true has shape \(6, 5\); distances must be a square matrix$"),
    (GOOD[0], r"^true holds one float64 for each point; components must be .* coordinates need geodesic=$"),
    (np.zeros((6, 6, 6)), r"^true has shape \(6, 6, 6\)"),
    (3, r"^true has shape \(\)"),
    (HOLED, r"^true holds NaN; every distance must be a number$"),
    (GOOD + 1j, r"^true has dtype complex128; distances must be real numbers$"),
    (GOOD.astype(str), r"^true has dtype <U\d+; distances must be real numbers$"),
    (["a", None] * 3, r"^true contains NaN or None; every point must belong to a component$"),
    (np.array(["a", math.nan] * 3, dtype=object), r"^true contains NaN or None"),
    (GOOD[:5, :5], r"^found has 6 points and true has 5; they must be the same points$"),
    ([1, 2, 3], r"^found has 6 points and true has 3"),
    (np.zeros((1, 1)), r"^true has 1 points; neighbours need at least 2$"),
]
BAD_FOUND: Table = [
    (GOOD[:, :5], r"^found has shape \(6, 5\); distances must be a square matrix$"),
    (sp.csr_array(GOOD[:4]), r"^found has shape \(4, 6\)"),
    (GOOD[0], r"^found has shape \(6,\)"),
    (HOLED, r"^found holds NaN"),
    (sp.csr_array(HOLED), r"^found holds NaN"),
    (GOOD.astype(object), r"^found has dtype object"),
    (None, r"^found has shape \(\)"),
]
BAD_K: Table = [
    *((k, rf"^k is {k!r}; it must be an integer from 1 to 5$") for k in (0, -1, 6, 2.0, "3", True, None)),
    *(([1, k], rf"^k is {k!r}; it must be an integer from 1 to 5$") for k in (0, 6, 2.5, None)),
    ([], r"^k has shape \(0,\); it must be an integer or a sequence of integers$"),
    ([[1, 2]], r"^k has shape \(1, 2\)"),
]
BAD_GEODESIC: Table = [
    ("euclidean", r"^geodesic is 'euclidean'; it must be a function of two arrays of coordinates$"),
    (np.subtract, r"^geodesic returned shape \(6,\); distances of these points must have \(6, 6\)$"),
    (lambda a, b: np.full((6, 6), math.nan), r"^what geodesic returned holds NaN"),
]


def rows_of(given: Distances) -> np.ndarray:
    """Read all rows, a few at a time."""
    return np.concatenate([given.rows(slice(first, min(first + 4, given.n))) for first in range(0, given.n, 4)])


def test_what_a_sparse_matrix_does_not_store_is_infinitely_far() -> None:
    stored = sp.coo_array(([1.0, 0.0, 2.0, 3.0], ([0, 1, 2, 2], [1, 2, 0, 0])), shape=(3, 3))
    given = read_matrix("found", stored)
    assert (given.name, given.n, given.discrete) == ("found", 3, False)
    far = math.inf
    np.testing.assert_array_equal(rows_of(given), [[far, 1, far], [far, far, 0], [5, far, far]])  # doubles are added
    assert stored.nnz == 4  # and the caller's matrix stays as it is


def test_a_matrix_is_read_as_it_is() -> None:
    np.testing.assert_array_equal(rows_of(read_truth(GOOD, None)), GOOD)


def test_components_are_at_distance_zero_within_and_infinite_between() -> None:
    given = read_truth(["a", "b", "a", "c", "b"], None)
    assert given.discrete
    expected = [[0 if a == b else math.inf for b in "abacb"] for a in "abacb"]
    np.testing.assert_array_equal(rows_of(given), expected)


def test_coordinates_are_compared_by_the_function_given() -> None:
    places = np.random.default_rng(1).normal(size=(10, 2))
    given = read_truth(places, cdist)
    assert not given.discrete
    np.testing.assert_array_equal(rows_of(given), cdist(places, places))


@BOTH
@pytest.mark.parametrize(("true", "pattern"), BAD_TRUTH)
def test_bad_truth(measure: Share, true: Any, pattern: str) -> None:
    assert_refused(lambda: measure(true, GOOD, 2), pattern)


@BOTH
@pytest.mark.parametrize(("found", "pattern"), BAD_FOUND)
def test_bad_found(measure: Share, found: Any, pattern: str) -> None:
    assert_refused(lambda: measure(GOOD, found, 2), pattern)


@BOTH
@pytest.mark.parametrize(("k", "pattern"), BAD_K)
def test_bad_k(measure: Share, k: Any, pattern: str) -> None:
    assert_refused(lambda: measure(GOOD, GOOD, k), pattern)
    assert_refused(lambda: geodesic_chance(GOOD, k), pattern)


@BOTH
@pytest.mark.parametrize(("geodesic", "pattern"), BAD_GEODESIC)
def test_bad_geodesic(measure: Share, geodesic: Any, pattern: str) -> None:
    assert_refused(lambda: measure(GOOD[0], GOOD, 2, geodesic=geodesic), pattern)


@BOTH
def test_bad_coordinates(measure: Share) -> None:
    pattern = r"^true has shape \(6, 1, 1\); coordinates must have shape \(n,\) or \(n, d\)$"
    assert_refused(lambda: measure(np.zeros((6, 1, 1)), GOOD, 2, geodesic=cdist), pattern)
