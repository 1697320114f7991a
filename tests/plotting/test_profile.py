"""The profile: errors out of the bag that end at the forest's score, and sizes in integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

import foliation as fo
from foliation.plotting import ForestProfile

DIGITS = load_digits()
X, Y = DIGITS.data[:300], DIGITS.target[:300]


def draw(forest: Any) -> Any:
    return ForestProfile.from_estimator(forest)


def classifier(y: Any = Y, **options: Any) -> Any:
    return fo.ForestClassifier(20, random_state=0, **options).fit(X, y)


def test_errors_end_at_the_score_out_of_the_bag() -> None:
    forest = classifier(oob_score=True)
    display = draw(forest)
    assert display.errors[-1] == pytest.approx(1 - forest.oob_score_) and len(display.errors) == 20
    np.testing.assert_array_equal(display.axes_[0].lines[0].get_ydata(), display.errors)
    regression = fo.ForestRegressor(40, oob_score=True, random_state=0).fit(X, Y)
    expected = np.sqrt(np.mean((regression.oob_prediction_ - Y) ** 2))
    assert draw(regression).errors[-1] == pytest.approx(expected)


def test_sizes_are_those_of_the_trees() -> None:
    forest = classifier()
    display = draw(forest)
    assert display.depths.tolist() == [forest.tree(number).depth for number in range(20)]
    assert display.leaves.tolist() == [forest.tree(number).n_leaves for number in range(20)]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"bootstrap": False}, "no row is out of the bag:\nfit with oob_score=True"),
        ({"honest": True, "honest_fill": "oob"}, "the out-of-bag rows are estimation samples"),
    ],
)
def test_errors_that_are_unknown_are_explained(options: dict[str, Any], why: str) -> None:
    display = draw(classifier(**options))
    assert display.errors is None
    (text,) = display.axes_[0].texts
    assert text.get_text().startswith(why)


def test_several_outputs_have_sizes_only() -> None:
    display = draw(classifier(np.stack([Y, Y], axis=1)))
    assert display.errors is None and not display.why and len(display.axes_) == 2


def test_counts_are_integers() -> None:
    display = draw(fo.ForestClassifier(1, random_state=0).fit(X, Y))
    assert display.axes_[0].lines[0].get_marker() == "o"
    for axes in display.axes_[1:]:
        assert all(bar.get_x() % 1 == 0.5 and bar.get_width() == 1 for bar in axes.patches)
        assert all(tick == round(tick) for tick in axes.get_xticks())


def test_rows_of_weight_zero_are_no_errors() -> None:
    weights = (np.arange(len(X)) % 4 > 0).astype(float)
    spoiled = np.where(weights > 0, Y, 100.0)
    forest = fo.ForestRegressor(60, random_state=0).fit(X, spoiled, sample_weight=weights)
    display = ForestProfile.from_estimator(forest)
    assert display.errors is not None and display.errors[-1] < 10
