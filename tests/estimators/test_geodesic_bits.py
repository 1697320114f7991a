"""The same geodesic forest whatever runs it, however X lies in memory, stored, copied or continued."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.typing import NDArray
from refusals import assert_refused
from sklearn.base import clone

import foliation as fo
from foliation import _core

CRITERIA = ("fast_bic", "two_means", "mclust_bic", "fast_bic_raw", "two_means_raw")
X: NDArray[np.float64] = np.random.default_rng(0).normal(size=(80, 6))


def forest(n_estimators: int = 6, **settings: Any) -> Any:
    return fo.GeodesicForest(n_estimators, **({"random_state": 0} | settings))


def assert_same(a: Any, b: Any) -> None:
    assert a.model_.trees.arrays().keys() == b.model_.trees.arrays().keys()
    for name, array in a.model_.trees.arrays().items():
        np.testing.assert_array_equal(array, b.model_.trees.arrays()[name], err_msg=name)
    np.testing.assert_array_equal(a.kneighbors(n_neighbors=9), b.kneighbors(n_neighbors=9))


# ---- the same bits ----


@pytest.mark.parametrize("criterion", CRITERIA)
def test_threads_and_instruction_sets(criterion: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).normal(size=(1500, 5))
    for n_trees in (1, 4):
        settings: dict[str, Any] = {"criterion": criterion, "min_samples_split": 10}
        one = forest(n_trees, n_jobs=1, **settings).fit(rows)
        assert_same(one, forest(n_trees, n_jobs=2, **settings).fit(rows))
        for isa in ("baseline", "avx2", "avx512")[: _core.newest_isa().value + 1]:
            monkeypatch.setenv("FOLIATION_ISA", isa)
            assert_same(one, forest(n_trees, **settings).fit(rows))
        monkeypatch.delenv("FOLIATION_ISA")


@pytest.mark.parametrize("affinity", ["leaf", "depth"])
def test_threads_that_look_for_neighbours(affinity: str) -> None:
    model = forest(affinity=affinity, n_jobs=1).fit(X)
    one = model.kneighbors(n_neighbors=20), model.proximity().toarray(), model.outlier_score()
    model.set_params(n_jobs=2)
    for found, expected in zip((model.kneighbors(n_neighbors=20), model.proximity().toarray()), one, strict=False):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(model.outlier_score(), one[2])


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64", "float32", "float64", "bool"])
@pytest.mark.parametrize("family", ["axis", "sparse", fo.Patches(shape=(2, 3))], ids=["axis", "sparse", "patches"])
def test_memory_layout(family: Any, dtype: str, tmp_path: Path) -> None:
    rows = (X > 0.3) if dtype == "bool" else np.abs(40 * X).astype(dtype)
    plain = forest(projections=family).fit(rows)
    np.save(tmp_path / "rows.npy", rows)
    frozen = rows.copy()
    frozen.flags.writeable = False
    for other in (np.asfortranarray(rows), np.load(tmp_path / "rows.npy", mmap_mode="r"), frozen, rows[::-1][::-1]):
        assert_same(plain, forest(projections=family).fit(other))
    if dtype != "float64" or family == "axis":
        assert_same(plain, forest(projections=family).fit(rows.astype(np.float64)))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_single_precision_is_read_as_its_double(criterion: str) -> None:
    rows = X.astype(np.float32)
    for family in ("axis", fo.Sparse(nonzeros=3, weights="normal")):
        settings: dict[str, Any] = {"criterion": criterion, "projections": family}
        assert_same(forest(**settings).fit(rows), forest(**settings).fit(rows.astype(np.float64)))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_repeated_rows_and_constant_columns(criterion: str) -> None:
    rows = np.repeat(np.random.default_rng(3).integers(0, 3, size=(40, 4)), 5, axis=0)
    rows[:, 2] = 7
    model = forest(20, criterion=criterion).fit(rows)
    leaves = model.apply(rows)
    assert (leaves.reshape(40, 5, 20) == leaves[::5, None]).all()
    assert model.n_nodes_.min() > 1
    assert {int(model.tree(t).atom(s)[0][0]) for t in range(20) for s in range(model.tree(t).n_splits)} == {0, 1, 3}


# ---- stored, copied, continued ----


def test_pickles_clones_and_seeds() -> None:
    model = forest(screen=0.3, affinity="depth", projections=fo.Sparse(nonzeros=2)).fit(np.exp(X))
    for again in (pickle.loads(pickle.dumps(model)), clone(model).fit(np.exp(X))):
        assert_same(model, again)
        np.testing.assert_array_equal(model.proximity().toarray(), again.proximity().toarray())
        np.testing.assert_array_equal(model.screened_, again.screened_)
    assert not np.array_equal(forest(random_state=1).fit(X).apply(X), forest(random_state=2).fit(X).apply(X))


@pytest.mark.parametrize("settings", [{}, {"screen": 0.4}, {"projections": "axis", "criterion": "mclust_bic"}])
def test_warm_start_equals_one_fit(settings: dict[str, Any]) -> None:
    rows = np.exp(X)
    grown = forest(2, warm_start=True, **settings).fit(rows)
    for n in (3, 9):
        grown.set_params(n_estimators=n).fit(rows)
        assert_same(grown, forest(n, **settings).fit(rows))
    assert_refused(lambda: grown.set_params(n_estimators=12).fit(2 * rows), "^warm_start=True .* needs the same rows")
    grown.set_params(screen=0.7)
    assert_refused(lambda: grown.fit(rows), "^warm_start=True .* needs the same projections")


def test_data_frames() -> None:
    names = list("abcdef")
    plain = forest().fit(X)
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        named = forest().fit(frame)
        assert named.feature_names_in_.tolist() == names
        np.testing.assert_array_equal(named.transform(frame).toarray(), plain.transform(X).toarray())
    with pytest.raises(ValueError, match="feature names should match"):
        named.transform(pd.DataFrame(X, columns=list("uvwxyz")))


def test_y_is_not_read() -> None:
    assert_same(forest().fit(X), forest().fit(X, ["no", "labels"]))
    np.testing.assert_array_equal(forest().fit_transform(X, np.ones(3)).toarray(), forest().fit_transform(X).toarray())
