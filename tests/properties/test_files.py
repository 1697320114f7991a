"""A forest that was saved, pickled, copied or cloned is the same forest, to the last bit."""

from __future__ import annotations

import copy
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bits import assert_same_answers, assert_same_bits
from drawn_forests import Problem, geodesic, supervised
from hypothesis import given
from hypothesis import strategies as st
from identical import identical
from sklearn.base import clone

import foliation as fo
from foliation.parameters import same

pytestmark = pytest.mark.filterwarnings(
    "ignore:n_neighbors=.* is more than there are",
    "ignore:The number of unique classes is greater",
    "ignore:A column-vector y",
    "ignore:all .* rows of X are in one",
)


def through_a_file(forest: Any, *, mmap: bool) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        forest.save(Path(folder) / "forest.fol")
        return fo.load(Path(folder) / "forest.fol", mmap=mmap)


COPIES: dict[str, Callable[[Any], Any]] = {
    "file": lambda forest: through_a_file(forest, mmap=False),
    "mapped file": lambda forest: through_a_file(forest, mmap=True),
    "pickle": lambda forest: pickle.loads(pickle.dumps(forest)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@given(problem=supervised() | geodesic(), names=st.lists(st.sampled_from(list(COPIES)), min_size=1, max_size=3))
def test_copies_are_the_same_forest(problem: Problem, names: list[str]) -> None:
    """Copies of copies too: state, parameters, predictions, and what is known of the training rows."""
    forest = problem.fitted()
    other = forest
    for name in names:
        other = COPIES[name](other)
    assert type(other) is type(forest)
    assert same(other.get_params(deep=False), forest.get_params(deep=False))
    assert_same_bits(forest, other)
    assert_same_answers(forest, other, problem.X)
    assert identical(forest.proximity(sparse=False), other.proximity(sparse=False))
    assert identical(forest.importance(), other.importance())
    np.testing.assert_array_equal(forest.transform(problem.X).toarray(), other.transform(problem.X).toarray())


@given(problem=supervised() | geodesic())
def test_clones_and_parameters_given_again_grow_the_same_forest(problem: Problem) -> None:
    fitted = problem.fitted()
    again = type(fitted)().set_params(**fitted.get_params(deep=False))
    for other in (clone(fitted), again):
        assert same(other.get_params(deep=False), fitted.get_params(deep=False))
        assert not hasattr(other, "model_")
        assert_same_bits(problem.fitted(other), fitted)
