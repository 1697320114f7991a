"""Commands that make, use and show models: from files to files, and one sentence for every mistake."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_digits, load_wine
from typer.testing import CliRunner

import foliation as fo
from foliation.cli import data, parameters
from foliation.cli.app import app

FEW = ("--n-estimators", "10")


def run(*arguments: Any, code: int = 0) -> str:
    found = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})
    assert found.exit_code == code, found.output
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found.output


def table(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.fixture
def wine(tmp_path: Path) -> Path:
    frame = load_wine(as_frame=True).frame
    path = tmp_path / "wine.csv"
    pl.DataFrame({name: frame[name].to_numpy() for name in frame.columns}).write_csv(path)
    return path


@pytest.fixture
def model(wine: Path, tmp_path: Path) -> Path:
    run("fit", wine, "-o", tmp_path / "wine.fol", "--target", "target", *FEW)
    return tmp_path / "wine.fol"


# ---- fit ----


def test_fit_writes_a_model_and_says_what_it_is(wine: Path, tmp_path: Path) -> None:
    path = tmp_path / "wine.fol"
    said = run("fit", wine, "-o", path, "--target", "target", "--test-size", "0.3", "--oob-score", "true", *FEW)
    for text in ("ForestClassifier of 10 trees", "out-of-bag score", "3: 0, 1, 2", "balanced accuracy", "AUROC"):
        assert text in said
    loaded = fo.load(path)
    assert loaded.n_estimators == 10 and loaded.random_state == 0 and loaded.verbose == 0
    assert loaded.feature_names_in_.tolist()[:2] == ["alcohol", "malic_acid"]


def test_every_parameter_is_an_option(tmp_path: Path) -> None:
    said = run("fit", "--help")
    for forest in parameters.FORESTS.values():
        for name in forest().get_params(deep=False):
            assert f"--{name.replace('_', '-')}" in said
    np.savez(tmp_path / "a.npz", X=np.random.default_rng(0).normal(size=(60, 12)), y=np.arange(60) % 2)
    given = (
        "--max-depth",
        "3",
        "--honest",
        "0.4",
        "--max-features",
        "0.5",
        "--class-weight",
        "balanced",
        "--shape",
        "3x4",
    )
    projections = ("--projections", "patches:max_size=2x3,contrast=0.5,wrap=(True,False)")
    run("fit", tmp_path / "a.npz", "-o", tmp_path / "m.fol", *given, *projections, *FEW)
    loaded = fo.load(tmp_path / "m.fol")
    assert (loaded.max_depth, loaded.honest, loaded.max_features, loaded.class_weight) == (3, 0.4, 0.5, "balanced")
    assert repr(loaded.projections) == repr(fo.Patches(max_size=(2, 3), contrast=0.5, wrap=(True, False)))
    assert loaded.model_.grid.shape == (3, 4)


# ---- what is done with a model ----


def test_predictions_find_columns_by_name(wine: Path, model: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(wine)
    shuffled = frame.select(["target", *reversed(frame.columns[:-1])]).with_columns(pl.lit("x").alias("note"))
    shuffled.write_csv(tmp_path / "other.csv")
    run("predict", model, tmp_path / "other.csv", "-o", tmp_path / "found.csv")
    found = table(tmp_path / "found.csv")
    forest = fo.load(model)
    rows = frame.drop("target")
    assert [int(line["prediction"]) for line in found] == forest.predict(rows).tolist()
    np.testing.assert_allclose([float(line["probability of 1"]) for line in found], forest.predict_proba(rows)[:, 1])
    assert run("predict", model, wine).startswith("prediction,probability of 0")


def test_evaluate_writes_what_it_shows(wine: Path, model: Path, tmp_path: Path) -> None:
    said = run("evaluate", model, wine, "--target", "target", "-o", tmp_path / "scores.csv")
    scores = {line["score"]: line for line in table(tmp_path / "scores.csv")}
    assert float(scores["accuracy"]["low"]) <= float(scores["accuracy"]["value"]) <= float(scores["accuracy"]["high"])
    for name in ("accuracy", "balanced accuracy", "log loss", "AUROC", "calibration error"):
        assert name in said
    assert int(scores["true 0 predicted 0"]["value"]) > 50
    assert sum(int(line["rows"]) for name, line in scores.items() if name.startswith("right at")) == 178
    run("evaluate", model, wine, "--target", "target", "-o", tmp_path / "scores.json")
    found = json.loads((tmp_path / "scores.json").read_text())
    assert found["scores"]["accuracy"]["low"] == float(scores["accuracy"]["low"])
    assert found["classes"] == [0, 1, 2] and np.sum(found["confusion"]) == found["n_rows"] == 178
    assert sum(part["n_rows"] for part in found["calibration"]) == 178


def test_predictions_are_written_in_three_kinds(wine: Path, model: Path, tmp_path: Path) -> None:
    for kind in ("csv", "npz", "parquet"):
        run("predict", model, wine, "--target", "target", "-o", tmp_path / f"found.{kind}")
    found = [int(line["prediction"]) for line in table(tmp_path / "found.csv")]
    assert np.load(tmp_path / "found.npz")["prediction"].tolist() == found
    assert pl.read_parquet(tmp_path / "found.parquet")["prediction"].to_list() == found
    assert pl.read_parquet(tmp_path / "found.parquet")["target"].to_list() == load_wine().target.tolist()


def test_models_are_described_and_explained(model: Path, tmp_path: Path) -> None:
    said = run("describe", model)
    for text in ("178 of shape 13", "Sparse()", "most used atoms", "bytes", "(accuracy)"):
        assert text in said
    run("explain", model, "-o", tmp_path / "importance.csv")
    found = table(tmp_path / "importance.csv")
    assert found[0]["feature"] == "alcohol"
    assert sum(float(line["importance"]) for line in found) == pytest.approx(1)
    run("explain", model, "-o", tmp_path / "importance.png")
    assert (tmp_path / "importance.png").read_bytes().startswith(b"\x89PNG")


def test_importances_of_views_have_their_names(tmp_path: Path) -> None:
    digits = load_digits()
    np.savez(tmp_path / "digits.npz", X=digits.images[:100], y=digits.target[:100])
    run("fit", tmp_path / "digits.npz", "-o", tmp_path / "m.fol", "--projections", "image", *FEW)
    run("explain", tmp_path / "m.fol", "-o", tmp_path / "importance.csv")
    found = table(tmp_path / "importance.csv")
    assert list(dict.fromkeys(line["view"] for line in found)) == ["raw", "east", "west", "south", "north"]
    expected = fo.load(tmp_path / "m.fol").importance("gain")[1, 2, 3]
    (line,) = (line for line in found if (line["view"], line["axis 0"], line["axis 1"]) == ("east", "2", "3"))
    assert float(line["importance"]) == pytest.approx(expected)


def test_geodesic_forests_find_neighbours_and_coordinates(tmp_path: Path) -> None:
    np.save(tmp_path / "helix.npy", fo.simulations.helix(120, random_state=0).points)
    run("fit", tmp_path / "helix.npy", "-o", tmp_path / "m.fol", "--n-estimators", "50")
    run("neighbors", tmp_path / "m.fol", "-k", 4, "-o", tmp_path / "near.csv")
    found = table(tmp_path / "near.csv")
    assert len(found) == 480
    assert [int(line["neighbor"]) for line in found[:4]] == fo.load(tmp_path / "m.fol").kneighbors(n_neighbors=4)[1][
        0
    ].tolist()
    run("neighbors", tmp_path / "m.fol", "--data", tmp_path / "helix.npy", "-k", 2, "-o", tmp_path / "near.npz")
    assert np.load(tmp_path / "near.npz")["distance"].shape == (240,)
    run("embed", tmp_path / "m.fol", "-o", tmp_path / "places.csv")
    assert len(table(tmp_path / "places.csv")) == 120
    assert "predicts nothing" in run("predict", tmp_path / "m.fol", tmp_path / "helix.npy", code=2)


# ---- mistakes ----


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("fit", "nowhere.csv"), "nowhere.csv is not there."),
        (("fit", "{wine}", "--target", "grape"), "has no column 'grape'; it has alcohol"),
        (
            ("fit", "{wine}", "--target", "target", "--shape", "5x5"),
            "rows of 13 values, which --shape 5x5 cannot hold.",
        ),
        (("fit", "{wine}", "--target", "target", "--shape", "5-5"), "it is written like 28x28."),
        (("fit", "{wine}", "--target", "target", "--projections", "boxes"), "'boxes' is none of axis, sparse"),
        (("fit", "{wine}", "--target", "target", "--projections", "patches:size=3"), "has no such option"),
        (("fit", "{wine}", "--target", "target", "--max-depth", "-3"), "'max_depth' parameter"),
        (("fit", "{wine}", "--target", "target", "--patience", "3"), "--patience does not go with a classifier."),
        (("fit", "{wine}", "--target", "target", "--test-size", "2"), "must lie between 0 and 1."),
        (("fit", "{wine}", "--target", "target", "-o", "{tmp}/no/m.fol"), "is not a folder"),
        (("fit", "{wine}", "--target", "target", "-o", "{tmp}"), "is a folder"),
        (("fit", "{tmp}/text.csv", "--target", "b"), "the column 'a' holds no numbers"),
        (("fit", "{tmp}/ragged.ts"), "series of different lengths"),
        (("fit", "{tmp}/what.xls"), "of a kind that is unknown here"),
        (("predict", "{wine}", "{wine}"), "is not a model file of foliation."),
        (("predict", "{model}", "{tmp}/text.csv"), "has no column 'alcohol', which the forest was trained on."),
        (("evaluate", "{model}", "{wine}"), "--target names them."),
        (("evaluate", "{model}", "{wine}", "--target", "target", "-o", "x.html"), "cannot be written"),
        (("explain", "{model}", "-o", "x.gif"), "cannot be written"),
        (("embed", "{model}"), "is no geodesic forest"),
    ],
)
def test_a_mistake_is_answered_by_a_sentence(
    arguments: tuple[str, ...], complaint: str, wine: Path, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "text.csv").write_text("a,b\nx,1\ny,2\n")
    (tmp_path / "ragged.ts").write_text("@data\n1,2,3\n1,2\n")
    (tmp_path / "what.xls").write_text("")
    given = [one.format(wine=wine, model=model, tmp=tmp_path) for one in arguments]
    said = run(*given, code=2)
    assert complaint in " ".join(said.split())
    assert "Traceback" not in said


def test_an_interrupted_fit_writes_nothing(wine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fo.ForestClassifier, "fit", stop)
    said = run("fit", wine, "-o", tmp_path / "m.fol", "--target", "target", code=130)
    assert "no file is half-written" in said
    assert list(tmp_path.iterdir()) == [wine]


def test_tables_need_polars(wine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "find_spec", lambda name: None)
    assert 'pip install "foliation[cli]"' in run("fit", wine, "--target", "target", code=2)


def test_pictures_and_reports_have_names_of_channels_and_times(tmp_path: Path) -> None:
    X, y = np.random.default_rng(0).normal(size=(60, 3, 20)), np.arange(60) % 2
    X[y == 1, 1, 5:9] += 2
    np.savez(tmp_path / "waves.npz", X=X, y=y)
    run("fit", tmp_path / "waves.npz", "-o", tmp_path / "m.fol", "--projections", "patches", *FEW)
    named = ("--channels", "Fz,Cz,Pz", "--times", "-0.1:0.85", "--unit", "s")
    page = tmp_path / "page.html"
    run("report", tmp_path / "m.fol", "--data", tmp_path / "waves.npz", "-o", page, "--title", "Waves", *named)
    text = page.read_text()
    assert "<h1>Waves</h1>" in text and "Cz, " in text
    run("explain", tmp_path / "m.fol", "-o", tmp_path / "e.svg", "--data", tmp_path / "waves.npz", *named)
    assert (tmp_path / "e.svg").stat().st_size > 10_000
    short = ("explain", tmp_path / "m.fol", "-o", tmp_path / "f.png")
    assert "2 channel names" in run(*short, "--channels", "Fz,Cz", code=2)
    assert "written like" in run(*short, "--times", "now", code=2)
    assert "for pictures" in run("explain", tmp_path / "m.fol", "-o", tmp_path / "f.csv", "--times", "0:1", code=2)
    assert not (tmp_path / "f.png").exists()
