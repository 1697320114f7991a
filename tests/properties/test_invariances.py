"""What must not change a forest, or change it only as told: weights, labels, units, targets of honest leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bits import assert_same_answers, tree_bits
from drawn_data import SEEDS
from drawn_forests import HONEST, Problem, geodesic, supervised
from hypothesis import assume, given
from hypothesis import strategies as st
from samples import estimation_samples
from sklearn.base import clone

import foliation as fo

pytestmark = pytest.mark.filterwarnings(
    "ignore:The number of unique classes is greater", "ignore:A column-vector y", "ignore:all .* rows of X are in one"
)
ROUNDING = 1e-9


@given(problem=supervised(honest=HONEST), seed=SEEDS)
def test_targets_of_estimation_samples_leave_every_split_as_it_is(problem: Problem, seed: int) -> None:
    assume(problem.forest.honest and problem.forest.get_params().get("class_weight") is None)
    assert problem.y is not None
    forest = problem.fitted(clone(problem.forest).set_params(n_estimators=1))
    rows, _ = estimation_samples(forest, 0)
    y = problem.y.copy()
    y[rows] = np.random.default_rng(seed).permutation(y[rows])
    other = clone(forest).fit(problem.X, y, sample_weight=problem.weights, groups=problem.groups)
    for part, changed in zip(tree_bits(forest, 0)[:3], tree_bits(other, 0)[:3], strict=True):
        np.testing.assert_array_equal(part, changed)
    np.testing.assert_array_equal(forest.apply(problem.X), other.apply(problem.X))


@given(problem=supervised(exact=True), seed=SEEDS)
def test_whole_weights_are_repeated_rows_without_bootstrap(problem: Problem, seed: int) -> None:
    assert problem.y is not None
    whole = {"bootstrap": False, "max_samples": None, "honest": False, "honest_fill": "sample", "class_weight": None}
    counted = {"min_samples_leaf": 1, "min_samples_split": 2, "splitter": "exact"}  # repeated rows are more rows
    given = {**whole, **counted}
    forest = problem.forest.set_params(**{name: given[name] for name in given if name in problem.forest.get_params()})
    w = np.random.default_rng(seed).integers(0, 4, size=len(problem.X))
    assume(w.any())
    rows = np.repeat(np.arange(len(w)), w)
    present = w > 0
    weighted = clone(forest).fit(problem.X[present], problem.y[present], sample_weight=w[present])
    repeated = clone(forest).fit(problem.X[rows], problem.y[rows])
    np.testing.assert_array_equal(weighted.apply(problem.X), repeated.apply(problem.X))
    np.testing.assert_allclose(weighted._mean_values(problem.X), repeated._mean_values(problem.X), rtol=ROUNDING)


@given(problem=supervised(exact=True, kinds=(fo.ForestClassifier,)), seed=SEEDS)
def test_other_names_of_the_classes_change_only_the_order_of_columns(problem: Problem, seed: int) -> None:
    assert problem.y is not None
    assume(problem.y.ndim == 1)
    assume(not isinstance(problem.forest.class_weight, dict))
    labels, codes = np.unique(problem.y, return_inverse=True)
    names = np.random.default_rng(seed).permutation(len(labels))
    a = problem.fitted()
    b = clone(problem.forest).fit(problem.X, names[codes], sample_weight=problem.weights, groups=problem.groups)
    np.testing.assert_array_equal(a.apply(problem.X), b.apply(problem.X))
    np.testing.assert_allclose(
        a.predict_proba(problem.X), b.predict_proba(problem.X)[:, names], rtol=ROUNDING, atol=1e-12
    )


@given(problem=supervised(exact=True) | geodesic(exact=True), exponent=st.integers(-60, 60))
def test_another_unit_of_rows_changes_nothing_if_it_is_a_power_of_two(problem: Problem, exponent: int) -> None:
    assume(problem.X.dtype.kind == "f")
    X = problem.X.astype(np.float64)
    a = Problem(clone(problem.forest), X, problem.y, problem.weights, problem.groups).fitted()
    scaled = X * 2.0**exponent
    b = Problem(clone(problem.forest), scaled, problem.y, problem.weights, problem.groups).fitted()
    np.testing.assert_array_equal(a.apply(X), b.apply(scaled))
    np.testing.assert_array_equal(a._mean_values(X), b._mean_values(scaled))


@given(problem=supervised(exact=True), exponent=st.integers(-30, 30))
def test_another_unit_of_weights_changes_nothing_if_it_is_a_power_of_two(problem: Problem, exponent: int) -> None:
    assume(problem.weights is not None)
    given: Any = problem.weights
    a = problem.fitted()
    b = Problem(clone(problem.forest), problem.X, problem.y, given * 2.0**exponent, problem.groups).fitted()
    assert_same_answers(a, b, problem.X)
