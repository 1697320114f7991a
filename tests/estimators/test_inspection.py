"""Questions to a fitted forest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import foliation as fo


def test_importances(digits: Any) -> None:
    X, y = digits
    forest = fo.ForestClassifier(20, projections=fo.Patches(max_size=3), random_state=0).fit(X, y)
    counts, gains = np.zeros(64), np.zeros(64)
    for t in range(20):
        tree = forest.tree(t)
        tree_gains = np.zeros(64)
        for split in range(tree.n_splits):
            ids, weights = tree.atom(split)
            counts[ids] += 1
            tree_gains[ids] += tree.gain[split] * np.abs(weights) / np.abs(weights).sum()
        gains += tree_gains / tree.gain.sum() / 20
    np.testing.assert_allclose(forest.importance(), (counts / counts.sum()).reshape(8, 8), rtol=1e-9)
    n_splits = sum(forest.tree(t).n_splits for t in range(20))
    np.testing.assert_allclose(forest.importance("count", normalize=False).ravel(), counts / n_splits, rtol=1e-9)
    np.testing.assert_allclose(forest.importance("gain").ravel(), gains, rtol=1e-9)
    np.testing.assert_allclose(forest.feature_importances_, gains, rtol=1e-9)
    assert forest.importance("gain").sum() == pytest.approx(1)
