"""Files of rows: all kinds are read alike, and what their targets are decides the forest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_diabetes, load_digits
from typer.testing import CliRunner

import foliation as fo
from foliation.cli import data
from foliation.cli.app import app

FEW = ("--n-estimators", "10")
HEAD = "@problemName waves\n@timestamps false\n@univariate true\n@equalLength true\n"


def run(*arguments: Any, code: int = 0) -> str:
    found = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})
    assert found.exit_code == code, found.output
    return found.output


def test_fit_reads_all_kinds_of_files(tmp_path: Path) -> None:
    digits = load_digits()
    X, y = digits.data[:200], digits.target[:200]
    np.savez(tmp_path / "a.npz", X=X, y=y)
    np.save(tmp_path / "b.npy", np.column_stack([X, y]))
    columns = {f"c{k}": X[:, k] for k in range(64)}
    pl.DataFrame({**columns, "digit": y}).write_parquet(tmp_path / "c.parquet")
    pl.DataFrame({**columns, "digit": y}).write_csv(tmp_path / "d.csv")
    lines = [
        ":".join((*(",".join(map(str, line)) for line in row), str(label)))
        for row, label in zip(X.reshape(-1, 8, 8), y, strict=True)
    ]
    (tmp_path / "e.ts").write_text(
        "#a comment\n@problemName digits\n@classLabel true 0 1 2\n@data\n" + "\n".join(lines)
    )
    wanted = fo.ForestClassifier(10, projections="axis", random_state=0).fit(X, y).predict_proba(X)
    for name, target in (("a.npz", "y"), ("b.npy", "64"), ("c.parquet", "digit"), ("d.csv", "digit"), ("e.ts", None)):
        given = () if target is None else ("--target", target)
        run("fit", tmp_path / name, "-o", tmp_path / "m.fol", "--projections", "axis", *given, *FEW)
        found = fo.load(tmp_path / "m.fol")
        rows = X.reshape(-1, *found.row_shape_)
        rows = pl.DataFrame(rows, schema=list(columns)) if hasattr(found, "feature_names_in_") else rows
        np.testing.assert_array_equal(found.predict_proba(rows), wanted)


def test_the_target_decides_the_kind_of_forest(tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True)
    np.savez(tmp_path / "numbers.npz", X=X, y=y + 0.5)
    np.savez(tmp_path / "none.npz", X=X)
    run("fit", tmp_path / "numbers.npz", "-o", tmp_path / "m.fol", *FEW)
    assert isinstance(fo.load(tmp_path / "m.fol"), fo.ForestRegressor)
    np.savez(tmp_path / "whole.npz", X=X, y=y.astype(int))
    run("fit", tmp_path / "whole.npz", "-o", tmp_path / "m.fol", *FEW)
    assert isinstance(fo.load(tmp_path / "m.fol"), fo.ForestRegressor)
    np.savez(tmp_path / "few.npz", X=X[:30], y=np.arange(30) % 7)
    run("fit", tmp_path / "few.npz", "-o", tmp_path / "m.fol", *FEW)
    assert isinstance(fo.load(tmp_path / "m.fol"), fo.ForestClassifier)
    run("fit", tmp_path / "none.npz", "-o", tmp_path / "m.fol", *FEW)
    assert isinstance(fo.load(tmp_path / "m.fol"), fo.GeodesicForest)
    run("fit", tmp_path / "numbers.npz", "-o", tmp_path / "m.fol", "--kind", "geodesic", *FEW)
    assert isinstance(fo.load(tmp_path / "m.fol"), fo.GeodesicForest)


def test_series_have_labels_numbers_or_neither(tmp_path: Path) -> None:
    path = tmp_path / "waves.ts"
    path.write_text(f"{HEAD}@classLabel true up down\n@data\n1,2,3:up\n3,2,1: down\n")
    found = data.read(path)
    assert found.X.shape == (2, 1, 3) and found.y is not None and found.y.tolist() == ["up", "down"]
    path.write_text(f"{HEAD}@targetLabel true\n@data\n1,2,3:0.5\n3,2,1:7\n")
    found = data.read(path)
    assert found.y is not None and found.y.tolist() == [0.5, 7.0]
    path.write_text(f"{HEAD}@classLabel false\n@data\n1,2,3:4,5,6\n3,2,1:6,5,4\n")
    found = data.read(path)
    assert found.X.shape == (2, 2, 3) and found.y is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{HEAD}@data\n1,?,3\n", "line 6: a value is missing"),
        (f"{HEAD}@data\n", "no series"),
        ("@timestamps true\n@data\n(0,1),(1,2)\n", "times beside its values"),
        (f"{HEAD}@targetLabel true\n@data\n1,2:up\n", "a target that is no number"),
    ],
)
def test_series_that_no_grid_can_hold_are_refused(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "waves.ts"
    path.write_text(text)
    with pytest.raises(data.DataError, match=complaint):
        data.read(path)


def test_labels_are_known_again_in_another_kind_of_file(tmp_path: Path) -> None:
    X, y = np.random.default_rng(0).normal(size=(40, 1, 6)), np.arange(40) % 2
    X[y == 1] += 3
    np.savez(tmp_path / "train.npz", X=X, y=y)
    lines = [f"{','.join(map(str, row[0]))}:{label}" for row, label in zip(X, y, strict=True)]
    (tmp_path / "test.ts").write_text("@classLabel true 0 1\n@data\n" + "\n".join(lines))
    run("fit", tmp_path / "train.npz", "-o", tmp_path / "m.fol", *FEW)
    assert "40 rows" in run("evaluate", tmp_path / "m.fol", tmp_path / "test.ts")
    run("fit", tmp_path / "test.ts", "-o", tmp_path / "m.fol", *FEW)
    assert "40 rows" in run("evaluate", tmp_path / "m.fol", tmp_path / "train.npz")
