"""Files of rows: all kinds are read alike, and for a forest as it knows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_digits

import foliation as fo
from foliation.cli.data import Dataset, read, read_for, with_types_of
from foliation.cli.errors import CommandError


def test_all_kinds_of_files_hold_the_same(tmp_path: Path) -> None:
    digits = load_digits()
    X, y = digits.data[:50], digits.target[:50]
    np.savez(tmp_path / "a.npz", X=X, y=y)
    np.save(tmp_path / "b.npy", np.column_stack([X, y]))
    frame = pl.DataFrame({**{f"c{k}": X[:, k] for k in range(64)}, "digit": y})
    frame.write_parquet(tmp_path / "c.parquet")
    frame.write_csv(tmp_path / "d.csv")
    lines = [
        ":".join((*(",".join(map(str, line)) for line in row), str(label)))
        for row, label in zip(X.reshape(-1, 8, 8), y, strict=True)
    ]
    (tmp_path / "e.ts").write_text("@classLabel true 0 1 2\n@data\n" + "\n".join(lines))
    for name, target in (("a.npz", "y"), ("b.npy", "64"), ("c.parquet", "digit"), ("d.csv", "digit"), ("e.ts", None)):
        dataset = read(tmp_path / name, target)
        np.testing.assert_array_equal(dataset.X.reshape(50, 64), X)
        assert dataset.y is not None and dataset.y.astype(int).tolist() == y.tolist()


@pytest.mark.parametrize(
    ("name", "target", "message"),
    [
        ("nowhere.npz", None, "cannot read .*nowhere.npz: no such file"),
        (".", None, "not a file"),
        ("what.xls", None, r"unknown file type '\.xls'; expected one of \.npz, "),
        ("rows.npz", "labels", "has no array 'labels'; it has X, y"),
        ("rows.npz", "X", "expected rows in an array X; arrays besides the targets: y"),
        ("rows.npy", "7", r"invalid --target 7: expected the number of a column .* shape \(3, 2\)"),
        ("line.npy", None, "expected an array of at least two dimensions"),
        ("text.npy", None, "rows have dtype <U1; expected numbers"),
        ("short.npz", None, "it has 3 rows and 2 targets"),
        ("gaps.npz", None, "1 missing targets, the first in row 1; drop these rows"),
        ("waves.ts", "y", "--target y: .* names its own targets"),
        ("cut.npz", None, "cannot read .*cut.npz"),
        ("objects.npy", None, "it holds objects, or is damaged"),
        ("empty.npy", None, "cannot read .*empty.npy"),
    ],
)
def test_files_that_cannot_be_used_are_refused(name: str, target: str | None, message: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "rows.npz", X=np.zeros((3, 2)), y=np.arange(3))
    np.savez(tmp_path / "short.npz", X=np.zeros((3, 2)), y=np.arange(2))
    np.savez(tmp_path / "gaps.npz", X=np.zeros((3, 2)), y=[1.0, np.nan, 2.0])
    np.save(tmp_path / "rows.npy", np.zeros((3, 2)))
    np.save(tmp_path / "line.npy", np.zeros(3))
    np.save(tmp_path / "text.npy", np.array([["a"], ["b"]]))
    np.save(tmp_path / "objects.npy", np.array([[None]], dtype=object))
    for empty in ("what.xls", "empty.npy"):
        (tmp_path / empty).write_text("")
    (tmp_path / "waves.ts").write_text("@classLabel true a\n@data\n1,2:a\n")
    (tmp_path / "cut.npz").write_bytes(b"PK\x03\x04junk")
    with pytest.raises(CommandError, match=message):
        read(tmp_path / name, target)


def test_columns_are_left_out_of_tables_only(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.zeros((3, 2)))
    with pytest.raises(CommandError, match="--leave-out id: expected a table"):
        read(tmp_path / "rows.npy", left_out=["id"])


def test_rows_get_the_shape_that_they_fit() -> None:
    dataset = Dataset(np.arange(12).reshape(2, 6))
    assert dataset.reshaped(None) is dataset
    assert dataset.reshaped((2, 3)).X.shape == (2, 2, 3)
    with pytest.raises(CommandError, match="invalid --shape 5x5: the rows have 6 values each"):
        dataset.reshaped((5, 5))


def test_a_table_with_as_many_rows_as_columns_is_not_turned() -> None:
    X = np.arange(9.0).reshape(3, 3)
    frame = Dataset(X, None, ["a", "b", "c"]).frame_or_rows()
    assert isinstance(frame, pl.DataFrame) and frame["b"].to_list() == [1, 4, 7]
    assert Dataset(X).frame_or_rows() is X


def test_rows_are_read_as_the_forest_knows_them(wine: Path, model: Path, tmp_path: Path) -> None:
    forest, frame = fo.load(model), pl.read_csv(wine)
    frame.select(reversed(frame.columns)).with_columns(pl.lit("x").alias("note")).write_csv(tmp_path / "other.csv")
    dataset = read_for(forest, tmp_path / "other.csv", "target")
    np.testing.assert_array_equal(dataset.X, frame.drop("target").to_numpy())
    assert dataset.names == frame.columns[:-1]
    np.savez(tmp_path / "rows.npz", X=frame.drop("target").to_numpy())
    assert read_for(forest, tmp_path / "rows.npz", None).names == frame.columns[:-1]
    np.savez(tmp_path / "few.npz", X=np.zeros((3, 2)))
    with pytest.raises(CommandError, match="rows have 2 values; the model was trained on 13"):
        read_for(forest, tmp_path / "few.npz", None)
    frame.drop("alcohol").write_csv(tmp_path / "less.csv")
    with pytest.raises(CommandError, match="no column 'alcohol', which the forest was trained on"):
        read_for(forest, tmp_path / "less.csv", None)


def test_flat_rows_get_the_shape_of_the_training(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2, 3))
    forest = fo.ForestClassifier(2, random_state=0).fit(X, np.arange(20) % 2)
    np.save(tmp_path / "flat.npy", X.reshape(20, 6))
    np.testing.assert_array_equal(read_for(forest, tmp_path / "flat.npy", None).X, X)


@pytest.mark.parametrize(
    ("classes", "labels", "expected"),
    [
        ([0, 1], ["1", "0", "x"], ["1", "0", "x"]),
        ([0.0, 1.0], ["1", "0"], [1.0, 0.0]),
        (["0", "1"], [1.0, 0.0], ["1", "0"]),
        ([False, True], ["true", "false"], [True, False]),
        ([2, 3], [3, 2], [3, 2]),
    ],
)
def test_labels_are_known_again_in_another_kind_of_file(
    classes: list[object], labels: list[object], expected: list[object]
) -> None:
    assert with_types_of(np.array(classes), np.array(labels)).tolist() == expected
