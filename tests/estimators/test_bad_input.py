"""Bad input is refused before any work, in one line that names the argument and its value."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from refusals import IMAGES, Table, X, Y, assert_refused, classifier, regressor
from sklearn.exceptions import NotFittedError

from foliation import ForestClassifier, Patches, _core


def spoiled(row: int, column: int, value: float, dtype: Any = np.float64) -> NDArray[Any]:
    rows = X.astype(dtype)
    rows[row, column] = value
    return rows


# ---- parameters of a forest ----


@pytest.mark.parametrize("max_samples", [None, 20, 1.0])
@pytest.mark.parametrize("forest", [classifier, regressor])
def test_out_of_bag_scores_need_rows_out_of_the_bag(forest: Callable[..., Any], max_samples: float | None) -> None:
    all_rows = forest(oob_score=True, bootstrap=False, max_samples=max_samples)
    assert_refused(lambda: all_rows.fit(X, Y), r"^oob_score=True needs .*: bootstrap=True, or max_samples below n$")


# ---- data ----

NOT_ROWS: Table = [
    (X[:, 0], r"^X has 1 dimensions; it must be \(n, p\) or \(n, \*grid\)"),
    (X[:, 0].tolist(), r"^X has 1 dimensions"),
    (3.0, r"^X is 3.0"),
    (np.float32(3), r"^X has 0 dimensions"),
    (None, r"^X is None"),
    (np.zeros((20, 6), "datetime64[s]"), r"^X has dtype datetime64\[s\]; it must hold real numbers"),
    ({}, r"^X is {}; it must be"),
    ({"a": [1, 2]}, r"^X is {'a': \[1, 2\]}; it must be"),
    ({1, 2}, r"^X is {1, 2}; it must be"),
    (print, r"^X is <built-in function print>; it must be"),
    (object(), r"^X is <object object at .*>; it must be"),
    (1j * X, r"X has dtype complex128; it must hold real numbers"),
    (1j * IMAGES, r"X has dtype complex128; it must hold real numbers"),
    (X.astype("U9"), r"^X has dtype <U9; it must hold real numbers"),
    (IMAGES.astype("U9").tolist(), r"^X has dtype <U\d+; it must hold real numbers"),
]
DATA: Table = [
    (lambda: classifier().fit(spoiled(4, 3, np.nan), Y), r"X contains NaN or infinity, first in column 3"),
    (lambda: classifier().fit(spoiled(0, 0, np.inf), Y), r"X contains NaN or infinity, first in column 0"),
    (
        lambda: regressor().fit(spoiled(19, 5, -np.inf, "f4"), Y),
        r"X contains NaN or infinity, first in column 5",
    ),
    (lambda: classifier().fit(spoiled(4, 3, np.nan).reshape(20, 2, 3), Y), r"X contains NaN .* column \[1, 0\]"),
    (lambda: classifier().fit(np.asfortranarray(spoiled(4, 3, np.nan)), Y), r"X contains NaN .* column 3"),
    (lambda: classifier().fit(spoiled(4, 3, 1e305), Y), r"X holds a value of size 1e\+305"),
    (lambda: classifier().fit(X[:0], Y[:0]), r"0 sample\(s\) \(shape=\(0, 6\)\)"),
    (lambda: classifier().fit(IMAGES[:0], Y[:0]), r"0 sample\(s\) \(shape=\(0, 6\)\)"),
    (lambda: classifier().fit(X[:, :0], Y), r"0 feature\(s\) \(shape=\(20, 0\)\)"),
    (lambda: classifier().fit(IMAGES[:, :, :0], Y), r"0 feature\(s\) \(shape=\(20, 0\)\)"),
    (
        lambda: classifier().fit(sp.csr_array(X), Y),
        r"Sparse data was passed for X, but dense data is required",
    ),
    (lambda: classifier().fit(X, Y[:19]), r"^y has 19 rows, but X has 20$"),
    (lambda: classifier().fit(IMAGES, [*Y, 0]), r"^y has 21 rows, but X has 20$"),
    (lambda: classifier().fit(X, sp.csr_array(Y[:, None])), r"^y is a sparse matrix: expected a dense array$"),
    (lambda: regressor().fit(X, sp.eye_array(20, 2)), r"^y is a sparse matrix: expected a dense array$"),
    (lambda: classifier().fit(X, None), r"requires y to be passed, but the target y is None"),
    (lambda: classifier().fit(X, X[:, 0]), r"Unknown label type: continuous"),
    (lambda: regressor().fit(X, np.where(Y, np.nan, 1.0)), r"y contains NaN"),
    (lambda: regressor().fit(X, np.where(Y, -np.inf, 1.0)), r"y contains infinity"),
    (lambda: regressor().fit(X, X[:, :2] * [1, np.nan]), r"y contains NaN"),
    (lambda: regressor().fit(X, Y * 1e160), r"y holds a value of size 1e\+160"),
    (lambda: classifier().fit(X, Y, np.full(20, -1.5)), r"^sample_weight gives a row the weight -1.5"),
    (lambda: classifier().fit(X, Y, np.zeros(20)), r"^sample_weight is zero for all rows"),
    (lambda: classifier(class_weight={0: 1.0, 1: 0.0}).fit(X, Y, Y), r"^class_weight is zero for all rows"),
    (lambda: classifier().fit(X, Y, np.ones(19)), r"^sample_weight has shape \(19,\); it must be \(20,\)"),
    (lambda: classifier().fit(X, Y, np.full(20, np.nan)), r"^sample_weight gives a row the weight nan"),
]


@pytest.mark.parametrize(("call", "pattern"), DATA)
def test_data_to_fit(call: Callable[[], object], pattern: str) -> None:
    assert_refused(call, pattern)


@pytest.mark.parametrize("forest", [classifier(), regressor()], ids=["classifier", "regressor"])
@pytest.mark.parametrize(("rows", "pattern"), NOT_ROWS)
def test_rows_to_fit(forest: Any, rows: Any, pattern: str) -> None:
    assert_refused(lambda: forest.fit(rows, Y), pattern)


PREDICTIONS: Table = [
    *NOT_ROWS,
    (spoiled(4, 3, np.nan), r"X contains NaN or infinity, first in column \[1, 0\]"),
    (spoiled(4, 2, np.inf).reshape(20, 2, 3), r"X contains NaN or infinity, first in column \[0, 2\]"),
    (spoiled(4, 2, -np.inf, np.float32), r"X contains NaN or infinity, first in column \[0, 2\]"),
    (X.reshape(20, 3, 2), r"X has rows of shape \(3, 2\); this forest was fitted on \(2, 3\)"),
    (X.reshape(20, 6, 1, 1), r"X has rows of shape \(6, 1, 1\); this forest was fitted on \(2, 3\)"),
    (X[:, :5], r"X has 5 features, but ForestClassifier is expecting 6 features"),
    (sp.csr_array(X), r"Sparse data was passed for X"),
    (X[:0], r"0 sample\(s\) \(shape=\(0, 6\)\)"),
    (IMAGES[:0], r"0 sample\(s\) \(shape=\(0, 6\)\)"),
]


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_trees", "apply"])
@pytest.mark.parametrize(("rows", "pattern"), PREDICTIONS)
def test_data_to_predict(rows: Any, pattern: str, method: str) -> None:
    forest = classifier().fit(IMAGES, Y)
    assert_refused(lambda: getattr(forest, method)(rows), pattern)


@pytest.mark.parametrize(("rows", "pattern"), PREDICTIONS)
def test_other_rows_to_compare_are_named(rows: Any, pattern: str) -> None:
    if rows is not None:
        forest = classifier().fit(IMAGES, Y)
        assert_refused(lambda: forest.proximity(IMAGES, rows), re.sub(r"\bX\b", "Y", pattern))


def test_a_forest_of_rows_refuses_images() -> None:
    forest = classifier().fit(X, Y)
    pattern = r"X has rows of shape \(2, 3\); this forest was fitted on \(6,\)"
    assert_refused(lambda: forest.predict(IMAGES), pattern)


def test_what_a_forest_does_not_have() -> None:
    forest = classifier().fit(X, Y)
    kind: Any = "permutation"
    assert_refused(lambda: forest.importance(kind), r"kind='permutation' is unknown; .* \"count\"")
    with pytest.raises(IndexError, match=r"^tree 3 does not exist; this forest has 3 trees$"):
        forest.tree(3)


@pytest.mark.parametrize("forest", [classifier(), regressor()], ids=["classifier", "regressor"])
@pytest.mark.parametrize(
    "use",
    [
        lambda forest: forest.predict(X),
        lambda forest: forest.predict_trees(X),
        lambda forest: forest.apply(X),
        lambda forest: forest.importance(),
        lambda forest: forest.tree(0),
        lambda forest: forest.n_nodes_,
        lambda forest: forest.feature_importances_,
        lambda forest: forest.estimators_samples_,
    ],
)
def test_forests_that_are_not_fitted(forest: Any, use: Callable[[Any], object]) -> None:
    with pytest.raises(NotFittedError, match=rf"^This {type(forest).__name__} instance is not fitted yet"):
        use(forest)


@pytest.mark.parametrize("name", ["sse9", "AVX2", "1"])
def test_unknown_instruction_sets(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forest = classifier().fit(X, Y)
    monkeypatch.setenv("FOLIATION_ISA", name)
    pattern = rf"FOLIATION_ISA='{name}': expected one of baseline, avx2, avx512"
    assert_refused(lambda: classifier().fit(X, Y), pattern)
    assert_refused(lambda: forest.predict(X), pattern)


# ---- after a failure ----


def test_a_failed_fit_leaves_no_trace() -> None:
    forest = classifier()
    before = dict(vars(forest))
    assert_refused(lambda: forest.fit(spoiled(4, 3, np.nan), Y), "NaN")
    assert vars(forest) == before
    with pytest.raises(NotFittedError):
        forest.predict(X)


def warm(forest: ForestClassifier, n_estimators: int) -> Any:
    return forest.set_params(warm_start=True, n_estimators=n_estimators)


def fitted(forest: ForestClassifier) -> dict[str, Any]:
    return {name: value for name, value in vars(forest).items() if name.endswith("_")}


FAILURES: Table = [
    (lambda forest: forest.set_params(oob_score=True, bootstrap=False).fit(IMAGES, Y + 5), "oob_score=True needs"),
    (lambda forest: forest.fit(spoiled(4, 3, np.nan), Y), "NaN"),
    (lambda forest: forest.fit(X[:, :4], Y % 3, -np.ones(20)), "sample_weight"),
    (lambda forest: forest.set_params(projections=Patches(max_size=9)).fit(X, Y), "max_size"),
    (lambda forest: warm(forest, 2).fit(X, Y), "n_estimators=2 is below the 3 trees grown .* warm_start"),
    (lambda forest: warm(forest, 5).fit(IMAGES, Y), "warm_start=True .* needs rows of the same shape"),
    (lambda forest: warm(forest, 5).fit(X[:, :4], Y), "warm_start=True .* needs rows of the same shape"),
    (lambda forest: warm(forest, 5).fit(9 * X, Y), "warm_start=True .* needs the same rows"),
]


@pytest.mark.parametrize(("fail", "pattern"), FAILURES)
def test_a_failed_fit_keeps_the_fit_before(fail: Callable[[ForestClassifier], object], pattern: str) -> None:
    forest = classifier().fit(X, Y)
    before, expected = fitted(forest), forest.predict_proba(X)
    assert_refused(lambda: fail(forest), pattern)
    assert fitted(forest) == before
    np.testing.assert_array_equal(forest.predict_proba(X), expected)


def test_an_interrupted_fit_keeps_the_fit_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    forest = classifier().fit(X, Y)
    expected = forest.predict_proba(X)
    monkeypatch.setattr(_core, "grow", interrupt)
    with pytest.raises(KeyboardInterrupt):
        forest.set_params(n_estimators=9).fit(IMAGES, Y)
    np.testing.assert_array_equal(forest.predict_proba(X), expected)
