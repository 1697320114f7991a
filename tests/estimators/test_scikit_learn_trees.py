"""Axis-aligned trees on all features are scikit-learn's trees, up to ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import foliation as fo

SETTINGS: dict[str, Any] = {"max_features": None, "random_state": 0}
LIMITS: list[dict[str, Any]] = [
    {"min_samples_leaf": 8},
    {"max_depth": 4, "min_samples_leaf": 5},
    {"min_weight_fraction_leaf": 0.03},
    {"max_leaf_nodes": 12, "min_samples_leaf": 5},
    {"min_impurity_decrease": 0.01, "min_samples_leaf": 4},
]


def ours(kind: Any, **settings: Any) -> Any:
    return kind(1, projections="axis", bootstrap=False, splitter="exact", **SETTINGS, **settings)


@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: next(iter(limits)))
@pytest.mark.parametrize("seed", range(3))
def test_regression(limits: dict[str, Any], seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = load_diabetes(return_X_y=True)
    X = (X + 0.01 * rng.normal(size=X.shape)).astype(np.float32)
    y = y + rng.normal(size=len(y))
    weights = rng.exponential(size=len(y))
    scale = y.var() if "min_impurity_decrease" in limits else 1.0
    limits = {k: v * scale if k == "min_impurity_decrease" else v for k, v in limits.items()}
    theirs = DecisionTreeRegressor(**SETTINGS, **limits).fit(X, y, sample_weight=weights)
    forest = ours(fo.ForestRegressor, **limits).fit(X, y, sample_weight=weights)
    assert forest.tree(0).n_leaves == theirs.get_n_leaves() > 5
    fresh = (X + 0.02 * rng.normal(size=X.shape)).astype(np.float32)
    np.testing.assert_allclose(forest.predict(fresh), theirs.predict(fresh), rtol=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: next(iter(limits)))
@pytest.mark.parametrize("seed", range(3))
def test_classification(criterion: str, limits: dict[str, Any], seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Independent features and noisy labels: hardly ever do two cuts part the rows in the same way.
    X = rng.normal(size=(800, 8)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=800) > 0).astype(int) + (X[:, 3] > 1)
    weights = rng.exponential(size=len(y))
    theirs = DecisionTreeClassifier(criterion=criterion, **SETTINGS, **limits).fit(X, y, sample_weight=weights)
    forest = ours(fo.ForestClassifier, criterion=criterion, **limits).fit(X, y, sample_weight=weights)
    # With fractional weights, rounding makes scikit-learn split a few nodes that hold a single class.
    assert theirs.get_n_leaves() - 3 <= forest.tree(0).n_leaves <= theirs.get_n_leaves()
    fresh = (X + 0.1 * rng.normal(size=X.shape)).astype(np.float32)
    same = np.isclose(forest.predict_proba(fresh), theirs.predict_proba(fresh), rtol=1e-9).all(axis=1)
    assert same.mean() > 0.995  # a tie may send one small node another way
