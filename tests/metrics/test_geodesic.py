"""Geodesic precision and recall against every way of breaking ties, and in all forms of truth."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.neighbors import kneighbors_graph

from foliation import metrics, simulations
from foliation.metrics import geodesic_chance, geodesic_precision, geodesic_recall

Share = Callable[..., np.ndarray]
BOTH = pytest.mark.parametrize("measure", [geodesic_precision, geodesic_recall])
LABELS = np.array([2, 0, 0, 2, 0, 7, 2, 0])


def random_distances(seed: int, n: int, most: float) -> np.ndarray:
    """Draw distances of 0, 1, ... below `most`, with many ties; most = inf gives none."""
    drawn = np.random.default_rng(seed).random((n, n))
    return drawn if most == math.inf else np.floor(drawn * most)


def gaps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(a[:, None] - b))


def nearest_sets(distances: np.ndarray, i: int, k: int) -> list[set[int]]:
    """All sets of k points, i itself apart, of which no point outside is nearer than one inside."""
    others = [j for j in range(len(distances)) if j != i]
    return [
        set(inside)
        for inside in combinations(others, k)
        if all(distances[i, a] <= distances[i, b] for a in inside for b in others if b not in inside)
    ]


def mean_overlap(relevant: list[set[int]], retrieved: list[set[int]]) -> float:
    return float(np.mean([len(a & b) for a in relevant for b in retrieved]))


# Every way of breaking ties


@pytest.mark.parametrize("most", [1, 2, 3, 5, math.inf])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_continuous_truth_by_enumeration(most: float, k: int) -> None:
    for seed in range(4):
        true, found = random_distances(seed, 6, most), random_distances(seed + 100, 6, 3)
        expected = [mean_overlap(nearest_sets(true, i, k), nearest_sets(found, i, k)) / k for i in range(6)]
        np.testing.assert_allclose(geodesic_precision(true, found, k), expected, rtol=1e-12)
        np.testing.assert_allclose(geodesic_recall(true, found, k), expected, rtol=1e-12)


@pytest.mark.parametrize("most", [1, 3, math.inf])
@pytest.mark.parametrize("k", [1, 3, 6, 7])
def test_components_by_enumeration(most: float, k: int) -> None:
    found = random_distances(5, 8, most)
    hits, relevant = np.zeros(8), np.zeros(8)
    for i in range(8):
        component = {j for j in range(8) if j != i and LABELS[j] == LABELS[i]}
        hits[i], relevant[i] = mean_overlap([component], nearest_sets(found, i, k)), len(component)
    np.testing.assert_allclose(geodesic_precision(LABELS, found, k), hits / k, rtol=1e-12)
    expected = np.where(relevant > 0, hits / np.maximum(relevant, 1), 1.0)
    np.testing.assert_allclose(geodesic_recall(LABELS, found, k), expected, rtol=1e-12)


def test_the_only_point_of_a_component() -> None:
    found = random_distances(0, 8, math.inf)
    assert geodesic_precision(LABELS, found, 3)[5] == 0
    assert geodesic_recall(LABELS, found, 3)[5] == 1


def test_one_component_for_all() -> None:
    found = random_distances(0, 8, math.inf)
    assert (geodesic_precision(["a"] * 8, found, 3) == 1).all()
    np.testing.assert_allclose(geodesic_recall(["a"] * 8, found, 3), 3 / 7)
    assert (geodesic_chance(["a"] * 8, 3) == 1).all()


# Answers whose value is known


@BOTH
def test_perfect_and_reversed_answers(measure: Share) -> None:
    true = random_distances(1, 40, math.inf)
    assert (measure(true, true**3, [1, 7, 39]) == 1).all()
    assert (measure(true, -true, [1, 7, 19]) == 0).all()  # the farthest 19 of 39 are none of the nearest 19
    assert (measure(true, -true, 39) == 1).all()


def test_perfect_and_reversed_components() -> None:
    labels = np.repeat([0, 1], 10)
    found = np.where(labels[:, None] == labels, 0.0, 1.0) + random_distances(2, 20, math.inf) / 2
    assert (geodesic_precision(labels, found, [3, 9]) == 1).all()
    np.testing.assert_allclose(geodesic_recall(labels, found, [3, 9]), np.tile([3 / 9, 1], (20, 1)))
    assert (geodesic_precision(labels, -found, [3, 10]) == 0).all()
    assert (geodesic_recall(labels, -found, [3, 10]) == 0).all()


def test_euclidean_distances_are_right_on_a_line_and_on_a_sphere() -> None:
    for drawn in (simulations.line(200), simulations.sphere(200, random_state=0)):
        assert (geodesic_precision(drawn.distances, cdist(drawn.points, drawn.points), 20) == 1).all()


def test_guessing_has_the_value_of_chance() -> None:
    equal = np.ones((8, 8))
    for true in (random_distances(3, 8, math.inf), random_distances(3, 8, 3), LABELS):
        expected = geodesic_chance(true, [1, 4, 7])
        np.testing.assert_allclose(geodesic_precision(true, equal, [1, 4, 7]), expected, rtol=1e-12)
        assert geodesic_chance(true, 4).tolist() == expected[:, 1].tolist()
    np.testing.assert_allclose(geodesic_chance(random_distances(3, 8, 3), 4), 4 / 7)
    np.testing.assert_allclose(geodesic_chance(LABELS, 4), (np.array([3, 4, 4, 3, 4, 1, 3, 4]) - 1) / 7)
    np.testing.assert_allclose(geodesic_recall(LABELS, equal, 4)[LABELS != 7], 4 / 7)


def test_chance_on_the_mixture() -> None:
    drawn = simulations.gaussian_mixture(1000, random_state=0)
    assert abs(geodesic_chance(drawn.latent, 50).mean() - 0.34) < 0.02


# Forms


@BOTH
def test_curves_equal_single_calls(measure: Share) -> None:
    found = random_distances(4, 30, 4)
    for true in (random_distances(5, 30, 5), np.arange(30) % 4):
        for ks in ([5, 1, 29, 5], range(1, 30), np.array([2, 3])):
            curve = measure(true, found, ks)
            assert curve.shape == (30, len(ks))
            for column, k in zip(curve.T, ks, strict=True):
                assert measure(true, found, k).shape == (30,)
                np.testing.assert_array_equal(measure(true, found, k), column)


@BOTH
@pytest.mark.parametrize("block", [1, 70, 2**18])
def test_order_and_blocks_of_rows_do_not_matter(measure: Share, block: int) -> None:
    true, found = random_distances(6, 30, 4), random_distances(7, 30, 4)
    order = np.random.default_rng(0).permutation(30)
    labels = np.arange(30) % 4
    with mock.patch.object(metrics.geodesic, "_BLOCK", block):
        values = measure(true[np.ix_(order, order)], found[np.ix_(order, order)], [3, 8])
        of_labels = measure(labels[order], found[np.ix_(order, order)], [3, 8])
    np.testing.assert_array_equal(values, measure(true, found, [3, 8])[order])
    np.testing.assert_array_equal(of_labels, measure(labels, found, [3, 8])[order])


@BOTH
def test_self_is_left_out(measure: Share) -> None:
    true, found = random_distances(8, 12, 4), random_distances(9, 12, 4)
    expected = measure(true, found, [1, 5])
    for diagonal in (0.0, 99.0, math.inf, math.nan):
        np.fill_diagonal(true, diagonal)
        np.fill_diagonal(found, diagonal)
        np.testing.assert_array_equal(measure(true, found, [1, 5]), expected)


@BOTH
@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_array])
def test_sparse_distances(measure: Share, form: Any) -> None:
    """What is stored counts, zeros too; everything else is infinitely far, so that k may pass what is stored."""
    dense = random_distances(10, 15, 3)
    stored = np.random.default_rng(1).random((15, 15)) < 0.3
    rows, columns = np.nonzero(stored)
    sparse = form((dense[stored], (rows, columns)), shape=(15, 15))
    assert sparse.nnz == stored.sum()
    before = sparse.toarray()
    filled = np.where(stored, dense, math.inf)
    for true in (random_distances(11, 15, math.inf), np.arange(15) % 3):
        np.testing.assert_array_equal(measure(true, sparse, [1, 4, 14]), measure(true, filled, [1, 4, 14]))
    np.testing.assert_array_equal(measure(sparse, dense, [1, 4]), measure(filled, dense, [1, 4]))
    np.testing.assert_array_equal(sparse.toarray(), before)


@BOTH
def test_sparse_rows_in_any_order_and_doubled(measure: Share) -> None:
    true, columns = gaps(np.array([0.0, 5.0, 1.0, 3.0]), np.array([0.0, 5.0, 1.0, 3.0])), [2, 1, 1, 3, 0]
    doubled = sp.csr_array((np.array([1.0, 0.6, 0.6, 3.0, 4.0]), columns, [0, 4, 5, 5, 5]), shape=(4, 4))
    dense = np.full((4, 4), math.inf)
    dense[0, 1:], dense[1, 0] = [1.2, 1.0, 3.0], 4.0
    np.testing.assert_array_equal(measure(true, doubled, [1, 2]), measure(true, dense, [1, 2]))
    assert doubled.nnz == 5, "what was given stays as it was"


def test_a_graph_of_neighbors_finds_what_its_distances_find() -> None:
    drawn = simulations.sphere(60, noise_dimensions=2, random_state=1)
    graph = kneighbors_graph(drawn.points, 10, mode="distance")
    expected = geodesic_precision(drawn.distances, cdist(drawn.points, drawn.points), [5, 10])
    np.testing.assert_array_equal(geodesic_precision(drawn.distances, graph, [5, 10]), expected)


@BOTH
def test_coordinates_with_a_geodesic(measure: Share) -> None:
    rng = np.random.default_rng(2)
    angles, places, found = rng.random(20) * 2 * math.pi, rng.random((20, 20)), random_distances(13, 20, 5)

    def around(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        apart = gaps(a, b) % (2 * math.pi)
        return np.minimum(apart, 2 * math.pi - apart)

    with mock.patch.object(metrics.geodesic, "_BLOCK", 65):
        for true, geodesic in ((angles, around), (angles.tolist(), around), (places[:, :3], cdist), (places, cdist)):
            there = np.asarray(true)
            expected = measure(geodesic(there, there), found, [2, 6])
            np.testing.assert_array_equal(measure(true, found, [2, 6], geodesic=geodesic), expected)


@BOTH
def test_labels_of_any_kind(measure: Share) -> None:
    found = random_distances(14, 8, 3)
    expected = measure(LABELS, found, [2, 5])
    names = [f"component {label}" for label in LABELS]
    for labels in (LABELS.tolist(), LABELS.astype(np.uint8), names, np.array(names), np.array(names, dtype=object)):
        np.testing.assert_array_equal(measure(labels, found, [2, 5]), expected)
    for labels in (pd.Series(names), pd.Series(names, dtype="category"), pd.Series(LABELS, index=range(8, 16))):
        np.testing.assert_array_equal(measure(labels, found, [2, 5]), expected)


@BOTH
def test_points_out_of_reach_are_other_components(measure: Share) -> None:
    found = random_distances(15, 8, 3)
    apart = np.where(LABELS[:, None] == LABELS, random_distances(16, 8, math.inf), math.inf)
    np.testing.assert_array_equal(measure(apart, found, [2, 5]), measure(LABELS, found, [2, 5]))
    np.testing.assert_array_equal(geodesic_chance(apart, [2, 5]), geodesic_chance(LABELS, [2, 5]))


def test_mixture_by_labels_and_by_distances() -> None:
    drawn = simulations.gaussian_mixture(150, random_state=1)
    found = cdist(drawn.points, drawn.points)
    by_labels = geodesic_precision(drawn.latent, found, [10, 40])
    np.testing.assert_array_equal(geodesic_precision(drawn.distances, found, [10, 40]), by_labels)
    assert (by_labels.mean(axis=0) > 0.9).all()


@BOTH
def test_types_of_distances(measure: Share) -> None:
    true, found = random_distances(17, 9, 5), random_distances(18, 9, 5)
    expected = measure(true, found, [1, 4])
    for kind in (np.float32, np.int64, np.uint8):
        np.testing.assert_array_equal(measure(true.astype(kind), found.astype(kind), [1, 4]), expected)
    np.testing.assert_array_equal(measure(true.tolist(), pd.DataFrame(found), [1, 4]), expected)
    np.testing.assert_array_equal(measure(np.asfortranarray(true), found, [1, 4]), expected)
