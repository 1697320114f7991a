"""Typical and atypical rows: of all classes, as they are, with the targets they have."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_diabetes, load_digits, load_wine

import foliation as fo
from foliation.report.rows import _in_turn, typical_rows

mpl.use("Agg")

RNG = np.random.default_rng(0)
DIGITS = load_digits()


def alt(text: str) -> str:
    found = re.search(r'alt="([^"]*)"', text)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def digits() -> Any:
    return fo.ForestClassifier(10, projections="image", random_state=0).fit(DIGITS.images[:300], DIGITS.target[:300])


def test_classes_take_turns() -> None:
    scores = np.array([0.1, 0.2, 0.3, 0.9, 0.5])
    assert _in_turn(scores, np.array([0, 0, 0, 1, 1])) == [0, 4, 1, 3, 2]


def test_typical_rows_are_of_all_classes_and_mistakes_are_told(digits: Any) -> None:
    X, y = DIGITS.images[300:500], DIGITS.target[300:500]
    text = alt(typical_rows(digits, X, y, {}))
    typical = re.findall(r"(?<![a-z])typical row \d+: (?:true \d, predicted )?(\d)", text)
    assert sorted(map(int, typical)) == list(range(10))
    predicted = digits.predict(X)
    wrong = re.findall(r"row (\d+): true (\d), predicted (\d)", text)
    assert wrong and all((y[int(row)], predicted[int(row)]) == (int(a), int(b)) for row, a, b in wrong)


def test_atypical_rows_have_the_largest_scores(digits: Any) -> None:
    X, y = DIGITS.images[300:500], DIGITS.target[300:500]
    rows = re.findall(r"atypical row (\d+)", alt(typical_rows(digits, X, y, {})))
    expected = np.argsort(-digits.outlier_score(X), kind="stable")[: len(rows)]
    assert [int(row) for row in rows] == expected.tolist()


def test_named_columns_are_a_table() -> None:
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = fo.ForestClassifier(10, random_state=0).fit(X[::2], y[::2])
    text = typical_rows(forest, X[1::2], y[1::2].to_numpy(), {})
    assert "<img" not in text and '<th scope="row">flavanoids</th>' in text
    assert "training rows of their predicted class" in text
    features = re.findall(r'<th scope="row">(.*?)</th>', text)[3:]
    assert features == X.columns[np.argsort(-forest.feature_importances_, kind="stable")].tolist()


def test_regressions_have_no_classes() -> None:
    X, y = load_diabetes(return_X_y=True)
    forest = fo.ForestRegressor(5, random_state=0).fit(X[:200], y[:200])
    text = typical_rows(forest, X[200:260], y[200:260], {})
    assert "class" not in re.sub("class=|<.*?>", "", text) and "target" in text


def test_volumes_name_the_slice_that_is_drawn() -> None:
    X, y = RNG.standard_normal((80, 4, 3, 3)), np.arange(80) % 2
    forest = fo.ForestClassifier(3, projections="patches", random_state=0).fit(X[:60], y[:60])
    assert "Slice 2 of each row is drawn." in typical_rows(forest, X[60:], y[60:], {})


def test_a_single_row_is_neither() -> None:
    X, y = load_diabetes(return_X_y=True)
    forest = fo.ForestRegressor(5, random_state=0).fit(X, y)
    assert typical_rows(forest, X[:1], y[:1], {}) == ""


def test_forests_without_training_rows_show_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = load_diabetes(return_X_y=True)
    forest = fo.ForestRegressor(5, random_state=0).fit(X, y)

    def lost(self: object, X: object) -> None:
        raise ValueError("this needs the training rows")

    monkeypatch.setattr(fo.ForestRegressor, "outlier_score", lost)
    assert typical_rows(forest, X[:9], y[:9], {}) == "" and not plt.get_fignums()
