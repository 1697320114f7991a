"""Neighbourhoods on a graph: balls of hops, and connected parts grown one feature at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from frequencies import (
    Atom,
    assert_frequencies,
    assert_mean,
    atoms_of,
    dictionary_of,
    ids_of,
    uniform_on,
    weights_of,
    words_of,
)
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components, shortest_path

from foliation import Neighborhoods

Graph = NDArray[np.float64]
Part = tuple[int, ...]
N = 20000


def path(n: int) -> Graph:
    return np.eye(n, k=1) + np.eye(n, k=-1)


def graph_of(n: int, *edges: tuple[int, int]) -> Graph:
    graph = np.zeros((n, n))
    for a, b in edges:
        graph[a, b] = graph[b, a] = 1
    return graph


TRIANGLE_WITH_TAIL = graph_of(6, (0, 1), (1, 2), (2, 0), (2, 3), (3, 4))  # feature 5 has no neighbour
RING = graph_of(5, (0, 1), (1, 2), (2, 3), (3, 4), (4, 0))
GRAPHS = {
    "path": path(7),
    "ring": RING,
    "triangle with tail": TRIANGLE_WITH_TAIL,
    "no edges": np.zeros((4, 4)),
}


def ball(graph: Graph, seed: int, hops: int) -> Part:
    return tuple(np.flatnonzero(shortest_path(graph, unweighted=True)[seed] <= hops).tolist())


def grown(graph: Graph, seed: int, size: int) -> dict[Part, Fraction]:
    """Return the exact probabilities of the parts that grow from a feature."""
    parts: dict[Part, Fraction] = {(seed,): Fraction(1)}
    for _ in range(size - 1):
        larger: dict[Part, Fraction] = {}
        for part, p in parts.items():
            around = set(np.flatnonzero(graph[list(part)].any(axis=0)).tolist()) - set(part)
            for feature in around:
                joined = tuple(sorted((*part, feature)))
                larger[joined] = larger.get(joined, Fraction(0)) + p / len(around)
            if not around:
                larger[part] = larger.get(part, Fraction(0)) + p
        parts = larger
    return parts


@pytest.mark.parametrize("hops", [(0, 0), (1, 1), (0, 3), (2, 9)], ids=str)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_balls_of_hops_have_their_exact_frequencies(graph: Graph, hops: tuple[int, int]) -> None:
    seeds, radii = range(len(graph)), range(hops[0], hops[1] + 1)
    exact = uniform_on(ball(graph, seed, k) for seed, k in product(seeds, radii))
    found = atoms_of(Neighborhoods(graph, hops=hops), (len(graph),), N)
    assert_frequencies(map(ids_of, found), exact)
    assert {weight for atom in found for weight in weights_of(atom)} == {1.0}


def test_one_hop_is_the_default() -> None:
    exact = uniform_on([(0, 1), (0, 1, 2), (1, 2, 3), (2, 3)])
    assert_frequencies(map(ids_of, atoms_of(Neighborhoods(path(4)), (4,), N)), exact)


@pytest.mark.parametrize("sizes", [(1, 1), (1, 3), (2, 4), (4, 4)], ids=str)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_grown_parts_have_their_exact_frequencies(graph: Graph, sizes: tuple[int, int]) -> None:
    exact: dict[Part, Fraction] = {}
    choices = list(product(range(len(graph)), range(sizes[0], sizes[1] + 1)))
    for seed, size in choices:
        for part, p in grown(graph, seed, size).items():
            exact[part] = exact.get(part, Fraction(0)) + p / len(choices)
    found = atoms_of(Neighborhoods(graph, size=sizes), (len(graph),), N)
    assert_frequencies(map(ids_of, found), exact)


def test_grown_parts_are_connected_and_their_sizes_uniform() -> None:
    grid = sp.csr_array(sp.kronsum(path(6), path(7)))
    found = [ids_of(atom) for atom in atoms_of(Neighborhoods(grid, size=(2, 8)), (42,), 5000)]
    assert all(connected_components(grid[list(ids)][:, list(ids)])[0] == 1 for ids in found)
    assert_frequencies(map(len, found), uniform_on(range(2, 9)))


@pytest.mark.parametrize("limits", [{"hops": (1, 4)}, {"size": (1, 4)}], ids=str)
def test_without_edges_every_atom_is_one_feature(limits: dict[str, Any]) -> None:
    found = atoms_of(Neighborhoods(np.zeros((6, 6)), **limits), (6,), N)
    assert_frequencies(found, uniform_on(((feature, 1.0),) for feature in range(6)))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_on_a_complete_graph_all_signed_subsets_of_a_size_are_equally_likely(size: int) -> None:
    atoms = atoms_of(Neighborhoods(np.ones((5, 5)), size=(size, size), weights="signs"), (5,), 2 * N)
    signed = product(combinations(range(5), size), product([-1.0, 1.0], repeat=size))
    assert_frequencies(atoms, uniform_on(tuple(zip(ids, signs, strict=True)) for ids, signs in signed))


def test_a_component_below_the_size_is_taken_whole() -> None:
    graph = graph_of(6, (0, 1), (2, 3), (3, 4))
    found = map(ids_of, atoms_of(Neighborhoods(graph, size=(4, 6)), (6,), N))
    assert_frequencies(found, {(0, 1): 2 / 6, (2, 3, 4): 3 / 6, (5,): 1 / 6})


@pytest.mark.parametrize(
    "form",
    [sp.csr_matrix, sp.coo_array, np.triu, lambda graph: 7 * graph - np.eye(6), np.ndarray.tolist],
    ids=["matrix", "coordinates", "one direction", "values and loops", "nested lists"],
)
def test_only_the_pattern_of_the_graph_matters(form: Callable[[Graph], Any]) -> None:
    plain = Neighborhoods(TRIANGLE_WITH_TAIL, size=(1, 4))
    other = Neighborhoods(form(TRIANGLE_WITH_TAIL), size=(1, 4))
    assert atoms_of(other, (6,), 500) == atoms_of(plain, (6,), 500)


def test_stored_zeros_and_repeated_edges_do_not_count() -> None:
    rows, columns, values = [0, 0, 1, 2], [1, 1, 2, 3], [1.0, 1.0, 1.0, 0.0]
    graph = sp.coo_array((values, (rows, columns)), shape=(4, 4))
    other, plain = (Neighborhoods(g, size=(2, 2)) for g in (graph, graph_of(4, (0, 1), (1, 2))))
    assert atoms_of(other, (4,), 500) == atoms_of(plain, (4,), 500)


def test_gaussian_weights_fall_off_with_the_hops() -> None:
    atoms = Counter(atoms_of(Neighborhoods(path(9), hops=(2, 2), weights="gaussian"), (9,), 2000))
    (middle,) = [atom for atom in atoms if ids_of(atom) == (2, 3, 4, 5, 6)]
    np.testing.assert_allclose(weights_of(middle), np.exp([-2.0, -0.5, 0.0, -0.5, -2.0]), atol=2**-21)


@pytest.mark.parametrize(
    ("graph", "size"), [(RING, 5), (RING, 4), (TRIANGLE_WITH_TAIL, 4)], ids=["ring", "open ring", "triangle with tail"]
)
def test_gaussian_weights_of_a_grown_part_take_its_shortest_ways(graph: Graph, size: int) -> None:
    exact: dict[Atom, Fraction] = {}
    for seed in range(len(graph)):
        for part, p in grown(graph, seed, size).items():
            inside = graph[np.ix_(part, part)]
            hops = shortest_path(inside, unweighted=True)[part.index(seed)]
            weights = np.rint(np.exp(-(hops**2) / 2) * 2**20) / 2**20
            atom = tuple(zip(part, weights.tolist(), strict=True))
            exact[atom] = exact.get(atom, Fraction(0)) + p / len(graph)
    assert_frequencies(atoms_of(Neighborhoods(graph, size=(size, size), weights="gaussian"), (len(graph),), N), exact)


def test_gaussian_weights_around_a_ring() -> None:
    near, far = round(np.exp(-0.5) * 2**20) / 2**20, round(np.exp(-2.0) * 2**20) / 2**20
    around = [1.0, near, far, far, near]
    found = atoms_of(Neighborhoods(RING, size=(5, 5), weights="gaussian"), (5,), 2000)
    assert {weights_of(atom) for atom in found} == {tuple(np.roll(around, seed).tolist()) for seed in range(5)}


def test_uniform_weights_lie_between_zero_and_one() -> None:
    atoms = atoms_of(Neighborhoods(RING, hops=(1, 1), weights="uniform"), (5,), N)
    weights = np.array([weights_of(atom) for atom in atoms])
    assert weights.shape == (N, 3)
    assert 0 < weights.min() < weights.max() <= 1
    assert_mean(weights, 1 / 2, 1 / 12)
    assert_mean((weights - 1 / 2) ** 2, 1 / 12, 1 / 180)


def test_a_large_part_takes_no_more_memory_than_a_small_one() -> None:
    for size in (1, 50):
        dictionary = dictionary_of(Neighborhoods(path(60), size=(size, size)), (60,))
        assert {len(words) for words in words_of(dictionary, 1, 20)} == {4}
