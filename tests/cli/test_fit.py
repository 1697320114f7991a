"""Training from files: what the target makes of it, what is refused before the work, and what is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from commands import FEW, error_of, run
from sklearn.datasets import load_diabetes, load_digits

import foliation as fo


def test_fit_writes_a_model_and_describes_it(wine: Path, tmp_path: Path) -> None:
    path = tmp_path / "wine.fol"
    text = run("fit", wine, "-o", path, "--target", "target", "--test-size", "0.3", "--oob-score", "true", *FEW)
    for expected in ("ForestClassifier of 10 trees", "out-of-bag score", "3: 0, 1, 2", "balanced accuracy", "AUROC"):
        assert expected in text
    forest = fo.load(path)
    assert forest.n_estimators == 10 and forest.random_state == 0 and forest.verbose == 0
    assert forest.feature_names_in_.tolist()[:2] == ["alcohol", "malic_acid"]


def test_the_model_is_that_of_the_package(tmp_path: Path) -> None:
    X, y = load_digits().data[:200], load_digits().target[:200]
    np.savez(tmp_path / "a.npz", X=X, y=y)
    pl.DataFrame({**{f"c{k}": X[:, k] for k in range(64)}, "y": y}).write_csv(tmp_path / "b.csv")
    expected = fo.ForestClassifier(10, projections="axis", random_state=0).fit(X, y).predict_proba(X)
    for name in ("a.npz", "b.csv"):
        run("fit", tmp_path / name, "-o", tmp_path / "m.fol", "--target", "y", "--projections", "axis", *FEW)
        forest = fo.load(tmp_path / "m.fol")
        names = forest.model_.feature_names
        rows = X if names is None else pl.DataFrame(X, schema=list(names), orient="row")
        np.testing.assert_array_equal(forest.predict_proba(rows), expected)


def test_options_reach_the_forest(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", X=np.random.default_rng(0).normal(size=(60, 12)), y=np.arange(60) % 2)
    options = ("--max-depth", 3, "--honest", 0.4, "--max-features", 0.5, "--class-weight", "balanced", "--shape", "3x4")
    projections = ("--projections", "patches:max_size=2x3,contrast=0.5,wrap=(True,False)")
    run("fit", tmp_path / "a.npz", "-o", tmp_path / "m.fol", *options, *projections, *FEW)
    forest = fo.load(tmp_path / "m.fol")
    assert (forest.max_depth, forest.honest, forest.max_features, forest.class_weight) == (3, 0.4, 0.5, "balanced")
    assert repr(forest.projections) == repr(fo.Patches(max_size=(2, 3), contrast=0.5, wrap=(True, False)))
    assert forest.model_.grid.shape == (3, 4)


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("numbers.npz", (), fo.ForestRegressor),
        ("integers.npz", (), fo.ForestRegressor),
        ("few.npz", (), fo.ForestClassifier),
        ("none.npz", (), fo.GeodesicForest),
        ("numbers.npz", ("--kind", "geodesic"), fo.GeodesicForest),
        ("few.npz", ("--kind", "regressor"), fo.ForestRegressor),
    ],
)
def test_the_target_decides_the_kind_of_forest(
    name: str, options: tuple[str, ...], expected: type, tmp_path: Path
) -> None:
    X, y = load_diabetes(return_X_y=True)
    np.savez(tmp_path / "numbers.npz", X=X, y=y + 0.5)
    np.savez(tmp_path / "integers.npz", X=X, y=y.astype(int))
    np.savez(tmp_path / "few.npz", X=X[:30], y=np.arange(30) % 7)
    np.savez(tmp_path / "none.npz", X=X)
    run("fit", tmp_path / name, "-o", tmp_path / "m.fol", *options, *FEW)
    assert type(fo.load(tmp_path / "m.fol")) is expected


def test_an_out_of_bag_score_is_computed_where_it_is_free(wine: Path, tmp_path: Path) -> None:
    given = ("fit", wine, "-o", tmp_path / "m.fol", "--target", "target", *FEW)
    run(*given)
    assert fo.load(tmp_path / "m.fol").oob_score_ > 0.8
    for options in (("--bootstrap", "false"), ("--oob-score", "false"), ("--honest", "true", "--honest-fill", "oob")):
        run(*given, *options)
        assert fo.load(tmp_path / "m.fol").oob_score is False


def test_columns_without_numbers_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,name,size,kind\n" + "".join(f"{k},n{k},{k % 7},{'ab'[k % 2]}\n" for k in range(40)))
    text = run("fit", path, "-o", tmp_path / "m.fol", "--target", "kind", "--leave-out", "id", *FEW)
    assert "Note: columns without numbers are left out: name." in text
    assert fo.load(tmp_path / "m.fol").feature_names_in_.tolist() == ["size"]


def test_labels_and_columns_of_any_letters_are_shown_as_they_are(tmp_path: Path) -> None:
    labels = ["[red]x[/red]", 'a, "b"\nc', "[/]", "größe"]
    frame = pl.DataFrame({"[bold]": np.arange(80) % 4, "y": [labels[k % 4] for k in range(80)]})
    frame.write_csv(tmp_path / "[1].csv")
    text = run("fit", tmp_path / "[1].csv", "-o", tmp_path / "m.fol", "--target", "y", "--test-size", "0.2", *FEW)
    assert "[red]x[/red]" in text and "[bold]" in text
    assert set(fo.load(tmp_path / "m.fol").classes_) == set(labels)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--target", "grape"), "has no column 'grape'; it has alcohol"),
        (("--shape", "5x5", "--target", "target"), "invalid --shape 5x5: the rows have 13 values each."),
        (("--max-depth", "-3", "--target", "target"), "'max_depth' parameter"),
        (("--test-size", "2", "--target", "target"), "invalid --test-size 2: expected a number between 0 and 1."),
        (("--test-size", "0.5", "--test", "x.csv", "--target", "target"), "--test-size and --test exclude each other."),
        (("--kind", "regressor"), "a regressor needs --target."),
    ],
)
def test_a_mistake_is_one_sentence(options: tuple[str, ...], message: str, wine: Path, tmp_path: Path) -> None:
    assert message in error_of("fit", wine, "-o", tmp_path / "m.fol", *options)
    assert list(tmp_path.iterdir()) == []


def test_a_value_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "gap.csv").write_text("a,y\n1,u\n?,v\n3,v\n")
    error = error_of("fit", tmp_path / "gap.csv", "-o", tmp_path / "m.fol", "--target", "y")
    assert "NaN or infinity, first in column a" in error


def test_what_cannot_be_tested_is_noticed_before_the_fit(digits_csv: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(digits_csv)
    others = {
        "new.csv": (frame.with_columns(pl.lit(77).alias("digit")), "unknown class 77"),
        "gap.csv": (frame.with_columns(pl.when(pl.col("digit") > 0).then("c0").alias("c0")), "contain NaN"),
        "few.csv": (frame.drop("c3"), "no column 'c3'"),
    }
    for name, (rows, message) in others.items():
        rows.write_csv(tmp_path / name)
        given = ("fit", digits_csv, "-o", tmp_path / "m.fol", "--target", "digit", "--test", tmp_path / name)
        assert message in error_of(*given, *FEW)
    assert "a file of its own" in error_of("fit", digits_csv, "-o", digits_csv, "--target", "digit")
    assert not (tmp_path / "m.fol").exists()


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.r_[0, np.ones(8, int)], "class 0 has one row"),
        (np.arange(18).reshape(9, 2) % 2, "2 targets for each row"),
        (None, "a geodesic forest predicts nothing"),
    ],
)
def test_rows_that_cannot_be_held_out_are_refused(y: np.ndarray | None, message: str, tmp_path: Path) -> None:
    arrays = {"X": np.zeros((9, 2))} if y is None else {"X": np.zeros((9, 2)), "y": y}
    np.savez(tmp_path / "a.npz", **arrays)
    assert message in error_of("fit", tmp_path / "a.npz", "-o", tmp_path / "m.fol", "--test-size", "0.3")
    assert not (tmp_path / "m.fol").exists()


def test_rows_to_test_on_may_be_in_a_file_of_another_kind(tmp_path: Path) -> None:
    X, y = np.random.default_rng(0).normal(size=(40, 1, 6)), np.arange(40) % 2
    X[y == 1] += 3
    np.savez(tmp_path / "train.npz", X=X, y=y)
    lines = [f"{','.join(map(str, row[0]))}:{label}" for row, label in zip(X, y, strict=True)]
    (tmp_path / "test.ts").write_text("@classLabel true 0 1\n@data\n" + "\n".join(lines))
    text = run("fit", tmp_path / "train.npz", "-o", tmp_path / "m.fol", "--test", tmp_path / "test.ts", *FEW)
    assert "40 rows" in text and "AUROC" in text


def test_an_interrupted_fit_writes_nothing(wine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fo.ForestClassifier, "fit", stop)
    text = run("fit", wine, "-o", tmp_path / "m.fol", "--target", "target", code=130)
    assert "no file is half-written" in text
    assert list(tmp_path.iterdir()) == []
