"""X in the form of the core."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
import siphash
from numpy.typing import NDArray
from refusals import X, Y, assert_refused, classifier

import foliation as fo
from foliation._core import Isa, Machine, newest_isa
from foliation.data.rows import Grid, fingerprint_of, native, read_rows, row_digests


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


# ---- recognizing rows ----

FORMS: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every other row": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    "every other column": lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
    "rows from the end": lambda rows: np.ascontiguousarray(rows[::-1])[::-1],
    "columns from the end": lambda rows: np.ascontiguousarray(rows[:, ::-1])[:, ::-1],
    "other byte order": lambda rows: rows.astype(rows.dtype.newbyteorder("S")),
}
TYPES = ["bool", "uint8", "int8", "int16", "uint16", "int32", "int64", "float16", "float32", "float64"]
SHAPES = [(1, 1), (1, 70), (33, 1), (40, 5), (17, 130)]


def digests_of(rows: NDArray[Any], n_threads: int = 1) -> NDArray[np.uint64]:
    return row_digests(native(rows), Machine(n_threads))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_digests_are_siphash_whatever_the_type_and_layout(shape: tuple[int, int], dtype: str, form: str) -> None:
    rows = np.random.default_rng(0).integers(0, 100, size=shape).astype(dtype)
    np.testing.assert_array_equal(digests_of(FORMS[form](rows)), siphash.row_digests(rows))


def test_digests_of_fractions_and_signs() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 7))
    rows[3, 2], rows[5] = 5e-324, 0.0
    np.testing.assert_array_equal(digests_of(rows), siphash.row_digests(rows))
    np.testing.assert_array_equal(digests_of(rows.astype(np.float32)), siphash.row_digests(rows.astype(np.float32)))
    np.testing.assert_array_equal(digests_of(np.where(rows == 0, -0.0, rows)), digests_of(rows))


@pytest.mark.parametrize("isa", range(newest_isa().value + 1))
@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_digests_are_the_same_for_any_threads_and_instructions(
    isa: int, n_threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.random.default_rng(0).normal(size=(13_000, 3))
    monkeypatch.setenv("FOLIATION_ISA", Isa(isa).name)
    np.testing.assert_array_equal(digests_of(rows, n_threads), siphash.row_digests(rows))


def test_other_rows_have_other_digests_and_fingerprints() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 5))
    changed, swapped = rows.copy(), rows.copy()
    changed[17, 3] = np.nextafter(changed[17, 3], 9)
    swapped[[1, 2]] = swapped[[2, 1]]
    assert len({fingerprint_of(digests_of(each), 5) for each in (rows, changed, swapped, rows[:39])}) == 4
    assert len(np.unique(digests_of(rows))) == 40
    assert np.flatnonzero(digests_of(changed) != digests_of(rows)).tolist() == [17]
    assert not (digests_of(rows[:, ::-1]) == digests_of(rows)).any()


def test_rows_of_another_width_have_another_fingerprint() -> None:
    digests = digests_of(np.ones((3, 2)))
    assert fingerprint_of(digests, 2) != fingerprint_of(digests, 3)


def test_digests_of_partitions_are_those_of_the_whole() -> None:
    rows = np.random.default_rng(0).normal(size=(9_001, 3)).astype(np.float32)
    cuts = (0, 1, 4_099, 8_000, 9_001)
    parts = [digests_of(rows[a:b], 2) for a, b in pairwise(cuts)]
    np.testing.assert_array_equal(np.concatenate(parts), digests_of(rows))
    assert fingerprint_of(np.concatenate(parts), 3) == fingerprint_of(digests_of(rows), 3)
