"""The score out of the bag weighs rows as they were given."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, mean_absolute_error, r2_score

import foliation as fo

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
Y = X[:, 0] + 0.5 * RNG.normal(size=200)
LABELS = np.where(Y > 0, "up", "down")
WEIGHTS = RNG.uniform(0.5, 2.0, size=200) * (np.arange(200) % 4 > 0)  # of a quarter of the rows 0
SPOILED = np.where(WEIGHTS > 0, Y, 100.0)  # rows that must not count


def test_rows_of_weight_zero_do_not_count_and_others_count_by_their_weights() -> None:
    forest = fo.ForestRegressor(60, random_state=0, oob_score=True).fit(X, SPOILED, sample_weight=WEIGHTS)
    expected = r2_score(SPOILED, forest.oob_prediction_, sample_weight=WEIGHTS)
    assert forest.oob_score_ == pytest.approx(expected, rel=1e-12)
    assert forest.oob_score_ > 0.6 > r2_score(SPOILED, forest.oob_prediction_)


def test_accuracy_is_weighted() -> None:
    forest = fo.ForestClassifier(60, random_state=0, oob_score=True).fit(X, LABELS, sample_weight=WEIGHTS)
    predicted = forest.classes_[forest.oob_decision_function_.argmax(axis=1)]
    assert forest.oob_score_ == pytest.approx(accuracy_score(LABELS, predicted, sample_weight=WEIGHTS))
    assert forest.oob_score_ != accuracy_score(LABELS, predicted)


def test_equal_weights_change_nothing() -> None:
    plain = fo.ForestRegressor(60, bootstrap=False, max_samples=100, random_state=0, oob_score=True)
    scores = [plain.fit(X, Y, sample_weight=weights).oob_score_ for weights in (None, 1.0, np.ones(200))]
    assert scores[0] == pytest.approx(scores[1]) == pytest.approx(scores[2])


def weighted_error(truth: Any, predicted: Any, *, sample_weight: Any = None) -> float:
    return float(mean_absolute_error(truth, predicted, sample_weight=sample_weight))


def plain_error(truth: Any, predicted: Any) -> float:
    return float(mean_absolute_error(truth, predicted))


@pytest.mark.parametrize(
    ("metric", "takes_weights"),
    [
        (mean_absolute_error, True),
        (weighted_error, True),
        (partial(mean_absolute_error, multioutput="uniform_average"), True),
        (plain_error, False),
        (lambda truth, predicted: float(np.abs(truth - predicted).mean()), False),
    ],
    ids=["scikit-learn's", "keyword only", "partial", "without weights", "lambda"],
)
def test_metrics_get_the_weights_that_they_take(metric: Any, takes_weights: bool) -> None:
    forest = fo.ForestRegressor(60, random_state=0, oob_score=metric).fit(X, SPOILED, sample_weight=WEIGHTS)
    counted = WEIGHTS > 0
    weights = WEIGHTS[counted] if takes_weights else None
    expected = mean_absolute_error(SPOILED[counted], forest.oob_prediction_[counted], sample_weight=weights)
    assert forest.oob_score_ == pytest.approx(expected)


class Unsigned:
    """A metric that does not say what it takes, as some builtins do not: the number of rows."""

    @property
    def __signature__(self) -> None:
        raise ValueError("no signature found")

    def __call__(self, *given: Any) -> float:
        truth, _ = given
        return float(len(truth))


def test_metrics_that_do_not_say_what_they_take_get_two_arguments() -> None:
    forest = fo.ForestRegressor(60, random_state=0, oob_score=Unsigned()).fit(X, Y, sample_weight=WEIGHTS)
    assert forest.oob_score_ == np.count_nonzero(WEIGHTS)


def test_class_weights_are_ignored_as_in_scikit_learn() -> None:
    forest = fo.ForestClassifier(60, class_weight={"up": 1, "down": 5}, random_state=0, oob_score=True).fit(X, LABELS)
    predicted = forest.classes_[forest.oob_decision_function_.argmax(axis=1)]
    assert forest.oob_score_ == accuracy_score(LABELS, predicted)


def test_rows_of_weight_zero_need_no_prediction() -> None:
    few = fo.ForestRegressor(2, random_state=0, oob_score=True)
    with pytest.warns(UserWarning, match="rows have no out-of-bag prediction") as told:
        few.fit(X, Y, sample_weight=WEIGHTS)
    n_unseen = int((np.isnan(few.oob_prediction_) & (WEIGHTS > 0)).sum())
    assert str(told[0].message).startswith(f"{n_unseen} rows have no")
    assert np.isnan(few.oob_prediction_).sum() == n_unseen  # rows of weight zero are in no bag


def test_rows_that_no_tree_leaves_out_have_no_score() -> None:
    weights = np.zeros(200)
    weights[:1] = 1.0
    with pytest.warns(UserWarning, match="^1 rows have no out-of-bag prediction"):
        forest = fo.ForestRegressor(5, random_state=0, oob_score=True).fit(X, Y, sample_weight=weights)
    assert np.isnan(forest.oob_score_)
