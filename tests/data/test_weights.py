"""Weights of the rows and of their classes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

import foliation as fo
from foliation import simulations
from foliation.printable import quoted


def test_class_weights_as_in_scikit_learn() -> None:
    """Without bootstrap and with one candidate order, weights are all that enters: compare root values."""
    X, y = load_iris(return_X_y=True)
    X, y = X[:110], y[:110]
    sample_weight = np.random.default_rng(0).exponential(size=110)
    both = np.column_stack([y, X[:, 0] > 5.5])
    cases: list[tuple[Any, Any]] = [
        ({0: 1.0, 1: 3.0, 2: 0.5}, y),
        ("balanced", y),
        ("balanced_subsample", y),
        ("balanced", both),
        ([{0: 1.0, 1: 2.0, 2: 3.0}, {0: 5.0, 1: 1.0}], both),
    ]
    for class_weight, target in cases:
        settings: dict[str, Any] = {"max_depth": 1, "bootstrap": False, "class_weight": class_weight, "random_state": 0}
        ours = fo.ForestClassifier(1, max_features=None, projections="axis", **settings)
        theirs = RandomForestClassifier(1, max_features=None, **settings)
        ours.fit(X, target, sample_weight=sample_weight)
        theirs.fit(X, target, sample_weight=sample_weight)
        tree = ours.tree(0)
        mean = (tree.value * tree.leaf_weight[:, None]).sum(axis=0) / tree.leaf_weight.sum()
        root = theirs.estimators_[0].tree_.value[0]
        np.testing.assert_allclose(mean, np.concatenate([r[: len(np.unique(t))] for r, t in zip(root, np.atleast_2d(target.T), strict=True)]), rtol=1e-6)  # fmt: skip  # noqa: E501


def test_balanced_subsample_weighs_classes_equally() -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[:110], y[:110]
    forest = fo.ForestClassifier(5, class_weight="balanced_subsample", random_state=0, max_depth=1).fit(X, y)
    for t in range(5):
        tree = forest.tree(t)
        totals = (tree.value * tree.leaf_weight[:, None]).sum(axis=0)
        np.testing.assert_allclose(totals, totals[0])


def data() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return simulations.impulse(200, random_state=0)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 2], r"groups has shape \(2,\); it must be \(200,\)"),
        (np.zeros(200), "groups has one group only"),
        (np.where(np.arange(200) == 5, np.nan, 1.0), "groups contains NaN"),
        (np.array([1.0, np.nan] * 100, dtype=object), "groups contains NaN or None"),
        ([None, "a"] * 100, "groups contains NaN or None"),
        ([[1], [1, 2]] * 100, "groups must be one group for each row"),
        ([Decimal("sNaN"), Decimal(1)] * 100, "groups contains NaN or None"),
        ([pd.NA, "a"] * 100, "groups contains NaN or None"),
    ],
)
def test_bad_groups(groups: Any, message: str) -> None:
    X, y = data()
    with pytest.raises(ValueError, match=message):
        fo.ForestClassifier().fit(X, y, groups=groups)


@pytest.mark.parametrize("weight", [10**400, 10**5000, "", "1", b"x", 1j], ids=quoted)
def test_weights_of_classes_that_are_no_numbers(weight: Any) -> None:
    X, y = data()
    cases: list[Any] = [({0: weight, 1: 1}, y), ([{0: 1, 1: 1}, {0: weight, 1: 1}], np.stack([y, y], axis=1))]
    for given, targets in cases:
        with pytest.raises(TypeError, match=r"^class_weight=.*: expected real numbers$"):
            fo.ForestClassifier(class_weight=given).fit(X, targets)
