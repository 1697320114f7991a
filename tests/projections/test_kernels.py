"""Kernels of a bank placed on a grid, and the bank of Gabor kernels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from frequencies import Atom, assert_frequencies, atoms_of, dictionary_of, uniform_on, words_of
from numpy.typing import NDArray

from foliation import Kernels
from foliation.projections.family import Border

Bank = NDArray[np.float64]
BANK_1D = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])
BANK_2D = np.arange(1.0, 13.0).reshape(2, 2, 3)
HOLLOW_1D = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [-3.0, 0.0, 0.5]])
HOLLOW_2D = np.array([[[0.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, -1.0]]])


def starts(side: int, size: int, wrap: bool, border: Border) -> range:
    if wrap:
        return range(side)
    return range(1 - size, side) if border == "pad" else range(side - size + 1)


def placed(kernel: Bank, at: tuple[int, ...], shape: tuple[int, ...], wrap: tuple[bool, ...]) -> Atom:
    """Write a kernel onto a grid of zeros, in the plainest way."""
    grid = np.zeros(shape)
    for cell in np.ndindex(kernel.shape):
        where = tuple(a + c for a, c in zip(at, cell, strict=True))
        where = tuple(x % side if w else x for x, side, w in zip(where, shape, wrap, strict=True))
        if all(0 <= x < side for x, side in zip(where, shape, strict=True)):
            grid[where] += kernel[cell]
    return tuple((int(feature), float(grid.ravel()[feature])) for feature in np.flatnonzero(grid))


def placements(bank: Bank, shape: tuple[int, ...], wrap: tuple[bool, ...], border: Border) -> Iterator[Atom]:
    ranges = [starts(n, size, w, border) for n, size, w in zip(shape, bank.shape[1:], wrap, strict=True)]
    for kernel, at in product(bank, product(*ranges)):
        yield placed(kernel, at, shape, wrap)


@pytest.mark.parametrize("border", ["pad", "inside"])
@pytest.mark.parametrize(
    ("bank", "shape", "wrap"),
    [
        (BANK_1D, (5,), (False,)),
        (BANK_1D, (3,), (False,)),
        (BANK_1D, (5,), (True,)),
        (BANK_1D, (3,), (True,)),
        (BANK_2D, (3, 4), (False, False)),
        (BANK_2D, (3, 4), (False, True)),
        (BANK_2D, (3, 4), (True, True)),
    ],
    ids=["line", "short line", "circle", "short circle", "plane", "cylinder", "torus"],
)
def test_every_placement_is_equally_likely(
    bank: Bank, shape: tuple[int, ...], wrap: tuple[bool, ...], border: Border
) -> None:
    found = atoms_of(Kernels(bank, wrap=wrap, border=border), shape, 20000)
    assert_frequencies(found, uniform_on(placements(bank, shape, wrap, border)))


@pytest.mark.parametrize("border", ["pad", "inside"])
@pytest.mark.parametrize(
    ("bank", "shape", "wrap"),
    [
        (HOLLOW_1D, (4,), (False,)),
        (HOLLOW_1D, (4,), (True,)),
        (HOLLOW_2D, (2, 3), (False, False)),
        (HOLLOW_2D, (2, 3), (False, True)),
    ],
    ids=["line", "circle", "plane", "cylinder"],
)
def test_a_kernel_with_zeros_is_never_placed_with_nothing_on_the_grid(
    bank: Bank, shape: tuple[int, ...], wrap: tuple[bool, ...], border: Border
) -> None:
    exact: dict[Atom, Fraction] = {}
    for number in range(len(bank)):  # each kernel is equally likely, then each place where it weighs anything
        places = [atom for atom in placements(bank[[number]], shape, wrap, border) if atom]
        for atom, p in uniform_on(places).items():
            exact[atom] = exact.get(atom, Fraction(0)) + p / len(bank)
    assert_frequencies(atoms_of(Kernels(bank, wrap=wrap, border=border), shape, 20000), exact)


def test_a_kernel_lies_on_the_features_of_its_own_rows() -> None:
    found = atoms_of(Kernels(np.ones((1, 2, 2)), border="inside"), (3, 3), 2000)
    corners = [0, 1, 3, 4]
    assert set(found) == {tuple((at + step, 1.0) for step in (0, 1, 3, 4)) for at in corners}


def test_a_large_kernel_takes_no_more_memory_than_a_small_one() -> None:
    for size in (1, 9):
        dictionary = dictionary_of(Kernels(np.ones((2, size, size))), (10, 10))
        assert {len(words) for words in words_of(dictionary, 1, 50)} == {3}
