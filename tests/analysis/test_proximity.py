"""Proximities against plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from shared_leaves import data, forest, proximity_by_hand

import foliation as fo
from foliation import memory, simulations


@pytest.mark.parametrize("rows", ["all", "in_bag", "oob"])
@pytest.mark.parametrize("settings", [{}, {"honest": True}, {"bootstrap": False, "max_samples": 0.6}])
def test_training_rows(rows: Any, settings: dict[str, Any]) -> None:
    X, _ = data()
    model = forest(**settings)
    expected = proximity_by_hand(model, X, rows)
    found = model.proximity(rows=rows)
    assert isinstance(found, sp.csr_matrix) and found.dtype == np.float64
    np.testing.assert_array_equal(found.toarray(), expected)
    np.testing.assert_array_equal(model.proximity(rows=rows, sparse=False), expected)
    np.testing.assert_array_equal(found.toarray(), found.toarray().T)
    np.testing.assert_array_equal(found.diagonal(), 1.0)
    some = model.proximity(rows=rows, min_value=0.3).toarray()
    np.testing.assert_array_equal(some, np.where(expected >= 0.3, expected, 0.0))


def test_nothing_is_out_of_the_bag_of_all() -> None:
    X, y = data()
    model = fo.ForestClassifier(5, bootstrap=False, random_state=0).fit(X, y)
    for call in (model.proximity, model.kneighbors):
        with pytest.raises(ValueError, match="no row is out of the bag"):
            call(rows="oob")


def test_few_trees_leave_rows_without_one() -> None:
    """Rows that every tree drew have no proximity out of the bag but to themselves."""
    X, _ = data()
    model = forest(3)
    expected = proximity_by_hand(model, X, "oob")
    assert (expected.sum(axis=1) == 1).any()
    np.testing.assert_array_equal(model.proximity(rows="oob").toarray(), expected)


def test_new_rows() -> None:
    X, _ = data()
    new, _ = simulations.trunk(50, n_features=4, random_state=5)
    model = forest()
    a, b = model.apply(new), model.apply(X)
    between = (a[:, None, :] == b[None, :, :]).mean(axis=2)
    np.testing.assert_allclose(model.proximity(new, X).toarray(), between, rtol=1e-15)
    np.testing.assert_allclose(model.proximity(new, X, sparse=False), between, rtol=1e-15)
    within = (a[:, None, :] == a[None, :, :]).mean(axis=2)
    np.testing.assert_allclose(model.proximity(new).toarray(), within, rtol=1e-15)


def test_pooled_forests_are_one_large_forest() -> None:
    """L and T of several forests added up are those of one forest with all the trees, in distribution."""
    X, y = data(60)

    def shares(n_trees: int, seed: int) -> tuple[Any, Any]:
        model = fo.ForestClassifier(n_trees, min_samples_leaf=5, random_state=seed).fit(X, y)
        leaves = model.apply(X)
        out = np.stack([~np.isin(np.arange(60), sample) for sample in model.estimators_samples_], axis=1).astype(float)
        shared = sum(
            (leaves[:, t, None] == leaves[None, :, t]) * np.outer(out[:, t], out[:, t]) for t in range(n_trees)
        )
        return shared, out @ out.T

    pooled, whole = [], []
    for seed in range(20):
        parts = [shares(30, 1000 * seed + f) for f in range(4)]
        pooled.append(sum(p[0] for p in parts) / sum(p[1] for p in parts))
        whole.append(
            fo.ForestClassifier(120, min_samples_leaf=5, random_state=seed).fit(X, y).proximity(rows="oob").toarray()
        )
    a, b = np.array(pooled), np.array(whole)
    off = ~np.eye(60, dtype=bool)
    error = np.sqrt(a.var(axis=0) / 20 + b.var(axis=0) / 20)[off]
    z = (a.mean(axis=0) - b.mean(axis=0))[off] / np.maximum(error, 1e-3)
    assert abs(z.mean()) < 0.3 and 0.7 < z.std() < 1.3
    ratio = a.std(axis=0)[off].mean() / b.std(axis=0)[off].mean()
    assert 0.9 < ratio < 1.1


def test_a_dense_matrix_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = forest(5)
    monkeypatch.setattr(memory, "available_bytes", lambda: 50_000.0)
    with pytest.raises(MemoryError, match=r"dense proximity matrix of shape \(120, 120\) would take 115 KB, but 50 KB"):
        model.proximity(sparse=False)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, X: f.proximity(rows="out"), 'rows=\'out\' is unknown; it must be "all", "in_bag" or "oob"'),
        (lambda f, X: f.proximity(X, rows="oob"), "rows='oob' tells training rows apart"),
        (lambda f, X: f.proximity(None, X), "Y was given without X"),
        (lambda f, X: f.proximity(min_value=2), "min_value=2 must be a number between 0 and 1"),
        (lambda f, X: f.proximity(min_value="a"), "min_value='a' must be a number"),
    ],
)
def test_bad_arguments(call: Any, message: str) -> None:
    X, _ = data()
    with pytest.raises(ValueError, match=message):
        call(forest(5), X)
