"""Weights of the cells of a box, its default sizes, and what an atom keeps of it."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import pytest
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
from scipy.stats import kstest

from foliation import Patches

STEP = 2.0**-20  # weights are multiples of it, so that sums of them are exact
SIGNS = list(product([-1.0, 1.0], repeat=2))


def without_zeros(*weights: float) -> Atom:
    return tuple((feature, weight) for feature, weight in enumerate(weights) if weight != 0)


def bump(size: int) -> NDArray[np.float64]:
    middle, deviation = (size - 1) / 2, size / 4
    return np.asarray(np.exp(-0.5 * ((np.arange(size) - middle) / deviation) ** 2))


def test_signs_of_a_box_are_all_equally_likely() -> None:
    exact = uniform_on(((at, a), (at + 1, b)) for at in range(3) for a, b in SIGNS)
    family = Patches(min_size=2, max_size=2, border="inside", weights="signs")
    assert_frequencies(atoms_of(family, (4,), 40000), exact)


def test_signs_of_a_contrast_move_with_the_box() -> None:
    to_the_right = [without_zeros(a, b - a, -b) for a, b in SIGNS]
    to_the_left = [without_zeros(-a, a - b, b) for a, b in SIGNS]
    family = Patches(min_size=2, max_size=2, border="inside", weights="signs", contrast=1.0)
    assert_frequencies(atoms_of(family, (3,), 40000), uniform_on(to_the_right + to_the_left))


def test_uniform_weights_fill_the_unit_interval() -> None:
    found = atoms_of(Patches(min_size=3, max_size=3, wrap=True, weights="uniform"), (9,), 20000)
    weights = np.array([weights_of(atom) for atom in found])
    assert weights.min() > 0
    assert weights.max() <= 1
    assert kstest(weights.ravel(), "uniform").pvalue > 1e-4
    assert_mean(weights, 1 / 2, 1 / 12)
    assert_mean((weights - 1 / 2) ** 2, 1 / 12, 1 / 180)


def test_uniform_weights_of_one_box_are_independent() -> None:
    found = atoms_of(Patches(min_size=3, max_size=3, border="inside", weights="uniform"), (3,), 20000)
    between = np.corrcoef(np.array([weights_of(atom) for atom in found]).T)[np.triu_indices(3, 1)]
    assert (np.abs(between) < 4 / sqrt(len(found))).all()


@pytest.mark.parametrize("wrap", [False, True])
def test_both_boxes_of_a_contrast_carry_the_same_weights(wrap: bool) -> None:
    family = Patches(min_size=2, max_size=2, border="inside", wrap=wrap, weights="uniform", contrast=1.0)
    apart = 0
    for atom in atoms_of(family, (20,), 5000):
        weights = np.array(weights_of(atom))
        assert weights.sum() == 0
        if len(atom) == 4 and ids_of(atom)[-1] - ids_of(atom)[0] <= 4:  # apart, and not across the seam
            assert weights[0] == -weights[2]
            assert weights[1] == -weights[3]
            apart += 1
    assert apart > 2000


@pytest.mark.parametrize("size", [1, 2, 4, 5])
def test_gaussian_weights_are_a_bump_with_its_top_in_the_middle(size: int) -> None:
    family = Patches(min_size=size, max_size=size, border="inside", weights="gaussian")
    (atom,) = set(atoms_of(family, (size,), 100))
    weights = np.array(weights_of(atom))
    np.testing.assert_allclose(weights, bump(size), atol=STEP / 2)
    np.testing.assert_array_equal(weights, weights[::-1])
    assert weights[size // 2] == weights.max()


def test_gaussian_weights_multiply_over_contiguous_axes_only() -> None:
    shape = (2, 3, 4)
    family = Patches(min_size=shape, max_size=shape, contiguous=(False, True, True), weights="gaussian")
    (atom,) = set(atoms_of(family.set_params(border="inside"), shape, 100))
    expected = np.broadcast_to(np.outer(bump(3), bump(4)), shape)
    np.testing.assert_allclose(weights_of(atom), expected.ravel(), atol=STEP / 2)


def test_a_bump_is_cut_off_at_the_border() -> None:
    lengths = set()
    for atom in atoms_of(Patches(min_size=5, max_size=5, weights="gaussian"), (8,), 2000):
        kept = slice(5 - len(atom), 5) if ids_of(atom)[0] == 0 else slice(0, len(atom))
        np.testing.assert_allclose(weights_of(atom), bump(5)[kept], atol=STEP / 2)
        lengths.add(len(atom))
    assert lengths == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("weights", ["signs", "uniform", "gaussian"])
def test_no_weighted_atom_is_empty(weights: str) -> None:
    assert () not in atoms_of(Patches(max_size=3, weights=weights, contrast=0.9), (3, 3), 10000)


@pytest.mark.parametrize(
    ("side", "min_size", "largest"),
    [(1, 1, 1), (2, 1, 2), (3, 1, 2), (6, 1, 2), (7, 1, 3), (12, 1, 3), (13, 1, 4), (16, 6, 6), (49, 3, 7)],
)
def test_boxes_reach_up_to_the_root_of_the_side_by_default(side: int, min_size: int, largest: int) -> None:
    found = atoms_of(Patches(min_size=min_size, border="inside"), (side,), 2000)
    assert {len(atom) for atom in found} == set(range(min_size, largest + 1))


def test_default_sizes_are_worked_out_for_each_axis() -> None:
    found = atoms_of(Patches(border="inside"), (4, 25), 2000)
    spans = [np.ptp(np.unravel_index(ids_of(atom), (4, 25)), axis=1) + 1 for atom in found]
    assert np.max(spans, axis=0).tolist() == [2, 5]


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("contrast", [0.0, 0.5])
@pytest.mark.parametrize("weights", ["ones", "signs", "uniform", "gaussian"])
def test_a_large_box_takes_no_more_memory_than_a_small_one(weights: str, contrast: float, wrap: bool) -> None:
    def lengths(size: int) -> set[int]:
        family = Patches(min_size=size, max_size=size, wrap=wrap, contrast=contrast, weights=weights)
        return {len(words) for words in words_of(dictionary_of(family, (30, 40)), 1, 100)}

    assert lengths(1) == lengths(30)
    assert len(lengths(30)) == 1
    assert max(lengths(30)) <= 8


def test_only_the_chosen_positions_of_an_axis_without_order_are_kept() -> None:
    family = Patches(min_size=(3, 20), max_size=(3, 20), contiguous=(False, True))
    found = words_of(dictionary_of(family, (6, 40)), 1, 100)
    assert {len(words) for words in found} == {(1 + 3) + 2}
