"""Rows of a user's own dictionary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from frequencies import (
    Atom,
    assert_frequencies,
    atoms_of,
    feature,
    uniform_on,
)

from foliation import Atoms

N = 20000


MATRIX = np.array([[1.0, 0, 0, 2], [0, -0.5, 0, 0], [0, 0, 3, 4], [1, 1, 1, 1]])

ROWS: list[Atom] = [
    ((0, 1.0), (3, 2.0)),
    ((1, -0.5),),
    ((2, 3.0), (3, 4.0)),
    ((0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)),
]


@pytest.mark.parametrize("p", [[0.1, 0.2, 0.3, 0.4], [0, 0.7, 0.3, 0], [0.05, 0, 0, 0.95]], ids=str)
def test_rows_have_the_frequencies_asked_for(p: list[float]) -> None:
    assert_frequencies(atoms_of(Atoms(MATRIX, p=p), (4,), N), dict(zip(ROWS, p, strict=True)))


@pytest.mark.parametrize("form", [np.array, sp.csr_array, sp.coo_array, sp.csc_matrix, np.ndarray.tolist])
def test_rows_are_equally_likely_by_default_in_any_form(form: Any) -> None:
    assert_frequencies(atoms_of(Atoms(form(MATRIX)), (4,), N), uniform_on(ROWS))


def test_repeated_entries_of_a_row_are_summed_and_the_matrix_is_left_alone() -> None:
    values, columns = np.array([1.0, 2.0, 5.0, -5.0]), np.array([1, 1, 0, 0])
    matrix = sp.csr_array((values, columns, np.array([0, 4])), shape=(1, 3))
    assert set(atoms_of(Atoms(matrix), (3,), 100)) == {feature(1, 3.0)}
    assert matrix.nnz == 4
