"""X in the form of the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from refusals import X, Y, assert_refused, classifier

import foliation as fo
from foliation.data.rows import Grid, fingerprint, native, read_rows, row_hashes


def spoiled(row: int, column: int, value: float, dtype: Any = np.float64) -> NDArray[Any]:
    rows = X.astype(dtype)
    rows[row, column] = value
    return rows


def test_the_first_bad_column_is_named_whichever_row_comes_first() -> None:
    rows = spoiled(2, 3, np.nan)
    rows[5, 1] = np.inf
    assert_refused(lambda: classifier().fit(rows, Y), r"first in column 1;")


@pytest.mark.parametrize(
    ("X", "weights", "pattern"),
    [
        (np.array([[2**60], [2**60 + 1]]), None, "integers beyond 2\\^53"),
        (np.full((2, 1), 1e-300), None, "size 1e-300"),
        (np.full((2, 1), 1e295), None, "size 1e\\+295"),
        (np.ones((2, 1)), [1e308, 1.0], "sample_weight has 1e\\+308"),
        (np.ones((2, 1)), [1e-200, 0.0], "sample_weight has 1e-200"),
        (pd.DataFrame({"age": [1.0, 2.0], "height": [1.0, np.nan]}), None, "first in column height"),
    ],
)
def test_numbers_that_cannot_be_told_apart(X: Any, weights: Any, pattern: str) -> None:
    with pytest.raises(ValueError, match=pattern):
        fo.ForestClassifier(2).fit(X, [0, 1], sample_weight=weights)


def test_fields_of_a_packed_record() -> None:
    records = np.zeros(30, dtype=np.dtype([("flag", "u1"), ("x", "f8", (2,))]))
    records["x"] = np.random.default_rng(0).normal(size=(30, 2))
    y = records["x"][:, 0] > 0
    a = fo.ForestClassifier(3, random_state=0).fit(records["x"], y)
    b = fo.ForestClassifier(3, random_state=0).fit(records["x"].copy(), y)
    np.testing.assert_array_equal(a.predict_proba(records["x"]), b.predict_proba(records["x"].copy()))


# ---- number types ----


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("bool", "uint8"),
        ("uint8", "uint8"),
        ("int8", "int16"),
        ("int16", "int16"),
        ("uint16", "int32"),
        ("int32", "int32"),
        ("uint32", "float64"),
        ("int64", "float64"),
        ("float16", "float32"),
        ("float32", "float32"),
        (">f4", "float32"),
        ("float64", "float64"),
    ],
)
def test_numbers_keep_the_narrowest_type_of_the_core(given: str, kept: str) -> None:
    values = np.array([[0, 1], [1, 0]]).astype(given)
    held = native(values)
    assert held.dtype == kept and held.dtype.isnative
    np.testing.assert_array_equal(held, values)


def test_plain_rows_are_not_copied() -> None:
    rows, _ = read_rows(X, Y, "test")
    assert np.shares_memory(rows.values, X)
    images = np.asarray(X.reshape(20, 2, 3))
    rows, _ = read_rows(images, Y, "test")
    assert np.shares_memory(rows.values, images) and rows.grid == Grid((2, 3), flat=False)


# ---- fingerprints ----

FORMS: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "reversed": lambda rows: np.ascontiguousarray(rows[::-1])[::-1],
    "int32": lambda rows: rows.astype(np.int32),
    "float32": lambda rows: rows.astype(np.float32),
    "minus zero": lambda rows: np.where(rows == 0, -0.0, rows),
}


@pytest.mark.parametrize("form", FORMS)
def test_equal_values_have_one_fingerprint_in_any_layout(form: str) -> None:
    rows = np.random.default_rng(0).integers(-3, 4, size=(40, 5)).astype(float)
    other = FORMS[form](rows)
    assert fingerprint(other) == fingerprint(rows)
    np.testing.assert_array_equal(row_hashes(other), row_hashes(rows))


def test_other_rows_have_other_fingerprints() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 5))
    changed, swapped = rows.copy(), rows.copy()
    changed[17, 3] = np.nextafter(changed[17, 3], 9)
    swapped[[1, 2]] = swapped[[2, 1]]
    assert len({fingerprint(each) for each in (rows, changed, swapped, rows[:39])}) == 4
    assert len(np.unique(row_hashes(rows))) == 40
    assert row_hashes(changed)[17] != row_hashes(rows)[17]
    assert row_hashes(rows[:, ::-1].copy())[0] != row_hashes(rows)[0]
