"""The same bits, however equal rows lie in memory, in whatever type, on any threads and instruction set."""

from __future__ import annotations

import os
from typing import Any
from unittest import mock

import numpy as np
import pytest
from bits import assert_same_answers, assert_same_bits
from drawn_data import LAYOUTS, types_that_hold
from drawn_forests import Problem, geodesic, supervised
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from foliation import _core

pytestmark = pytest.mark.filterwarnings(
    "ignore:The number of unique classes is greater", "ignore:A column-vector y", "ignore:all .* rows of X are in one"
)
PROBLEMS = supervised() | geodesic()


def plain(problem: Problem) -> Problem:
    """Return the same problem with rows in C order and the byte order of the machine."""
    X = np.array(problem.X, problem.X.dtype.newbyteorder("="), order="C")
    return Problem(clone(problem.forest), X, problem.y, problem.weights, problem.groups)


def assert_same(problem: Problem, other: Problem) -> None:
    a, b = problem.fitted(), other.fitted()
    assert_same_bits(a, b)
    assert_same_answers(a, b, problem.X)
    np.testing.assert_equal(a.apply(problem.X), a.apply(other.X))


@given(problem=PROBLEMS)
def test_memory_layout_and_byte_order_do_not_matter(problem: Problem) -> None:
    assert_same(plain(problem), problem)


@given(problem=PROBLEMS, data=st.data())
def test_whole_numbers_may_have_any_type(problem: Problem, data: st.DataObject) -> None:
    problem = plain(problem)
    X: Any = problem.X if problem.X.dtype.kind in "biu" else np.clip(np.rint(problem.X), -1e4, 1e4) + 0.0
    other = data.draw(st.sampled_from(types_that_hold(X)))
    layout = LAYOUTS[data.draw(st.sampled_from(list(LAYOUTS)))]
    kept = [problem.y, problem.weights, problem.groups]
    a = Problem(problem.forest, X, *kept).fitted()
    b = Problem(clone(problem.forest), layout(X.astype(other)), *kept).fitted()
    assert_same_answers(a, b, X)
    if a.model_.views is None:  # which are scaled unless the type is one of whole numbers
        assert_same_bits(a, b)


@given(problem=PROBLEMS, n_jobs=st.integers(2, 7), isa=st.sampled_from(["baseline", "avx2", "avx512"]))
def test_threads_and_instruction_sets_do_not_matter(problem: Problem, n_jobs: int, isa: str) -> None:
    names = ("baseline", "avx2", "avx512")
    isa = min(isa, names[_core.newest_isa().value], key=names.index)
    one = problem.fitted(clone(problem.forest).set_params(n_jobs=1))
    with mock.patch.dict(os.environ, FOLIATION_ISA=isa):
        other = problem.fitted(clone(problem.forest).set_params(n_jobs=n_jobs))
        assert_same_answers(one, other, problem.X)
    assert_same_bits(one, other)


@given(problem=PROBLEMS)
def test_the_same_seed_gives_the_same_forest(problem: Problem) -> None:
    assert_same(problem, Problem(clone(problem.forest), problem.X, problem.y, problem.weights, problem.groups))


@given(problem=PROBLEMS, n_first=st.integers(1, 3))
def test_trees_added_by_warm_start_are_those_of_one_fit(problem: Problem, n_first: int) -> None:
    n_trees = n_first + problem.forest.n_estimators
    grown = clone(problem.forest).set_params(warm_start=True, n_estimators=n_first)
    problem.fitted(grown)
    problem.fitted(grown.set_params(n_estimators=n_trees))
    at_once = problem.fitted(clone(problem.forest).set_params(n_estimators=n_trees))
    assert_same_bits(grown, at_once)
    assert_same_answers(grown, at_once, problem.X)


@given(problem=PROBLEMS, data=st.data())
def test_a_row_does_not_depend_on_the_rows_predicted_with_it(problem: Problem, data: st.DataObject) -> None:
    forest = problem.fitted()
    together = forest.apply(problem.X), forest._mean_values(problem.X)
    some = data.draw(st.lists(st.integers(0, len(problem.X) - 1), min_size=1, max_size=5))
    np.testing.assert_array_equal(forest.apply(problem.X[some]), together[0][some])
    np.testing.assert_array_equal(forest._mean_values(problem.X[some]), together[1][some])
