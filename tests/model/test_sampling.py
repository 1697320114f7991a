"""Which rows each tree draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import foliation as fo


def test_bootstrap_draws_by_weight() -> None:
    X, y = load_iris(return_X_y=True)
    weights = np.where(y == 2, 0.0, 1.0 + y)
    forest = fo.ForestClassifier(200, random_state=0).fit(X, y, sample_weight=weights)
    drawn = np.concatenate(forest.estimators_samples_)
    shares = np.bincount(y[drawn], minlength=3) / len(drawn)
    assert shares[2] == 0
    assert abs(shares[1] - 2 / 3) < 4 * np.sqrt(2 / 9 / len(drawn))


@pytest.mark.parametrize(("max_samples", "expected"), [(None, 150), (20, 20), (0.5, 75), (2.0, 300)])
def test_max_samples(max_samples: float | None, expected: int) -> None:
    X, y = load_iris(return_X_y=True)
    forest = fo.ForestClassifier(5, max_samples=max_samples, random_state=0).fit(X, y)
    assert [len(drawn) for drawn in forest.estimators_samples_] == [expected] * 5
    weighted = fo.ForestClassifier(5, max_samples=max_samples, random_state=0).fit(X, y, sample_weight=np.full(150, 2))
    times = 2 if isinstance(max_samples, float) else 1
    assert [len(drawn) for drawn in weighted.estimators_samples_] == [times * expected] * 5


def test_subsamples_without_replacement() -> None:
    X, y = load_iris(return_X_y=True)
    weights = (np.arange(150) % 3 > 0).astype(float)
    forest = fo.ForestClassifier(300, bootstrap=False, max_samples=30, random_state=0, oob_score=True)
    drawn = forest.fit(X, y, sample_weight=weights).estimators_samples_
    assert all(len(np.unique(rows)) == len(rows) == 30 for rows in drawn)
    counts = np.bincount(np.concatenate(drawn), minlength=150)
    assert (counts[::3] == 0).all()
    expected = 300 * 30 / 100
    assert ((counts[weights > 0] - expected) ** 2 / expected).sum() < 150  # 99 degrees of freedom


@pytest.mark.parametrize("settings", [{}, {"bootstrap": False, "max_samples": 0.5}, {"honest": True}], ids=str)
def test_how_often_trees_draw_rows(settings: dict[str, Any]) -> None:
    X, y = load_iris(return_X_y=True)
    forest = fo.ForestClassifier(3, random_state=0, **settings).fit(X, y, groups=np.arange(150) // 2)
    for tree, drawn in enumerate(forest.estimators_samples_):
        counts = forest.model_.core_sampling.counts(tree)
        assert counts.dtype == np.int32
        np.testing.assert_array_equal(counts, np.bincount(drawn, minlength=150))
