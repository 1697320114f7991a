"""Targets in the form of the core."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from outcomes import outcome
from sklearn.utils.multiclass import check_classification_targets

from foliation.data import targets


@pytest.mark.parametrize("n_classes", [1, 2, 3, 10, 14, 15, 16, 17, 30])
@pytest.mark.parametrize("step", [1, 0.5])
@pytest.mark.parametrize("dtype", [int, "u1", "U3", float, object])
def test_labels_that_look_like_numbers(dtype: Any, step: float, n_classes: int) -> None:
    column = (step * (np.arange(30) % n_classes))[:, None].astype(dtype)
    assert outcome(lambda: targets._check_labels(column)) == outcome(lambda: check_classification_targets(column))


def test_classes_are_numbered_through_all_outputs() -> None:
    learned = targets.class_targets(np.array([["b", "x"], ["a", "z"], ["b", "y"]]))
    assert [labels.tolist() for labels in learned.classes] == [["a", "b"], ["x", "y", "z"]]
    np.testing.assert_array_equal(learned.y, [[1, 2], [0, 4], [1, 3]])
    np.testing.assert_array_equal(learned.class_start, [0, 2, 5])
    assert (learned.n_outputs, learned.n_columns, learned.one_dimensional) == (2, 5, False)


def test_labels_have_the_largest_share_of_their_output() -> None:
    learned = targets.class_targets(np.array([["b", "x"], ["a", "z"], ["b", "y"]]))
    shares = np.array([[0.2, 0.8, 0.1, 0.1, 0.8], [0.6, 0.4, 0.5, 0.3, 0.2]])
    assert learned.labels(shares).tolist() == [["b", "z"], ["a", "x"]]
    first, second = learned.outputs(shares)
    assert first.shape == (2, 2) and second.shape == (2, 3)


def test_the_prior_is_the_weighted_share_or_mean() -> None:
    weights = np.array([1.0, 2.0, 5.0])
    np.testing.assert_allclose(targets.class_targets(np.array([0, 1, 1])).prior(weights), [1 / 8, 7 / 8])
    numbers = targets.number_targets(np.array([[1.0, 0.0], [2.0, 4.0], [3.0, 8.0]]))
    np.testing.assert_allclose(numbers.prior(weights), [20 / 8, 48 / 8])
    np.testing.assert_allclose(numbers.prior(None), [2, 4])


def test_numbers_are_copied() -> None:
    y = np.array([1.0, 2.0])
    learned = targets.number_targets(y)
    y[0] = 9
    assert learned.y.tolist() == [[1.0], [2.0]]
    assert learned.outputs(learned.y).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(("y", "message"), [([1.0, np.nan], "NaN"), ([1e200, 1.0], "1e\\+200"), (["a", "b"], "real")])
def test_targets_of_a_regression_are_finite_numbers(y: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        targets.number_targets(y)


@pytest.mark.parametrize("texts", [["b", "a", "b", "ö", ""], ["1", "10", "2"], ["x"] * 5])
def test_text_in_objects_has_the_codes_of_text(texts: list[str]) -> None:
    y = np.array(texts * 4, dtype=object)
    found, expected = targets.class_targets(y), targets.class_targets(y.astype(str))
    np.testing.assert_array_equal(found.y, expected.y)
    assert found.classes[0].dtype == object and found.classes[0].tolist() == expected.classes[0].tolist()


def test_numbers_beyond_doubles_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^y holds a number that no double can hold"):
        targets.number_targets(np.array([10**400, 1], dtype=object))
