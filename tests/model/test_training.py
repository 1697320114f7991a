"""What is computed from the training rows: leaves and out-of-bag predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, balanced_accuracy_score, mean_absolute_error

import foliation as fo


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
