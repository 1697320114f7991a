"""Whatever is wrong with what is given, the answer is a ValueError or a TypeError of one line, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import foliation as fo

pytestmark = pytest.mark.filterwarnings("ignore")  # whatever is given may be strange without being wrong
N = 12
X = np.random.default_rng(0).normal(size=(N, 2, 3))
Y = np.arange(N) % 2
FORESTS: dict[str, Any] = {
    "classifier": fo.ForestClassifier(20, random_state=0, oob_score=True).fit(X, Y),
    "regressor": fo.ForestRegressor(2, random_state=0).fit(X, X[:, 0, 0]),
    "geodesic": fo.GeodesicForest(2, random_state=0, min_samples_split=4, min_samples_leaf=1).fit(X),
}

# ---- a grammar of wrong things ----

NUMBERS = st.sampled_from([0, 1, -1, 2, 7, 0.5, -0.5, 1.5, np.nan, np.inf, -np.inf, 1e300, 1e-320, 2**63])
WORDS = st.sampled_from(["", "sqrt", "auto", "all", "sample", "image", "gini", "x" * 50, "a\nb", "\ud800"])
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, WORDS, st.just(1j), st.just(b"x"), st.just(object()))
SIZES: list[tuple[int, ...]] = [(), (0,), (N,), (N - 1,), (N, 1), (N, 2), (N, 6), (0, 6), (N, 0)]
SIZES += [(N, 2, 3), (N, 3, 2), (1, 2, 3), (N, 1, 2, 3)]
DTYPES = ["f8", "f4", "f2", "i8", "u1", "?", "c16", "O", "U3", "S3", "M8[s]", "m8[s]", "V4"]


@st.composite
def arrays(draw: st.DrawFn) -> Any:
    """Arrays of any type and of shapes that fit or do not."""
    array = np.zeros(draw(st.sampled_from(SIZES)), draw(st.sampled_from(DTYPES)))
    if array.dtype.kind == "f":
        array[...] = draw(st.sampled_from([0.0, 1.0, np.nan, np.inf, 1e4, -0.0]))
    if array.dtype.kind in "biuf" and array.size > 1 and draw(st.booleans()):
        array.flat[0] = 1
    if array.dtype.kind == "O" and array.size:
        array.flat[0] = draw(SCALARS)
    if array.ndim == 2 and array.dtype.kind in "biuf" and draw(st.booleans()):
        return sp.csr_array(array) if draw(st.booleans()) and array.dtype != np.float16 else array.tolist()
    return array


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    few = st.lists(inner, max_size=3)
    return few | few.map(tuple) | st.dictionaries(WORDS, inner, max_size=2)


FAMILIES: list[type] = [fo.Axis, fo.Sparse, fo.Patches, fo.Kernels, fo.Neighborhoods, fo.Atoms, fo.Mixture]


@st.composite
def families(draw: st.DrawFn) -> Any:
    """Families of projections of which some parameters are anything."""
    kind: Any = draw(st.sampled_from(FAMILIES))
    needed = {"bank": np.ones((1, 2, 2)), "graph": np.eye(6, k=1), "matrix": np.eye(6), "projections": [fo.Axis()]}
    names = kind._get_param_names()
    given = {name: needed[name] for name in names if name in needed}
    changed = draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
    return kind(**given | {name: draw(ANYTHING) for name in changed})


ANYTHING = st.recursive(SCALARS | arrays(), _nested, max_leaves=4)


def is_refused_or_fine(call: Callable[[], object]) -> None:
    """Assert that a call returns, or raises ValueError or TypeError with one line of text."""
    try:
        call()
    except (ValueError, TypeError) as error:
        assert str(error).strip(), "an error without a word"


# ---- what is given wrongly ----

MANY = settings(max_examples=5 * settings().max_examples)  # most are refused at once

WRONG = {"n_estimators", "n_jobs"}  # of which large numbers are asked for in earnest


@MANY
@given(name=st.sampled_from(list(FORESTS)), data=st.data())
def test_wrong_parameters_are_refused(name: str, data: st.DataObject) -> None:
    kind = type(FORESTS[name])
    parameter = data.draw(st.sampled_from([one for one in kind._get_param_names() if one not in WRONG]))
    value = data.draw(ANYTHING | families())
    forest = kind(**{"n_estimators": 2, "random_state": 0} | {parameter: value})
    y = Y if name == "classifier" else X[:, 0, 0]
    is_refused_or_fine(lambda: forest.fit(X, y))


@MANY
@given(name=st.sampled_from(list(FORESTS)), family=families())
def test_wrong_projections_are_refused(name: str, family: Any) -> None:
    forest = type(FORESTS[name])(n_estimators=2, projections=family, random_state=0)
    is_refused_or_fine(lambda: forest.fit(X, Y))


@MANY
@given(
    name=st.sampled_from(["classifier", "regressor"]),
    part=st.sampled_from(["X", "y", "sample_weight", "groups"]),
    value=ANYTHING,
)
def test_wrong_data_of_a_fit_are_refused(name: str, part: str, value: Any) -> None:
    given = {"X": X, "y": Y, part: value}
    forest = type(FORESTS[name])(n_estimators=2, random_state=0)
    is_refused_or_fine(lambda: forest.fit(**given))


QUESTIONS: dict[str, list[str]] = {
    "predict": ["X", "quantiles", "return_std"],
    "predict_proba": ["X"],
    "predict_trees": ["X"],
    "predict_interval": ["X", "level", "method"],
    "standard_error": ["X"],
    "apply": ["X"],
    "importance": ["kind", "normalize"],
    "proximity": ["X", "Y", "rows", "sparse", "min_value"],
    "kneighbors": ["X", "n_neighbors", "return_distance", "rows"],
    "kneighbors_graph": ["X", "n_neighbors", "mode", "rows"],
    "transform": ["X", "n_neighbors"],
    "outlier_score": ["X"],
    "leaf_weights": ["X"],
    "remember": ["X"],
}


@MANY
@given(name=st.sampled_from(list(FORESTS)), data=st.data())
def test_wrong_questions_are_refused(name: str, data: st.DataObject) -> None:
    forest = FORESTS[name]
    question = data.draw(st.sampled_from([one for one in QUESTIONS if hasattr(forest, one)]))
    wrong = data.draw(st.sampled_from(QUESTIONS[question]))
    asked = {"X": X} if QUESTIONS[question][0] == "X" else {}
    value = data.draw(ANYTHING)
    if question == "predict" and wrong != "X" and name != "regressor":
        wrong = "X"
    model = forest.model_
    is_refused_or_fine(lambda: getattr(forest, question)(**asked | {wrong: value}))
    assert forest.model_.trees is model.trees
