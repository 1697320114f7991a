"""The same random_state gives the same bits, whatever runs it and however X lies in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import foliation as fo
from foliation import _core

PROJECTIONS: dict[str, Any] = {
    "axis": fo.Axis(),
    "sparse": fo.Sparse(nonzeros=3, weights="normal"),
    "patches": fo.Patches(max_size=4, contrast=0.5, wrap=(True, False)),
    "gaussian": fo.Patches(max_size=4, weights="gaussian"),
    "views": fo.Patches(max_size=4, contrast=0.5, views=("raw", "difference", "spectrum")),
    "mixture": fo.Mixture([fo.Axis(), fo.Patches(), fo.Kernels(fo.gabor_bank(3))]),
}


def data(dtype: str = "float32", n: int = 700) -> tuple[NDArray[Any], NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    X = (40 * rng.normal(size=(n, 6, 7))).astype(dtype)
    y = (X[:, 2, 3] + X[:, 2, 4] > X[:, 5, 0]).astype(np.int64) + (X[:, 1, 1] > 0)
    return X, y


def forest(projections: Any, **settings: Any) -> fo.ForestClassifier:
    usual: dict[str, Any] = {"n_estimators": 6, "random_state": 3, "splitter": "histogram", "criterion": "entropy"}
    return fo.ForestClassifier(projections=projections, **(usual | settings))


def assert_same(a: Any, b: Any, X: NDArray[Any]) -> None:
    assert a.model_.trees.arrays().keys() == b.model_.trees.arrays().keys()
    for name, array in a.model_.trees.arrays().items():
        np.testing.assert_array_equal(array, b.model_.trees.arrays()[name], err_msg=name)
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(X))
    np.testing.assert_array_equal(a.apply(X), b.apply(X))


@pytest.mark.parametrize("name", PROJECTIONS)
def test_threads(name: str) -> None:
    X, y = data()
    one = forest(PROJECTIONS[name], n_jobs=1, oob_score=True, n_estimators=20).fit(X, y)
    for n_jobs in (2, 3, 7):
        other = forest(PROJECTIONS[name], n_jobs=n_jobs, oob_score=True, n_estimators=20).fit(X, y)
        assert_same(one, other, X)
        np.testing.assert_array_equal(one.oob_decision_function_, other.oob_decision_function_)


SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "honest": {"honest": True},
    "min_weight_fraction_leaf": {"min_weight_fraction_leaf": 0.001},
    "max_depth": {"max_depth": 7},
    "max_leaf_nodes": {"max_leaf_nodes": 100},
    "without bootstrap": {"bootstrap": False},
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("kind", [fo.ForestClassifier, fo.ForestRegressor])
def test_threads_that_share_a_tree(kind: Any, name: str, weighted: bool) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(12_000, 5)).astype(np.float32)
    noisy = X[:, 0] + rng.normal(size=len(X))
    y = noisy > 0 if kind is fo.ForestClassifier else noisy
    weight = rng.integers(0, 4, size=len(X)) / 2 if weighted else None
    for n_trees in (1, 2, 3):
        forests = [
            kind(n_trees, projections=fo.Sparse(), random_state=0, n_jobs=n_jobs, **SETTINGS[name])
            for n_jobs in (1, 2, 3, 8)
        ]
        one, *others = [forest.fit(X, y, sample_weight=weight) for forest in forests]
        for other in others:
            for key, array in one.model_.trees.arrays().items():
                np.testing.assert_array_equal(array, other.model_.trees.arrays()[key], err_msg=key)


@pytest.mark.parametrize("name", PROJECTIONS)
@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
def test_instruction_sets(name: str, isa: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if ("baseline", "avx2", "avx512").index(isa) > _core.newest_isa().value:
        pytest.skip(f"this machine has no {isa}")
    X, y = data()
    newest = forest(PROJECTIONS[name]).fit(X, y)
    proba = newest.predict_proba(X)
    monkeypatch.setenv("FOLIATION_ISA", isa)
    assert_same(newest, forest(PROJECTIONS[name]).fit(X, y), X)
    np.testing.assert_array_equal(newest.predict_proba(X), proba)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "float32", "float64"])
@pytest.mark.parametrize("name", PROJECTIONS)
def test_memory_layout(name: str, dtype: str, tmp_path: Path) -> None:
    X, y = data(dtype)
    flat = X.reshape(len(X), -1)
    plain = forest(PROJECTIONS[name]).fit(X, y)
    np.save(tmp_path / "rows.npy", X)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    spread = np.zeros((len(X), 2 * flat.shape[1]), dtype=dtype)[:, ::2]
    spread[:] = flat
    for other in (np.asfortranarray(X), mapped, X.copy()):
        assert_same(plain, forest(PROJECTIONS[name]).fit(other, y), other)
    for rows in (np.asfortranarray(flat), spread, spread[::-1][::-1]):
        np.testing.assert_array_equal(plain.predict_proba(rows), plain.predict_proba(X))


@pytest.mark.parametrize("order", ["C", "F"])
def test_flat_rows_with_a_shape(order: Any) -> None:
    X, y = data()
    flat = np.asarray(X.reshape(len(X), -1), order=order)
    shaped = forest(fo.Patches(shape=(6, 7))).fit(flat, y)
    plain = forest(fo.Patches()).fit(X, y)
    assert_same(plain, shaped, flat)
    np.testing.assert_array_equal(shaped.predict_proba(X), plain.predict_proba(flat))


def test_whole_numbers_in_any_type() -> None:
    """Sums of whole numbers are exact, so their type cannot matter."""
    X, y = data("int16")
    plain = forest(PROJECTIONS["patches"]).fit(X, y)
    for dtype in ("int32", "int64", "float32", "float64", ">i4", "longdouble"):
        assert_same(plain, forest(PROJECTIONS["patches"]).fit(X.astype(dtype), y), X)


@pytest.mark.parametrize("name", PROJECTIONS)
def test_warm_start(name: str) -> None:
    X, y = data()
    at_once = forest(PROJECTIONS[name], oob_score=True, n_estimators=30).fit(X, y)
    grown = forest(PROJECTIONS[name], oob_score=True, warm_start=True, n_estimators=22).fit(X, y)
    grown.set_params(n_estimators=23).fit(X, y)
    grown.set_params(n_estimators=30).fit(X, y)
    assert_same(at_once, grown, X)
    np.testing.assert_array_equal(at_once.oob_decision_function_, grown.oob_decision_function_)
    assert at_once.oob_score_ == grown.oob_score_


def test_seeds() -> None:
    X, y = data()
    one = forest(fo.Patches()).fit(X, y)
    again = forest(fo.Patches()).fit(X, y)
    other = forest(fo.Patches(), random_state=4).fit(X, y)
    assert_same(one, again, X)
    assert not np.array_equal(one.predict_proba(X), other.predict_proba(X))
    a, b = (forest(fo.Patches(), random_state=np.random.RandomState(5)).fit(X, y) for _ in range(2))
    assert_same(a, b, X)


def test_rows_in_blocks() -> None:
    """A row's prediction does not depend on the rows predicted with it."""
    X, y = data("float64")
    fitted = forest(PROJECTIONS["patches"]).fit(X, y)
    proba = fitted.predict_proba(X)
    for rows in (slice(0, 1), slice(100, 357), slice(699, 700)):
        np.testing.assert_array_equal(fitted.predict_proba(X[rows]), proba[rows])


def test_equal_rows_share_a_leaf() -> None:
    rng = np.random.default_rng(2)
    X = np.repeat(rng.normal(size=(100, 5, 5)) / 3, 4, axis=0)
    y = rng.integers(0, 2, size=400)
    for projections in ("axis", "sparse", "patches"):
        leaves = fo.ForestClassifier(10, projections=projections, random_state=0).fit(X, y).apply(X)
        assert (leaves.reshape(100, 4, -1) == leaves[::4][:, None]).all()


@pytest.mark.parametrize("splitter", ["exact", "auto"])
def test_whole_numbers_may_span_more_than_31_bits(splitter: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(-(2**31), 2**31, size=(3000, 2)).astype(np.int32)
    y = (X[:, 0] > X[:, 1]).astype(np.int64)
    whole, real = (forest("axis", splitter=splitter, criterion="gini").fit(rows, y) for rows in (X, X.astype(float)))
    assert_same(whole, real, X)
