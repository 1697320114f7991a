"""Scores of a model on a file: shown, and written completely."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import polars as pl
from commands import error_of, read_csv, run
from rich.console import Console
from sklearn.datasets import load_diabetes

import foliation as fo
from foliation.cli.evaluate import show_evaluation
from foliation.evaluation import Evaluation, Score


def test_evaluate_writes_what_it_shows(wine: Path, model: Path, tmp_path: Path) -> None:
    text = run("evaluate", model, wine, "--target", "target", "-o", tmp_path / "scores.csv")
    scores = {line["score"]: line for line in read_csv(tmp_path / "scores.csv")}
    frame = pl.read_csv(wine)
    accuracy = fo.load(model).score(frame.drop("target"), frame["target"].to_numpy())
    assert float(scores["accuracy"]["low"]) <= float(scores["accuracy"]["value"]) <= float(scores["accuracy"]["high"])
    assert float(scores["accuracy"]["value"]) == accuracy and "178 rows" in text
    assert "178 of 178 rows are training rows of the forest" in text and scores["training rows"]["value"] == "178"
    for name in ("accuracy", "balanced accuracy", "log loss", "AUROC", "calibration error"):
        assert name in text
    assert int(scores["true 0 predicted 0"]["value"]) > 50
    assert sum(int(line["rows"]) for name, line in scores.items() if name.startswith("right at")) == 178


def test_json_holds_scores_confusion_and_calibration(wine: Path, model: Path, tmp_path: Path) -> None:
    run("evaluate", model, wine, "--target", "target", "-o", tmp_path / "scores.json")
    written = json.loads((tmp_path / "scores.json").read_text())
    assert set(written["scores"]["accuracy"]) == {"value", "low", "high"}
    assert written["classes"] == [0, 1, 2] and np.sum(written["confusion"]) == written["n_rows"] == 178
    assert sum(part["n_rows"] for part in written["calibration"]) == written["n_training_rows"] == 178


def test_rows_that_were_held_out_are_no_training_rows(wine: Path, tmp_path: Path) -> None:
    path = tmp_path / "wine.fol"
    text = run("fit", wine, "-o", path, "--target", "target", "--test-size", "0.5", "--n-estimators", "10")
    assert "89 rows" in text and "training rows of the forest" not in text
    assert "89 of 178 rows are training rows" in run("evaluate", path, wine, "--target", "target")


def test_infinite_bounds_are_null_in_json(tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True)
    fo.ForestRegressor(3, random_state=0).fit(X, y).save(tmp_path / "m.fol")
    np.savez(tmp_path / "one.npz", X=X[:1], y=y[:1])
    run("evaluate", tmp_path / "m.fol", tmp_path / "one.npz", "-o", tmp_path / "scores.json")
    written = json.loads((tmp_path / "scores.json").read_text())
    assert written["scores"]["mean absolute error"]["high"] is None and written["confusion"] == []


def test_confusion_of_many_classes_is_not_shown() -> None:
    out = io.StringIO()
    classes = np.arange(21)
    show_evaluation(Console(file=out), Evaluation(1, [Score("accuracy", 1, 0, 1)], classes, np.eye(21, dtype=np.int64)))
    assert "The confusion matrix of 21 classes is too wide" in out.getvalue()
    assert "Predicted classes" not in out.getvalue()


def test_mistakes_are_one_sentence(wine: Path, model: Path) -> None:
    assert "name their column or array by --target" in error_of("evaluate", model, wine)
    error = error_of("evaluate", model, wine, "--target", "target", "-o", "x.html")
    assert "invalid --output x.html: expected a file name that ends in .csv, .json." in error
    assert "a file of its own" in error_of("evaluate", model, wine, "--target", "target", "-o", wine)
