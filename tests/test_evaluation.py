"""Scores against scikit-learn's, and their intervals: how often they hold the truth, and where they are not empty."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import mutated
import numpy as np
import pytest
from golden import FILES
from model_files import rewrite
from scipy.stats import norm
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

import foliation as fo
from foliation import evaluation, memory
from foliation.evaluation import evaluate
from foliation.model import training


def split(bunch: Any) -> tuple[Any, Any, Any, Any]:
    rows = np.random.default_rng(0).permutation(len(bunch.target))
    half = len(rows) // 2
    return bunch.data[rows[:half]], bunch.target[rows[:half]], bunch.data[rows[half:]], bunch.target[rows[half:]]


@pytest.mark.parametrize("bunch", [load_wine(), load_breast_cancer()], ids=["three classes", "two"])
def test_scores_of_classes_are_those_of_scikit_learn(bunch: Any) -> None:
    X, y, X_test, y_test = split(bunch)
    forest = fo.ForestClassifier(20, projections="axis", max_depth=2, random_state=0).fit(X, y)
    found = evaluate(forest, X_test, y_test)
    said, proba = forest.predict(X_test), forest.predict_proba(X_test)
    area = metrics.roc_auc_score(y_test, proba[:, 1] if proba.shape[1] == 2 else proba, multi_class="ovr")
    expected = {
        "accuracy": metrics.accuracy_score(y_test, said),
        "balanced accuracy": metrics.balanced_accuracy_score(y_test, said),
        "log loss": metrics.log_loss(y_test, proba),
        "AUROC": area,
    }
    for name, value in expected.items():
        assert found[name].value == pytest.approx(value)
        assert found[name].low <= value <= found[name].high
    np.testing.assert_array_equal(found.confusion, metrics.confusion_matrix(y_test, said))
    assert found.calibration is not None
    assert sum(part.n_rows for part in found.calibration) == len(y_test)
    gaps = [abs(part.confidence - part.right.value) * part.n_rows for part in found.calibration]
    assert found["calibration error"].value == pytest.approx(sum(gaps) / len(y_test))


def test_scores_of_numbers_are_those_of_scikit_learn() -> None:
    X, y, X_test, y_test = split(load_diabetes())
    forest = fo.ForestRegressor(20, random_state=0).fit(X, y)
    found, said = evaluate(forest, X_test, y_test), forest.predict(X_test)
    assert found["R squared"].value == pytest.approx(metrics.r2_score(y_test, said))
    assert found["root mean squared error"].value == pytest.approx(metrics.root_mean_squared_error(y_test, said))
    assert found["mean absolute error"].value == pytest.approx(metrics.mean_absolute_error(y_test, said))
    assert all(score.low < score.value < score.high for score in found.scores)


def drawn(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    """Return the probabilities that a known model gives to two classes, and classes drawn from it."""
    codes = (rng.random(n) < 0.3).astype(np.int64)
    signal = rng.normal(codes * 1.5, 1.0)
    odds = 0.3 * norm.pdf(signal, 1.5) / (0.7 * norm.pdf(signal))
    second = odds / (1 + odds)
    return np.column_stack([1 - second, second]), codes


def scores(proba: Any, codes: Any) -> list[evaluation.Score]:
    """Return the scores whose intervals are worked out, and not drawn."""
    right = proba.argmax(axis=1) == codes
    confusion = metrics.confusion_matrix(codes, proba.argmax(axis=1))
    by_row = [evaluation._log_loss(proba, codes), evaluation._auroc(proba, codes)]
    return [evaluation._share("accuracy", right), evaluation._balanced(confusion), *by_row]


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    truth = {score.name: score.value for score in scores(*drawn(rng, 200_000))}
    n_draws = 400
    held = dict.fromkeys(truth, 0)
    for _ in range(n_draws):
        for name, _, low, high in scores(*drawn(rng, 100)):
            held[name] += low <= truth[name] <= high
    assert len(held) == 4
    for name, count in held.items():  # 95 % but for what 400 draws and 100 rows leave open
        assert 0.91 <= count / n_draws <= 0.99, name


def test_perfect_scores_have_intervals() -> None:
    codes = np.arange(20) % 2
    found = evaluation._classes(np.arange(2), np.eye(2)[codes], codes)
    for name in ("accuracy", "balanced accuracy", "AUROC"):
        score = found[name]
        assert score.value == score.high == 1.0
        assert 0.6 < score.low < 0.95
    same = evaluation._classes(np.arange(2), np.full((20, 2), 0.5), codes)["AUROC"]
    assert same.value == 0.5 and 0.5 - same.low == pytest.approx(same.high - 0.5) and 0.2 < same.low < 0.3
    larger = evaluation._classes(np.arange(2), np.eye(2)[np.tile(codes, 10)], np.tile(codes, 10))
    assert larger["AUROC"].low > found["AUROC"].low


def test_what_cannot_be_scored_is_refused() -> None:
    X, y = load_wine(return_X_y=True)
    forest = fo.ForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="X has 178 rows and y has 3"):
        evaluate(forest, X, y[:3])
    with pytest.raises(ValueError, match="y contains the class 7: expected classes that the forest was trained on"):
        evaluate(forest, X, np.where(y == 2, 7, y))
    with pytest.raises(ValueError, match="2 outputs"):
        evaluate(fo.ForestClassifier(5).fit(X, np.stack([y, y], axis=1)), X, y)
    with pytest.raises(TypeError, match="GeodesicForest, which predicts nothing"):
        evaluate(fo.GeodesicForest(2).fit(X), X, y)


def test_one_row_says_nothing_of_others() -> None:
    X, y = load_diabetes(return_X_y=True)
    found = evaluate(fo.ForestRegressor(5, random_state=0).fit(X[1:], y[1:]), X[:1], y[:1])
    assert found["mean absolute error"].high == np.inf
    classes = evaluation._classes(np.arange(2), np.array([[0.2, 0.8]]), np.array([1]))
    assert classes["log loss"].high == np.inf and classes["accuracy"].low < 0.3


def test_draws_of_equal_targets_do_not_spoil_an_interval() -> None:
    y = np.array([0.0, 1, 1, 1, 1])
    found = evaluation._numbers(np.array([0.5, 0.2, 0.9, 0.8, 0.4]), y)["R squared"]
    assert found.low < found.value < found.high


def test_targets_that_are_none_are_refused() -> None:
    X, y = load_diabetes(return_X_y=True)
    forest = fo.ForestRegressor(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="y contains an invalid number"):
        evaluate(forest, X[:2], np.array(["a", "b"]))
    with pytest.raises(ValueError, match="y contains NaN"):
        evaluate(forest, X[:2], np.array([1.0, np.nan]))
    words = fo.ForestClassifier(5, random_state=0).fit(X, y > 100)
    with pytest.raises(ValueError, match="the class 'yes'"):
        evaluate(words, X[:2], np.array([True, "yes"], dtype=object))


# ---- training rows ----


def test_training_rows_are_counted_and_told_of(tmp_path: Path) -> None:
    X, y, X_test, y_test = split(load_wine())
    forest = fo.ForestClassifier(20, random_state=0).fit(X, y)
    mixed, truth = np.vstack([X_test[:50], X[:7]]), np.append(y_test[:50], y[:7])
    forest.save(tmp_path / "wine.fol")
    for known in (forest, fo.load(tmp_path / "wine.fol")):
        with pytest.warns(UserWarning, match="^7 of 57 rows are training rows of the forest") as told:
            found = evaluate(known, mixed, truth)
        assert len(told) == 1 and found.n_training_rows == 7
        assert str(found).splitlines()[-1] == found.notice == str(told[0].message)


def test_new_rows_raise_no_doubts() -> None:
    X, y, X_test, y_test = split(load_wine())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate(fo.ForestClassifier(20, random_state=0).fit(X, y), X_test, y_test)
    assert found.n_training_rows == 0 and found.notice == "" and "training" not in str(found)


def test_large_forests_know_their_rows_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(training, "_LIGHT", 0)
    monkeypatch.setattr(training, "_LIGHT_SHARE", 0)
    X, y = load_diabetes(return_X_y=True)
    fo.ForestRegressor(20, random_state=0).fit(X, y).save(tmp_path / "large.fol")
    with pytest.warns(UserWarning, match="^442 of 442 rows"):
        assert evaluate(fo.load(tmp_path / "large.fol"), X, y).n_training_rows == 442


def test_forests_of_0_1_0_know_the_rows_that_their_files_do(tmp_path: Path) -> None:
    path = next(path for path in FILES if path.parent.name == "0.1.0" and path.stem == "axis")
    with pytest.warns(UserWarning, match="^30 of 30 rows"):
        evaluate(fo.load(path), mutated.FLAT, mutated.Y)
    large = tmp_path / "large.fol"
    large.write_bytes(path.read_bytes())
    rewrite(large, lambda header: header["model"]["state"]["training"]["dict"].clear(), (1, 0))
    assert evaluate(fo.load(large), mutated.FLAT, mutated.Y).n_training_rows == 0


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_a_confusion_matrix_that_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = np.random.default_rng(0).normal(size=(600, 2)), np.arange(600)
    forest = fo.ForestClassifier(1, max_depth=2, random_state=0, bootstrap=False).fit(X, y)
    monkeypatch.setattr(memory, "available_bytes", lambda: 8 * 600**2 - 1.0)
    with pytest.raises(MemoryError, match=r"^the confusion matrix of 600 classes would take 3 MB, but 3 MB are free; "):
        evaluate(forest, X[:9] + 1.0, y[:9])
