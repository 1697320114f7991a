"""For every public call a case that takes long, so that Ctrl-C can be pressed in it; or why there is none."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import scipy.sparse as sp
from claiming import claim_patches, save_patches
from sklearn.datasets import make_classification

import foliation as fo
from foliation import evaluation, export, plotting
from foliation.data.arrays import Array
from foliation.io import claims

Case = Callable[[], Callable[[], object]]  # makes what is needed, and returns the call

MANY = 2**31 - 1
RNG = np.random.default_rng(0)
X, Y = make_classification(4000, 12, n_informative=6, n_classes=3, random_state=0)
FAMILIES: dict[str, Any] = {"random_state": 0, "n_jobs": 2}


def many(n_rows: int = 3_000_000, n_features: int = 12) -> Array:
    """Return as many rows as take long, which take no memory."""
    return np.broadcast_to(np.float32(1.0), (n_rows, n_features))


# ---- forests of which one thing is large ----


@cache
def classifier() -> fo.ForestClassifier:
    return fo.ForestClassifier(150, oob_score=True, **FAMILIES).fit(X, Y)


@cache
def regressor() -> fo.ForestRegressor:
    return fo.ForestRegressor(150, oob_score=True, **FAMILIES).fit(X, X[:, 0])


@cache
def geodesic() -> fo.GeodesicForest:
    return fo.GeodesicForest(20, **FAMILIES).fit(X)


def drawn(forest: Any) -> Any:
    """Return a forest whose trees drew two billion rows each."""
    forest.remember()
    copied = type(forest)(**forest.get_params(deep=False))
    copied.model_ = replace(forest.model_, sampling=replace(forest.model_.sampling, n_draws=MANY))
    return copied


@cache
def stumps() -> fo.ForestRegressor:
    """Return a forest whose leaves are large: rows share them in billions of pairs."""
    rows = RNG.standard_normal((60_000, 3))
    return fo.ForestRegressor(60, max_depth=1, **FAMILIES).fit(rows, rows[:, 0])


@cache
def wide() -> fo.ForestRegressor:
    """Return a forest of many training rows, of which trees drew few."""
    rows = np.tile(X, (300, 1))
    return fo.ForestRegressor(1000, max_samples=300, **FAMILIES).fit(rows, rows[:, 0])


@cache
def embedded() -> fo.GeodesicForest:
    rows = RNG.standard_normal((40_000, 3))
    return fo.GeodesicForest(30, max_depth=3, **FAMILIES).fit(rows)


@cache
def noise() -> fo.GeodesicForest:
    return fo.GeodesicForest(5, **FAMILIES).fit(RNG.standard_normal((6000, 3)))


@cache
def of_views() -> fo.ForestClassifier:
    return fo.ForestClassifier(2, projections="series", **FAMILIES).fit(RNG.random((9, 1, 6000)), np.arange(9) % 2)


@cache
def patches() -> fo.ForestClassifier:
    """Return a forest that sums millions of cells at each of three splits."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(claims, "FLOOR", 2**40):
        path = Path(folder) / "model.fol"
        save_patches(path)
        claim_patches(path, 10_000_000)
        forest: fo.ForestClassifier = fo.load(path)
    return forest


def images(n_rows: int = 3) -> Array:
    return np.broadcast_to(np.uint8(1), (n_rows, 1, 10_000_000))


# ---- the calls ----


def growth(estimator: Any, *targets: Array) -> Case:
    return lambda: lambda: estimator.fit(X, *targets)


def of(make: Callable[[], Any], call: Callable[[Any], object]) -> Case:
    """Return the case of a call of a forest."""

    def case() -> Callable[[], object]:
        forest = make()
        return lambda: call(forest)

    return case


def to_file(forest: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        forest.report(many(n_features=forest.n_features_in_), np.zeros(3_000_000), Path(folder) / "report.html")


def distances(n: int = 20_000) -> Array:
    return np.broadcast_to(np.arange(n, dtype=np.float64), (n, n))


@cache
def graph() -> Any:
    n = 300_000
    at = np.arange(n - 1)
    return sp.csr_array((np.ones(n - 1), (at, at + 1)), shape=(n, n))


def grown(family: Any, n_features: int) -> Case:
    """Return a fit that draws from a family."""

    def case() -> Callable[[], object]:
        rows = np.zeros((40, n_features), np.uint8)
        rows[:, :50] = RNG.integers(0, 9, size=(40, 50))
        forest = fo.ForestClassifier(10_000, projections=family() if callable(family) else family, n_jobs=2)
        return lambda: forest.fit(rows, np.arange(40) % 2)

    return case


ESTIMATORS: dict[str, Case] = {
    "ForestClassifier.fit": growth(fo.ForestClassifier(100_000, n_jobs=2), Y),
    "ForestClassifier.predict": of(classifier, lambda f: f.predict(many())),
    "ForestClassifier.predict_proba": of(classifier, lambda f: f.predict_proba(many())),
    "ForestClassifier.predict_log_proba": of(classifier, lambda f: f.predict_log_proba(many())),
    "ForestClassifier.predict_trees": of(classifier, lambda f: f.predict_trees(many(500_000))),
    "ForestClassifier.predict_interval": of(classifier, lambda f: f.predict_interval(many())),
    "ForestClassifier.score": of(classifier, lambda f: f.score(many(), np.zeros(3_000_000))),
    "ForestRegressor.fit": growth(fo.ForestRegressor(100_000, n_jobs=2), X[:, 0]),
    "ForestRegressor.predict": of(regressor, lambda f: f.predict(many(), quantiles=[0.1, 0.9])),
    "ForestRegressor.predict_trees": of(regressor, lambda f: f.predict_trees(many(1_000_000))),
    "ForestRegressor.predict_interval": of(regressor, lambda f: f.predict_interval(many())),
    "ForestRegressor.score": of(regressor, lambda f: f.score(many(), np.zeros(3_000_000))),
    "GeodesicForest.fit": growth(fo.GeodesicForest(100_000, n_jobs=2)),
    "GeodesicForest.embed": of(embedded, lambda f: f.embed()),
    "apply": of(regressor, lambda f: f.apply(many())),
    "cells": of(of_views, lambda f: f.cells(np.broadcast_to(np.float32(1.0), (3000, 1, 6000)))),
    "estimators_samples_": of(lambda: drawn(regressor()), lambda f: f.estimators_samples_),
    "feature_importances_": of(patches, lambda f: f.feature_importances_),
    "fit_transform": of(lambda: fo.ForestRegressor(100_000, n_jobs=2), lambda f: f.fit_transform(X, X[:, 0])),
    "importance": of(patches, lambda f: f.importance()),
    "kneighbors": of(stumps, lambda f: f.kneighbors()),
    "kneighbors_graph": of(stumps, lambda f: f.kneighbors_graph()),
    "leaf_polytope": of(patches, lambda f: f.leaf_polytope(0, 0)),
    "leaf_weights": of(lambda: drawn(regressor()), lambda f: f.leaf_weights(X[:3])),
    "outlier_score": of(stumps, lambda f: f.outlier_score()),
    "proximity": of(stumps, lambda f: f.proximity(min_value=1.0)),
    "remember": of(wide, lambda f: f.remember()),
    "report": of(regressor, to_file),
    "standard_error": of(lambda: drawn(regressor()), lambda f: f.standard_error(X[:3])),
    "transform": of(stumps, lambda f: f.transform(many(60_000, 3))),
    "tree": of(patches, lambda f: [f.tree(0).atom(split) for split in (0, 1, 2)]),
}


def pictured(display: Any, make: Callable[[], Any], *arguments: Any, **options: Any) -> Case:
    return of(make, lambda forest: display.from_estimator(forest, *arguments, **options))


def lines() -> Array:
    return RNG.standard_normal((40, 1, 400_000)).astype(np.float32)


FUNCTIONS: dict[str, Case] = {
    "gabor_bank": lambda: lambda: fo.gabor_bank(300, 60),
    "export.to_onnx": of(patches, export.to_onnx),
    "evaluation.evaluate": of(regressor, lambda f: evaluation.evaluate(f, many(), np.arange(3e6) % 3)),
    "metrics.geodesic_precision": lambda: lambda: fo.metrics.geodesic_precision(distances(), distances(), 9),
    "metrics.geodesic_recall": lambda: lambda: fo.metrics.geodesic_recall(distances(), distances(), 9),
    "metrics.geodesic_chance": lambda: lambda: fo.metrics.geodesic_chance(distances(), 9),
    "plotting.DecisionBoundary": pictured(plotting.DecisionBoundary, regressor, X, resolution=2000),
    "plotting.ForestProfile": pictured(plotting.ForestProfile, lambda: drawn(regressor())),
    "plotting.ImportanceMap": pictured(plotting.ImportanceMap, patches),
    "plotting.PatchAtlas": pictured(plotting.PatchAtlas, patches),
    "plotting.ProximityMap": pictured(plotting.ProximityMap, lambda: drawn(regressor())),
    "plotting.TreeView": pictured(plotting.TreeView, patches, images()),
}
SIMULATIONS: dict[str, Callable[[], object]] = {
    "bars": lambda: fo.simulations.bars(400_000),
    "circle": lambda: fo.simulations.circle(400_000),
    "gaussian_channels": lambda: fo.simulations.gaussian_channels(80_000),
    "gaussian_mixture": lambda: fo.simulations.gaussian_mixture(6000, noise_dimensions=3000),
    "helix": lambda: fo.simulations.helix(6000, noise_dimensions=3000),
    "impulse": lambda: fo.simulations.impulse(500_000),
    "impulse_posterior": lambda: fo.simulations.impulse_posterior(many(800_000, 100)),
    "line": lambda: fo.simulations.line(6000, noise_dimensions=3000),
    "linear_dynamics": lambda: fo.simulations.linear_dynamics(80_000),
    "orthant": lambda: fo.simulations.orthant(8_000_000),
    "overlapping_gaussians": lambda: fo.simulations.overlapping_gaussians(8_000_000),
    "overlapping_gaussians_posterior": lambda: fo.simulations.overlapping_gaussians_posterior(many(10_000_000, 4)),
    "sparse_parity": lambda: fo.simulations.sparse_parity(4_000_000),
    "sphere": lambda: fo.simulations.sphere(6000, noise_dimensions=3000),
    "surgical_outcome": lambda: fo.simulations.surgical_outcome(10_000),
    "trunk": lambda: fo.simulations.trunk(8_000_000),
    "trunk_posterior": lambda: fo.simulations.trunk_posterior(many(5_000_000, 10)),
}
FITS: dict[str, Case] = {
    "Atoms": grown(lambda: fo.Atoms(sp.random_array((20_000, 50_000), density=0.01, format="csr", rng=RNG)), 50_000),
    "Kernels": grown(lambda: fo.Kernels(np.ones((20, 30_000))), 100_000),
    "Mixture": grown(lambda: fo.Mixture([fo.Axis(), fo.Neighborhoods(graph(), size=(100_000, 300_000))]), 300_000),
    "Neighborhoods of hops": grown(lambda: fo.Neighborhoods(graph(), hops=(100_000, 200_000)), 300_000),
    "Neighborhoods of a size": grown(
        lambda: fo.Neighborhoods(graph(), size=(200_000, 300_000), weights="gaussian"), 300_000
    ),
    "Patches": grown(lambda: fo.Patches(max_size=200_000, weights="uniform"), 300_000),
    "Sparse": grown(lambda: fo.Sparse(nonzeros=100_000), 300_000),
    "views": lambda: lambda: fo.ForestClassifier(1000, projections="series").fit(lines(), np.arange(40) % 2),
    "screening": lambda: lambda: fo.GeodesicForest(10, screen=0.05).fit(RNG.standard_normal((1000, 20_000))),
    "honest": lambda: lambda: fo.ForestRegressor(100_000, honest=True).fit(X, X[:, 0]),
    "many draws of one tree": lambda: lambda: fo.ForestRegressor(1, max_samples=MANY).fit(X, X[:, 0]),
}
# Beside the first case of a call, others that take long elsewhere.
OTHERS: dict[str, Case] = {
    "embed by scaling": of(noise, lambda f: f.embed(method="mds")),
    "embed in many components": of(noise, lambda f: f.embed(20, n_neighbors=30)),
    "fit of text": lambda: (
        lambda: fo.ForestClassifier(1).fit(many(4_000_000, 1), np.array(["a", "b"] * 2_000_000, "O"))
    ),
}
CASES: dict[str, Case] = (
    ESTIMATORS
    | FUNCTIONS
    | OTHERS
    | {f"simulations.{name}": lambda call=call: call for name, call in SIMULATIONS.items()}
    | {f"fit of {name}": case for name, case in FITS.items()}
)

# What is never long, by construction.
_PARAMETERS = "reads or sets parameters"
_STORED = "looks up what is stored"
SHORT = {
    **dict.fromkeys(("get_params", "set_params", "set_callbacks", "set_output", "get_metadata_routing"), _PARAMETERS),
    **dict.fromkeys((f"set_{name}_request" for name in ("fit", "predict", "score", "transform")), _PARAMETERS),
    **dict.fromkeys(("classes_", "n_classes_", "feature_names_in_", "grid_shape_", "n_features_in_"), _STORED),
    **dict.fromkeys(("n_nodes_", "n_outputs_", "oob_decision_function_", "oob_prediction_", "oob_score_"), _STORED),
    **dict.fromkeys(("projections_", "screened_"), _STORED),
    "get_feature_names_out": "writes a name for each training row",
    "save": "writes 4 MB at a time; the leaves of training rows that it looks for take at most 16 MB",
    "load": "reads 4 MB at a time, and checks the trees one by one",
    "consistent": "reads parameters and the shape of X",
    "subsample_exponent": _PARAMETERS,
    "simulations.Manifold": "holds arrays",
    "simulations.impulse_bayes_error": "a sum of a hundred terms",
    "simulations.linear_dynamics_matrices": "matrices of nine numbers",
    **dict.fromkeys(("Atoms", "Axis", "Kernels", "Mixture", "Neighborhoods", "Patches", "Sparse"), "holds parameters"),
    **{f"plotting.{name}.plot": "draws again what from_estimator has found" for name in plotting.__all__},
}
QUICK = ("apply", "importance", "standard_error", "fit of Neighborhoods of a size", "metrics.geodesic_chance")
