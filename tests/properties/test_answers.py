"""What any fitted forest answers: within the range of the data, adding up, symmetric, in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from drawn_data import ROWS, SEEDS, SHAPES, rows
from drawn_forests import Problem, geodesic, supervised
from hypothesis import assume, given
from hypothesis import strategies as st

import foliation as fo
from foliation.analysis.importance import RAW_CRITERIA

pytestmark = pytest.mark.filterwarnings(
    "ignore:The number of unique classes is greater",
    "ignore:A column-vector y",
    "ignore:all .* rows of X are in one",
    "ignore:.* training rows equal others",
    "ignore:.* training rows were drawn by every tree",
    "ignore:n_neighbors=.* is more than there are",
)
PROBLEMS = supervised() | geodesic()
ROUNDING = 1e-12


@st.composite
def with_new_rows(draw: st.DrawFn, problems: st.SearchStrategy[Problem]) -> tuple[Problem, Any]:
    """A problem and rows of its shape and type, other than the training rows."""
    problem = draw(problems)
    dtype = problem.X.dtype.newbyteorder("=").name
    return problem, draw(rows(draw(st.integers(1, 20)), problem.X.shape[1:], exact=True, dtypes=(dtype,)))


def per_output(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]


@given(given=with_new_rows(supervised()))
def test_predictions_lie_in_the_range_of_the_training_targets(given: tuple[Problem, Any]) -> None:
    problem, X = given
    forest = problem.fitted()
    assert problem.y is not None
    y = problem.y.reshape(len(problem.y), -1)
    predicted = forest.predict(X).reshape(len(X), -1)
    if isinstance(forest, fo.ForestRegressor):
        slack = ROUNDING * np.abs(y).max()
        assert (predicted >= y.min(axis=0) - slack).all() and (predicted <= y.max(axis=0) + slack).all()
        return
    blocks, labels = per_output(forest.predict_proba(X)), per_output(forest.classes_)
    for column, (proba, classes) in enumerate(zip(blocks, labels, strict=True)):
        assert (proba >= 0).all() and (proba <= 1 + ROUNDING).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=ROUNDING)
        np.testing.assert_array_equal(predicted[:, column], classes[proba.argmax(axis=1)])
        assert set(predicted[:, column].tolist()) <= set(y[:, column].tolist())


@given(given=with_new_rows(supervised()))
def test_leaf_weights_sum_to_one_and_are_the_prediction(given: tuple[Problem, Any]) -> None:
    problem, X = given
    forest = problem.fitted()
    assume(not (problem.forest.honest and problem.forest.honest_prior == "uniform"))
    targets = forest.model_.targets
    y = np.eye(targets.n_columns)[targets.y].sum(axis=1) if targets.classes else targets.y
    weights = forest.leaf_weights(X)
    assert (weights.data >= 0).all()
    np.testing.assert_allclose(np.asarray(weights.sum(axis=1)).ravel(), 1.0, rtol=ROUNDING)
    scale = max(1.0, np.abs(y).max())
    np.testing.assert_allclose(weights @ y, forest._mean_values(X), rtol=1e-9, atol=1e-12 * scale)


@given(problem=PROBLEMS)
def test_proximities_are_symmetric_shares_with_ones_on_the_diagonal(problem: Problem) -> None:
    forest = problem.fitted()
    dense = forest.proximity(sparse=False)
    np.testing.assert_array_equal(dense, dense.T)
    np.testing.assert_array_equal(np.diag(dense), 1.0)
    assert (dense >= 0).all() and (dense <= 1).all()
    np.testing.assert_array_equal(forest.proximity().toarray(), dense)
    leaves = forest.apply(problem.X)
    np.testing.assert_allclose(dense, (leaves[:, None] == leaves[None]).mean(axis=2), rtol=ROUNDING)


@given(given=with_new_rows(PROBLEMS), k=st.integers(1, 10))
def test_neighbors_are_those_of_the_dense_matrix(given: tuple[Problem, Any], k: int) -> None:
    problem, X = given
    assume(k < len(problem.X))
    forest = problem.fitted()
    own = forest.proximity(sparse=False)
    np.fill_diagonal(own, -1.0)  # no row is its own neighbor
    for proximity, found in (
        (own, forest.kneighbors(n_neighbors=k)),
        (forest.proximity(X, problem.X, sparse=False), forest.kneighbors(X, n_neighbors=k)),
    ):
        nearest = np.argsort(-proximity, axis=1, kind="stable")[:, :k]
        np.testing.assert_array_equal(found[1], nearest)
        np.testing.assert_array_equal(found[0], 1.0 - np.take_along_axis(proximity, nearest, axis=1))


@given(problem=PROBLEMS)
def test_importances_sum_to_one_unless_nothing_is_gained(problem: Problem) -> None:
    forest = problem.fitted()
    kinds: list[Any] = ["count", *([] if problem.forest.criterion in RAW_CRITERIA else ["gain"])]
    for kind in kinds:
        importance = forest.importance(kind)
        assert importance.shape == forest.model_.cell_shape
        assert (importance >= 0).all()
        counted = forest.model_.trees.gain > (0.0 if kind == "gain" else -np.inf)
        np.testing.assert_allclose(importance.sum(), 1.0 if counted.any() else 0.0, rtol=1e-9)


REGRESSIONS = supervised(kinds=(fo.ForestRegressor,))


@given(given=with_new_rows(REGRESSIONS), levels=st.lists(st.floats(0, 1), min_size=2, max_size=5).map(sorted))
def test_quantiles_ascend_and_are_training_targets(given: tuple[Problem, Any], levels: list[float]) -> None:
    problem, X = given
    assert problem.y is not None
    forest = problem.fitted()
    y = forest.model_.targets.y
    found = forest.predict(X, quantiles=levels).reshape(len(X), len(levels), -1)
    assert (np.diff(found, axis=1) >= 0).all()
    for output in range(y.shape[1]):
        assert np.isin(found[..., output], y[:, output]).all()
    mean, deviation = forest.predict(X, return_std=True)
    np.testing.assert_array_equal(mean, forest.predict(X))
    assert (deviation >= 0).all() and (deviation <= np.ptp(y, axis=0).max() + 1e-9 * np.abs(y).max()).all()


LEVELS = st.lists(st.sampled_from([0.1, 0.5, 0.9, 0.99]), min_size=2, max_size=2).map(sorted)


@given(given=with_new_rows(supervised()), levels=LEVELS)
def test_intervals_are_nested(given: tuple[Problem, Any], levels: list[float]) -> None:
    problem, X = given
    assume(problem.forest.honest_fill == "sample")
    forest = problem.fitted()
    try:
        narrow, wide = (forest.predict_interval(X, level) for level in (levels[0], levels[-1]))
    except ValueError as error:
        assert "out of the bag" in str(error)
        return
    if isinstance(forest, fo.ForestClassifier):
        for small, large in zip(per_output(narrow), per_output(wide), strict=True):
            assert (large | ~small).all()
        return
    mean = forest.predict(X)
    assert (wide[:, 0] <= narrow[:, 0]).all() and (narrow[:, 0] <= mean).all()
    assert (mean <= narrow[:, 1]).all() and (narrow[:, 1] <= wide[:, 1]).all()


@given(n=ROWS, shape=SHAPES, seed=SEEDS, data=st.data())
def test_a_tree_without_limits_fits_rows_that_differ_in_a_feature(
    n: int, shape: tuple[int, ...], seed: int, data: st.DataObject
) -> None:
    """Where rows differ, single features part them, until every leaf is pure."""
    X = data.draw(rows(n, shape, exact=False))
    _, codes = np.unique(X.reshape(n, -1), axis=0, return_inverse=True)
    y = np.random.default_rng(seed).integers(3, size=n)[codes.ravel()]
    forest = fo.ForestClassifier(2, projections="axis", bootstrap=False, max_features=None, random_state=seed)
    np.testing.assert_array_equal(forest.fit(X, y).predict(X), y)
