"""Importances against sums over all splits of all trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits

import foliation as fo
from foliation import memory
from foliation.analysis import importance as module
from foliation.analysis.importance import importance

DIGITS = load_digits()
X, Y = DIGITS.images[:300], DIGITS.target[:300]


def by_hand(forest: Any, n_cells: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how many splits use each cell, and its share of the gain by absolute weight, averaged over trees."""
    counts, gains = np.zeros(n_cells), np.zeros(n_cells)
    for number in range(forest.n_estimators):
        tree, own = forest.tree(number), np.zeros(n_cells)
        for split in range(tree.n_splits):
            ids, weights = tree.atom(split)
            counts[ids] += 1
            own[ids] += max(tree.gain[split], 0.0) * np.abs(weights) / np.abs(weights).sum()
        gains += own / (own.sum() or 1.0)
    return counts, gains


FORESTS: dict[str, Any] = {
    "features": fo.ForestClassifier(projections="axis"),
    "sums": fo.ForestClassifier(projections=fo.Sparse(weights="normal")),
    "patches": fo.ForestClassifier(projections=fo.Patches(max_size=3, contrast=0.5)),
    "views": fo.ForestClassifier(projections=fo.Patches(views=("raw", "spectrum"))),
    "numbers": fo.ForestRegressor(projections=fo.Patches(max_size=2)),
    "honest": fo.ForestClassifier(honest=True, max_depth=3),
    "geodesic": fo.GeodesicForest(projections="axis"),
}


@pytest.mark.parametrize("name", FORESTS)
def test_importances_are_sums_over_all_splits(name: str) -> None:
    forest = FORESTS[name].set_params(n_estimators=15, random_state=0).fit(X, Y)
    shape = (2, 8, 8) if name == "views" else (8, 8)
    counts, gains = by_hand(forest, int(np.prod(shape)))
    n_splits = sum(forest.tree(number).n_splits for number in range(15))
    model = forest.model_
    found = importance(model, "count")
    assert found.shape == shape and found.sum() == pytest.approx(1)
    np.testing.assert_allclose(found.ravel(), counts / counts.sum(), rtol=1e-9)
    np.testing.assert_allclose(importance(model, "count", normalize=False).ravel(), counts / n_splits, rtol=1e-9)
    np.testing.assert_allclose(importance(model, "gain").ravel(), gains / gains.sum(), rtol=1e-9, atol=1e-15)
    assert importance(model, "gain").sum() == pytest.approx(1)
    np.testing.assert_array_equal(forest.importance("gain"), importance(model, "gain"))
    np.testing.assert_array_equal(forest.feature_importances_.shape, (64,))


def test_splits_with_a_loss_count_nothing() -> None:
    noise = np.random.default_rng(0).normal(size=(80, 6))
    forest = fo.GeodesicForest(30, projections="axis", random_state=0).fit(noise)
    assert min(forest.tree(number).gain.min() for number in range(30)) < 0
    gains = by_hand(forest, 6)[1]
    np.testing.assert_allclose(importance(forest.model_, "gain"), gains / gains.sum())


def test_feature_importances_add_up_the_views() -> None:
    forest = fo.ForestClassifier(15, projections=fo.Patches(views=("raw", "spectrum")), random_state=0).fit(X, Y)
    np.testing.assert_allclose(forest.feature_importances_, importance(forest.model_, "gain").sum(axis=0).ravel())


@pytest.mark.parametrize("kind", ["count", "gain"])
def test_trees_without_a_split_have_no_importances(kind: str) -> None:
    model = fo.ForestClassifier(3, random_state=0).fit(X, np.zeros(300)).model_
    for normalize in (True, False):
        np.testing.assert_array_equal(importance(model, kind, normalize=normalize), np.zeros((8, 8)))


@pytest.mark.parametrize("kind", ["permutation", "", None])
def test_unknown_kinds_are_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match=rf'^kind={kind!r} is unknown; it must be "count" or "gain"$'):
        importance(fo.ForestClassifier(1).fit(X, Y).model_, kind)


@pytest.mark.parametrize("criterion", ["fast_bic_raw", "two_means_raw"])
def test_scores_without_a_zero_are_no_gains(criterion: str) -> None:
    forest = fo.GeodesicForest(3, criterion=criterion, random_state=0).fit(X)
    forest.set_params(criterion="fast_bic")  # does not change what the trees hold
    with pytest.raises(ValueError, match=rf'^criterion="{criterion}" has scores, not gains; importance\("count"\)'):
        forest.importance("gain")
    assert forest.importance("count").sum() == pytest.approx(1)


def test_importances_of_a_huge_grid_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = fo.ForestClassifier(1, random_state=0).fit(X, Y).model_
    monkeypatch.setattr(memory, "available_bytes", lambda: 1023.0)
    importance(model, "count")  # a small one is not checked
    monkeypatch.setattr(module, "_MANY_CELLS", 63)
    with pytest.raises(MemoryError, match="importances would take 1 KB, but 1 KB are free; the grid has 64 cells"):
        importance(model, "count")
    monkeypatch.setattr(memory, "available_bytes", lambda: 1024.0)
    importance(model, "count")
