"""Predictions of files: columns by name, one or several outputs, and labels as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from commands import FEW, error_of, read_csv, read_npz, run
from sklearn.datasets import load_digits, load_wine

import foliation as fo
from foliation.cli.predict import predictions


def test_predictions_are_those_of_the_forest(wine: Path, model: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(wine)
    shuffled = frame.select(["target", *reversed(frame.columns[:-1])]).with_columns(pl.lit("x").alias("note"))
    shuffled.write_csv(tmp_path / "other.csv")
    run("predict", model, tmp_path / "other.csv", "-o", tmp_path / "p.csv")
    lines, forest, rows = read_csv(tmp_path / "p.csv"), fo.load(model), frame.drop("target")
    assert [int(line["prediction"]) for line in lines] == forest.predict(rows).tolist()
    np.testing.assert_array_equal([float(line["probability of 1"]) for line in lines], forest.predict_proba(rows)[:, 1])
    assert run("predict", model, wine).startswith("prediction,probability of 0")


def test_targets_are_copied(wine: Path, model: Path, tmp_path: Path) -> None:
    run("predict", model, wine, "--target", "target", "-o", tmp_path / "p.parquet")
    assert pl.read_parquet(tmp_path / "p.parquet")["target"].to_list() == load_wine().target.tolist()


def test_columns_of_rows_with_a_shape_are_found_by_name(digits_csv: Path, tmp_path: Path) -> None:
    model, frame = tmp_path / "m.fol", pl.read_csv(digits_csv)
    run("fit", digits_csv, "-o", model, "--target", "digit", "--shape", "8x8", *FEW)
    assert fo.load(model).model_.grid.shape == (8, 8)
    frame.select(reversed(frame.columns)).write_csv(tmp_path / "other.csv")
    np.savez(tmp_path / "rows.npz", X=load_digits().images[:300])
    expected = fo.load(model).predict(frame.drop("digit")).tolist()
    for path in (digits_csv, tmp_path / "other.csv", tmp_path / "rows.npz"):
        run("predict", model, path, "-o", tmp_path / "p.npz")
        assert read_npz(tmp_path / "p.npz")["prediction"].tolist() == expected


def test_several_outputs_have_columns_each() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(2, size=(40, 2))
    numbers = fo.ForestRegressor(3, random_state=0).fit(X, y)
    columns = predictions(numbers, X)
    assert list(columns) == ["prediction 0", "prediction 1"]
    np.testing.assert_array_equal(columns["prediction 1"], numbers.predict(X)[:, 1])
    classes = fo.ForestClassifier(3, random_state=0).fit(X, y)
    columns = predictions(classes, X)
    assert list(columns)[3:] == ["prediction 1", "probability 1 of 0", "probability 1 of 1"]
    np.testing.assert_array_equal(columns["probability 1 of 1"], classes.predict_proba(X)[1][:, 1])


def test_mistakes_are_one_sentence(wine: Path, model: Path, tmp_path: Path) -> None:
    assert "is not a model file of foliation" in error_of("predict", wine, wine)
    assert "a file of its own" in error_of("predict", model, wine, "-o", wine)
    fo.GeodesicForest(2, random_state=0).fit(load_wine().data).save(tmp_path / "g.fol")
    assert "it is a geodesic forest; see neighbors and embed" in error_of("predict", tmp_path / "g.fol", wine)
