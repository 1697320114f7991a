"""Geodesic forests on images and series by every family of projections; importances and trees to look at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

import foliation as fo

X: NDArray[np.float64] = np.random.default_rng(0).normal(size=(80, 6))
SIDE = np.arange(80) % 2  # of the images on which a bright spot lies


def forest(n_estimators: int = 6, **settings: Any) -> Any:
    return fo.GeodesicForest(n_estimators, **({"random_state": 0} | settings))


def images() -> NDArray[np.float64]:
    """Return 80 images with a spot on the left or on the right."""
    found = np.random.default_rng(1).normal(size=(80, 4, 6))
    found[SIDE == 0, 1:3, :2] += 4.0
    found[SIDE == 1, 1:3, -2:] += 4.0
    return found


# ---- families ----

LINE = np.eye(24, k=1) + np.eye(24, k=-1)
FAMILIES: dict[str, Any] = {
    "axis": "axis",
    "sparse": "sparse",
    "dense": fo.Sparse(density=0.5, weights="normal"),
    "patches": fo.Patches(max_size=3),
    "contrasts": fo.Patches(max_size=2, contrast=1.0, wrap=(False, True)),
    "image": "image",
    "series": "series",
    "channels": "channels",
    "kernels": fo.Kernels(fo.gabor_bank(3)),
    "neighborhoods": fo.Neighborhoods(LINE, size=(1, 4)),
    "atoms": fo.Atoms(sp.csr_array(np.eye(24) + np.eye(24, k=1) - np.eye(24, k=4))),
    "mixture": fo.Mixture([fo.Axis(), fo.Patches(max_size=2)], p=[0.3, 0.7]),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_parts_two_kinds_of_images(name: str) -> None:
    model = forest(100, projections=FAMILIES[name]).fit(images())
    near = model.proximity(sparse=False)
    same = SIDE[:, None] == SIDE
    assert near[same].mean() > near[~same].mean() + 0.1
    views = {"series": (3,), "channels": (5,)}.get(name, ())
    assert model.importance().shape == (*views, 4, 6)
    np.testing.assert_allclose(model.importance().sum(), 1.0)
    np.testing.assert_array_equal(model.apply(images()), model.apply(images().reshape(80, -1)))


def test_patches_on_series() -> None:
    series = images().reshape(80, 24)
    model = forest(60, projections=fo.Patches(max_size=5)).fit(series)
    indices = model.kneighbors(n_neighbors=5, return_distance=False)
    assert (SIDE[indices] == SIDE[:, None]).mean() > 0.8


# ---- looking inside ----


def test_bright_places_are_important() -> None:
    model = forest(200, projections="axis", max_features=None).fit(images())
    bright = np.zeros((4, 6), dtype=bool)
    bright[1:3, [0, 1, -2, -1]] = True
    for kind in ("count", "gain"):
        found = model.importance(kind)
        assert found.shape == (4, 6) and (found >= 0).all()
        np.testing.assert_allclose(found.sum(), 1.0)
        assert found[bright].sum() > 1.4 * bright.mean()


def test_trees_are_printed_with_names() -> None:
    model = forest(projections="axis").fit(pd.DataFrame(X, columns=list("abcdef")))
    lines = str(model.tree(0)).splitlines()
    assert lines[0].split()[0] in "abcdef" and "<=" in lines[0]
    assert any("leaf" in line and "weight" in line for line in lines)
    assert repr(model.tree(0)).startswith("Tree(n_splits=")
    assert model.tree(0).value.shape == (model.tree(0).n_leaves, 0)
