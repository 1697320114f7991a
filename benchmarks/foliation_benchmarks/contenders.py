"""Who runs: our forests and the peers, each with the environment it lives in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Contender:
    """One row of every table. ``ours`` names the forest of ours that does the same kind of work."""

    name: str
    runner: str
    environment: str  # "" is the one we run in
    ours: str = ""
    same_work: bool = True  # whether trees and candidates must agree with ours


AXIS = Contender("foliation axis", "ours_axis", "")
SPARSE = Contender("foliation sparse", "ours_sparse", "")
PATCHES = Contender("foliation patches", "ours_patches", "")
HONEST_SPARSE = Contender("foliation sparse, honest", "ours_sparse_honest", "", SPARSE.name)
HONEST_PATCHES = Contender("foliation patches, honest", "ours_patches_honest", "", PATCHES.name)
GEODESIC = Contender("foliation geodesic", "ours_geodesic", "")
GEODESIC_EXACT = Contender("foliation geodesic, exact", "ours_geodesic_exact", "", GEODESIC.name)
SCIKIT_LEARN = Contender("scikit-learn RF", "scikit_learn", "scikit-learn", AXIS.name)
YDF_AXIS = Contender("YDF RF", "ydf_axis", "ydf", AXIS.name)
YDF_OBLIQUE = Contender("YDF sparse oblique", "ydf_oblique", "ydf", SPARSE.name)
TREEPLE_OBLIQUE = Contender("treeple oblique", "treeple_oblique", "treeple", SPARSE.name)
TREEPLE_PATCHES = Contender("treeple patches", "treeple_patches", "treeple", PATCHES.name)
TREEPLE_GEODESIC = Contender("treeple geodesic", "treeple_geodesic", "treeple", GEODESIC.name)
TREEPLE_GEODESIC_TREES = Contender("treeple geodesic, trees alone", "treeple_geodesic_trees", "treeple", GEODESIC.name)
UMAP = Contender("UMAP", "umap", "umap", GEODESIC.name, same_work=False)
RERF_PATCHES = Contender("rerf patches", "rerf_patches", "rerf", PATCHES.name)
XGBOOST = Contender("XGBoost, 100 rounds", "xgboost", "xgboost", same_work=False)
LIGHTGBM = Contender("LightGBM, 100 rounds", "lightgbm", "lightgbm", same_work=False)

OURS = (AXIS, SPARSE, PATCHES)
HONEST = (HONEST_SPARSE, HONEST_PATCHES)
TABULAR = (AXIS, SCIKIT_LEARN, YDF_AXIS, SPARSE, TREEPLE_OBLIQUE, YDF_OBLIQUE)
GRID = (*TABULAR, PATCHES, TREEPLE_PATCHES, RERF_PATCHES)
BOOSTERS = (XGBOOST, LIGHTGBM)
UNSUPERVISED = (GEODESIC, GEODESIC_EXACT, TREEPLE_GEODESIC, TREEPLE_GEODESIC_TREES, UMAP)

CONTENDERS = {contender.name: contender for contender in (*GRID, *BOOSTERS, *HONEST, *UNSUPERVISED)}
