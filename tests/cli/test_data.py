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
from foliation.cli.errors import DataError

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
        rows = X.reshape(-1, *found.model_.grid.shape)
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
    with pytest.raises(DataError, match=complaint):
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


@pytest.fixture
def digits(tmp_path: Path) -> Path:
    bunch = load_digits()
    path = tmp_path / "digits.csv"
    columns = {f"c{k}": bunch.data[:300, k] for k in range(64)}
    pl.DataFrame({**columns, "digit": bunch.target[:300]}).write_csv(path)
    return path


def test_columns_of_rows_with_a_shape_are_found_by_name(digits: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.fol"
    run("fit", digits, "-o", model, "--target", "digit", "--shape", "8x8", *FEW)
    assert fo.load(model).model_.grid.shape == (8, 8)
    frame = pl.read_csv(digits)
    other = tmp_path / "other.csv"
    frame.select(reversed(frame.columns)).with_columns(pl.lit("x").alias("note")).write_csv(other)
    run("predict", model, digits, "-o", tmp_path / "a.npz")
    run("predict", model, other, "-o", tmp_path / "b.npz")
    found = [np.load(tmp_path / name)["prediction"].tolist() for name in ("a.npz", "b.npz")]
    assert found[0] == found[1] == fo.load(model).predict(frame.drop("digit")).tolist()
    np.savez(tmp_path / "rows.npz", X=load_digits().images[:300])
    run("predict", model, tmp_path / "rows.npz", "-o", tmp_path / "c.npz")
    assert np.load(tmp_path / "c.npz")["prediction"].tolist() == found[0]


def test_columns_that_hold_no_numbers_are_left_out_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "t.CSV"
    path.write_text("id; name;size; kind\n" + "".join(f"{k};n{k};{k % 7};{'ab'[k % 2]}\n" for k in range(40)))
    said = run("fit", path, "-o", tmp_path / "m.fol", "--target", "kind", "--leave-out", "id", *FEW)
    assert "Note: columns without numbers are left out: name." in said
    assert fo.load(tmp_path / "m.fol").feature_names_in_.tolist() == ["size"]


def test_labels_of_any_letters_come_back(tmp_path: Path) -> None:
    labels = ["[red]x[/red]", 'a, "b"\nc', "[/]", "größe"]
    frame = pl.DataFrame({"[bold]": np.arange(80) % 4, "y": [labels[k % 4] for k in range(80)]})
    frame.write_csv(tmp_path / "[1].csv")
    said = run("fit", tmp_path / "[1].csv", "-o", tmp_path / "m.fol", "--target", "y", "--test-size", "0.2", *FEW)
    assert "[red]x[/red]" in said and "[bold]" in said
    run("evaluate", tmp_path / "m.fol", tmp_path / "[1].csv", "--target", "y", "-o", tmp_path / "s.csv")
    scores = pl.read_csv(tmp_path / "s.csv")
    assert f"true {labels[1]} predicted {labels[1]}" in scores["score"].to_list()
    run("predict", tmp_path / "m.fol", tmp_path / "[1].csv", "-o", tmp_path / "p.npz")
    assert set(np.load(tmp_path / "p.npz")["prediction"]) == set(labels)


def test_a_table_with_as_many_rows_as_columns_is_not_turned(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(30, 30))
    pl.DataFrame({**{f"c{k}": X[:, k] for k in range(30)}, "t": X[:, 0] > 0}).write_parquet(tmp_path / "square.parquet")
    run("fit", tmp_path / "square.parquet", "-o", tmp_path / "m.fol", "--target", "t", *FEW)
    run("predict", tmp_path / "m.fol", tmp_path / "square.parquet", "-o", tmp_path / "p.npz")
    expected = fo.ForestClassifier(10, random_state=0).fit(X, X[:, 0] > 0).predict_proba(X)[:, 1]
    np.testing.assert_array_equal(np.load(tmp_path / "p.npz")["probability of True"], expected)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["01", "02"], ["01", "02"]),
        (["1", "2"], [1, 2]),
        (["1.5", "-2e3"], [1.5, -2000.0]),
        (["true", "False"], [True, False]),
        (["a", "1"], ["a", "1"]),
    ],
)
def test_targets_are_what_they_are_written_as(texts: list[str], expected: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"a, b; c","y"\n' + "".join(f'{k},"{text}"\n' for k, text in enumerate(texts)))
    found = data.read(path, "y")
    assert found.y is not None and found.y.tolist() == expected
    assert [type(one) for one in found.y.tolist()] == [type(one) for one in expected]
    assert found.names == ["a, b; c"]


def test_decimals_and_gaps_of_parquet_are_numbers(tmp_path: Path) -> None:
    columns = {"d": pl.Series(["1.5", "2.5"]).cast(pl.Decimal(10, 2)), "b": [True, None], "i": [1, 2]}
    pl.DataFrame({**columns, "y": columns["d"]}).write_parquet(tmp_path / "t.parquet")
    found = data.read(tmp_path / "t.parquet", "y")
    np.testing.assert_array_equal(found.X, [[1.5, 1, 1], [2.5, np.nan, 2]])
    assert found.y is not None and found.y.tolist() == [1.5, 2.5]


def test_what_a_command_reads_it_does_not_write_over(digits: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.fol"
    run("fit", digits, "-o", model, "--target", "digit", *FEW)
    before = digits.read_bytes()
    for given in (
        ("predict", model, digits),
        ("evaluate", model, digits, "--target", "digit"),
        ("explain", model, "--data", digits),
        ("neighbors", model, "--data", digits),
    ):
        assert "a file of its own" in run(*given, "-o", digits, code=2)
    assert digits.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("empty.npz", b"", "cannot be read"),
        ("cut.npz", b"PK\x03\x04junk", "cannot be read"),
        ("empty.npy", b"", "cannot be read"),
        ("head.csv", b"a,y\n", "has no rows"),
        ("none.csv", b"", "cannot be read"),
        ("text.csv", b"a,y\nx,1\nz,2\n", "the column 'a' holds no numbers"),
        ("missing.csv", b"a,y\n1,u\n2,NA\n3,v\n", "1 missing targets, the first in row 1"),
        ("gap.csv", b"a,y\n1,u\n?,v\n3,v\n", "NaN or infinity, first in column a"),
        ("twice.csv", b"a, a,y\n1,2,u\n3,4,v\n", "two columns named 'a'"),
        ("waves.ts", b"@classLabel true a\n@data\n1,2:a\n", "says itself what its targets are"),
    ],
)
def test_files_that_cannot_be_used_are_refused(name: str, content: bytes, complaint: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    assert complaint in run("fit", tmp_path / name, "-o", tmp_path / "m.fol", "--target", "y", code=2)
    assert not (tmp_path / "m.fol").exists()


def test_what_cannot_be_tested_is_noticed_before_the_fit(digits: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(digits)
    others = {
        "new.csv": (frame.with_columns(pl.lit(77).alias("digit")), "the class 77"),
        "gap.csv": (frame.with_columns(pl.when(pl.col("digit") > 0).then("c0").alias("c0")), "hold NaN"),
        "few.csv": (frame.drop("c3"), "no column 'c3'"),
    }
    for name, (rows, complaint) in others.items():
        rows.write_csv(tmp_path / name)
        given = ("fit", digits, "-o", tmp_path / "m.fol", "--target", "digit", "--test", tmp_path / name)
        assert complaint in run(*given, *FEW, code=2)
    np.savez(tmp_path / "rare.npz", X=np.zeros((9, 2)), y=np.r_[0, np.ones(8, int)])
    assert "has one row" in run("fit", tmp_path / "rare.npz", "-o", tmp_path / "m.fol", "--test-size", "0.3", code=2)
    np.savez(tmp_path / "only.npz", X=np.zeros((9, 2)))
    assert "beside targets" in run("fit", tmp_path / "only.npz", "-o", tmp_path / "m.fol", "--target", "X", code=2)
    np.savez(tmp_path / "two.npz", X=np.zeros((9, 2)), y=np.arange(18).reshape(9, 2) % 2)
    assert "2 targets" in run("fit", tmp_path / "two.npz", "-o", tmp_path / "m.fol", "--test-size", "0.3", code=2)
    np.save(tmp_path / "rows.npy", np.zeros((9, 2)))
    assert "geodesic" in run("fit", tmp_path / "rows.npy", "-o", tmp_path / "m.fol", "--test-size", "0.3", code=2)
    assert "a file of its own" in run("fit", digits, "-o", digits, "--target", "digit", code=2)
    assert not (tmp_path / "m.fol").exists()
