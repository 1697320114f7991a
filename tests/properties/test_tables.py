"""Files that the command line reads: what was written is what is read."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from drawn_data import REAL, SEEDS, SHAPES, Array, labels, rows
from hypothesis import given
from hypothesis import strategies as st

from foliation.cli.data import Dataset, read

# What a line of text holds, without spaces at its ends, which are not read
LETTERS = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"])
NAMES = st.text(LETTERS, min_size=1, max_size=8).map(str.strip).filter(bool)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
COLUMNS: st.SearchStrategy[Any] = st.sampled_from([FINITE, st.integers(-(2**40), 2**40)])


def round_trip(name: str, content: bytes, **options: Any) -> Dataset:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return read(path, **options)


def written(array_or_arrays: Array | dict[str, Array]) -> bytes:
    file = io.BytesIO()
    if isinstance(array_or_arrays, dict):
        np.savez(file, **array_or_arrays)  # type: ignore[arg-type]
    else:
        np.save(file, array_or_arrays)
    return file.getvalue()


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Tables of numbers, with any names."""
    n = draw(st.integers(1, 8))
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    kinds = [draw(COLUMNS) for _ in names]
    values = [draw(st.lists(kind, min_size=n, max_size=n)) for kind in kinds]
    types = [pl.Float64 if kind is FINITE else pl.Int64 for kind in kinds]
    return pl.DataFrame({name: pl.Series(v, dtype=t) for name, v, t in zip(names, values, types, strict=True)})


@given(table=tables(), separator=st.sampled_from(",;\t"), kind=st.sampled_from(["csv", "parquet"]))
def test_tables_of_numbers(table: pl.DataFrame, separator: str, kind: str) -> None:
    file = io.BytesIO()
    if kind == "csv":
        table.write_csv(file, separator=separator)
    else:
        table.write_parquet(file)
    found = round_trip(f"table.{kind}", file.getvalue())
    assert found.names == table.columns
    expected = np.column_stack([table[name].to_numpy() for name in table.columns])
    np.testing.assert_array_equal(found.X, expected)
    assert found.y is None


@given(table=tables(), kind=st.sampled_from(["csv", "parquet"]), data=st.data())
def test_targets_of_tables(table: pl.DataFrame, kind: str, data: st.DataObject) -> None:
    name = data.draw(NAMES.filter(lambda name: name not in table.columns))
    texts = st.text(st.characters(categories=["L"]), min_size=1).filter(lambda text: text not in ("NA", "NaN", "nan"))
    labels = data.draw(st.lists(texts.map(lambda text: "a" + text), min_size=len(table), max_size=len(table)))
    whole = table.with_columns(pl.Series(name, labels, dtype=pl.String))
    file = io.BytesIO()
    if kind == "csv":
        whole.write_csv(file)
    else:
        whole.write_parquet(file)
    found = round_trip(f"table.{kind}", file.getvalue(), target=name)
    assert found.names == table.columns
    assert found.y is not None and found.y.tolist() == labels


@given(shape=SHAPES, n=st.integers(1, 9), data=st.data())
def test_arrays(shape: tuple[int, ...], n: int, data: st.DataObject) -> None:
    X, y = data.draw(rows(n, shape, exact=False)), data.draw(labels(n).filter(lambda y: y.dtype.kind != "O"))
    both = round_trip("arrays.npz", written({"X": X, "y": y}))
    alone = round_trip("array.npy", written(X))
    for found in (both.X, alone.X):
        assert found.dtype == X.dtype
        np.testing.assert_array_equal(found, X)
    np.testing.assert_array_equal(both.y, y)
    assert alone.y is None


@given(
    shape=st.tuples(st.integers(1, 3), st.integers(1, 6)), n=st.integers(1, 6), numbers=st.booleans(), data=st.data()
)
def test_series(shape: tuple[int, int], n: int, numbers: bool, data: st.DataObject) -> None:
    X = data.draw(rows(n, shape, exact=False, dtypes=REAL[:1]))
    word = st.text(st.characters(exclude_categories=["Z", "C"], exclude_characters=":#@"), min_size=1)
    y = data.draw(st.lists(FINITE if numbers else word, min_size=n, max_size=n))
    lines = [
        ":".join([*(",".join(map(repr, channel)) for channel in row), str(label)])
        for row, label in zip(X.tolist(), y, strict=True)
    ]
    head = "@timestamps false\n" + ("@targetLabel true\n" if numbers else "@classLabel true a b\n")
    found = round_trip("series.ts", f"{head}@data\n".encode() + "\n".join(lines).encode())
    np.testing.assert_array_equal(found.X, X)
    assert found.y is not None and found.y.tolist() == y


@given(seed=SEEDS)
def test_a_column_of_an_array_is_its_target(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(5, 3))
    column = seed % 3
    found = round_trip("array.npy", written(X), target=str(column))
    np.testing.assert_array_equal(found.X, np.delete(X, column, axis=1))
    np.testing.assert_array_equal(found.y, X[:, column])
