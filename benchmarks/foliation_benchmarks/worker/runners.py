"""The contenders by name. Nothing of theirs is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from . import boosters, geodesic, ours, rerf, scikit_learn, treeple, ydf
from .contract import Runner

RUNNERS: dict[str, Callable[[], Runner]] = {
    "ours_axis": partial(ours.runner, "axis"),
    "ours_sparse": partial(ours.runner, "sparse"),
    "ours_patches": partial(ours.runner, "patches"),
    "ours_sparse_honest": partial(ours.runner, "sparse", honest=True),
    "ours_patches_honest": partial(ours.runner, "patches", honest=True),
    "ours_geodesic": partial(geodesic.ours_runner, "auto"),
    "ours_geodesic_exact": partial(geodesic.ours_runner, "exact"),
    "scikit_learn": scikit_learn.runner,
    "treeple_oblique": partial(treeple.runner, "oblique"),
    "treeple_patches": partial(treeple.runner, "patches"),
    "treeple_geodesic": partial(geodesic.treeple_runner, trees_alone=False),
    "treeple_geodesic_trees": partial(geodesic.treeple_runner, trees_alone=True),
    "umap": geodesic.umap_runner,
    "ydf_axis": partial(ydf.runner, "axis"),
    "ydf_oblique": partial(ydf.runner, "oblique"),
    "rerf_patches": rerf.runner,
    "xgboost": partial(boosters.runner, "xgboost"),
    "lightgbm": partial(boosters.runner, "lightgbm"),
}
