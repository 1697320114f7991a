"""What is computed from the training rows: leaves and out-of-bag predictions."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, balanced_accuracy_score, mean_absolute_error

import foliation as fo
from foliation import _core


def test_out_of_bag_is_what_it_says(digits: Any) -> None:
    X, y = digits
    forest = fo.ForestClassifier(30, random_state=0, oob_score=True).fit(X, y)
    leaves = forest.apply(X)
    sums, counts = np.zeros((len(X), 10)), np.zeros(len(X))
    for t, drawn in enumerate(forest.estimators_samples_):
        assert len(drawn) == len(X)
        out = np.setdiff1d(np.arange(len(X)), drawn)
        sums[out] += forest.tree(t).value[leaves[out, t]]
        counts[out] += 1
    np.testing.assert_allclose(forest.oob_decision_function_, sums / counts[:, None], rtol=1e-12)
    assert forest.oob_score_ == accuracy_score(y, sums.argmax(axis=1))
    assert abs(forest.oob_score_ - 0.95) < 0.03
    metric = fo.ForestClassifier(30, random_state=0, oob_score=balanced_accuracy_score).fit(X, y)
    assert metric.oob_score_ == pytest.approx(balanced_accuracy_score(y, sums.argmax(axis=1)))


def test_rows_in_every_bag_have_no_out_of_bag_prediction() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.warns(UserWarning, match="rows have no out-of-bag prediction"):
        forest = fo.ForestRegressor(2, random_state=0, oob_score=mean_absolute_error).fit(X, y)
    unseen = np.isnan(forest.oob_prediction_)
    assert 0 < unseen.sum() < 150
    assert forest.oob_score_ == mean_absolute_error(y[~unseen], forest.oob_prediction_[~unseen])


# ---- how often rows are hashed ----

X, Y = load_iris(return_X_y=True)
CALLS: dict[str, tuple[Callable[[Any], object], int]] = {
    "a fit": (lambda forest: forest.set_params(oob_score=True).fit(X, Y), 1),
    "intervals, then neighbors": (lambda forest: (forest.predict_interval(X), forest.kneighbors()), 2),
    "neighbors twice": (lambda forest: (forest.kneighbors(), forest.kneighbors()), 1),
    "a pickle": (lambda forest: pickle.dumps(forest), 1),
    "remember, then a pickle": (lambda forest: pickle.dumps(forest.remember()), 1),
    "remember these rows, then neighbors": (lambda forest: forest.remember(X).kneighbors(), 1),
    "predictions": (lambda forest: (forest.predict(X), forest.apply(X), forest.score(X, Y)), 0),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore:.*training rows equal others")
def test_rows_are_hashed_once_for_all_that_is_found_in_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call, expected = CALLS[name]
    forest = fo.ForestRegressor(60, random_state=0, max_depth=3).fit(X, Y)
    hashed: list[int] = []
    scan_and_digest = _core.scan_and_digest

    def counted(rows: Any, machine: _core.Machine) -> _core.DigestedScan:
        hashed.append(len(rows))
        return scan_and_digest(rows, machine)

    monkeypatch.setattr(_core, "scan_and_digest", counted)
    call(forest)
    assert hashed == [150] * expected
