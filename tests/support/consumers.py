"""Everything that a forest from a file can be asked: one table for the tests and the fuzzers.

A question is named after the public call that it asks, with a variant after a colon. A file may be strange, so that a
question may be refused by one of ``REFUSALS``. Nothing else may come of it.
"""

from __future__ import annotations

import copy
import hashlib
import pickle
import tempfile
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from asked_commands import COMMANDS, COMMANDS_OF_GEODESIC, COMMANDS_OF_PREDICTORS

import foliation as fo
from foliation import evaluation, export, plotting
from foliation.analysis.atlas import atlas, chosen_atoms
from foliation.analysis.description import facts
from foliation.data.arrays import Array

Forest = Any
Question = Callable[[Forest], object]
RowQuestion = Callable[[Forest, Array], object]

REFUSALS = (ValueError, MemoryError)
SLOW_SHARE = 4  # one file in so many is asked a slow question

# What the file alone answers.
OF_FILE: dict[str, Question] = {
    "repr": repr,
    "facts": lambda forest: facts(forest.model_, type(forest).__name__),
    "n_features_in_": lambda forest: forest.n_features_in_,
    "n_outputs_": lambda forest: forest.n_outputs_,
    "n_nodes_": lambda forest: forest.n_nodes_.sum(),
    "grid_shape_": lambda forest: forest.grid_shape_,
    "projections_": lambda forest: repr(forest.projections_),
    "feature_names_in_": lambda forest: forest.feature_names_in_ if _has(forest, "feature_names") else None,
    "get_params": lambda forest: repr(forest.get_params()),
    "get_feature_names_out": lambda forest: forest.get_feature_names_out(),
    "tree: text": lambda forest: forest.tree(0).text(),
    "tree: atom": lambda forest: [forest.tree(0).atom(split) for split in range(min(3, forest.tree(0).n_splits))],
    "tree: label": lambda forest: [forest.tree(0).label(split) for split in range(min(3, forest.tree(0).n_splits))],
    "tree: path": lambda forest: [forest.tree(0).path(leaf) for leaf in range(min(3, forest.tree(0).n_leaves))],
    "tree: leaves": lambda forest: (forest.tree(-1).leaf_depths(), forest.tree(-1).leaves_below(~0)),
    "leaf_polytope": lambda forest: forest.leaf_polytope(0, 0),
    "importance: count": lambda forest: forest.importance(),
    "importance: gain": lambda forest: forest.importance("gain"),
    "feature_importances_": lambda forest: forest.feature_importances_,
    "atlas": lambda forest: atlas(forest.model_),
    "chosen atoms": lambda forest: chosen_atoms(forest.model_, 5),
    "estimators_samples_": lambda forest: forest.estimators_samples_,
    "proximity": lambda forest: forest.proximity(),
    "proximity: dense": lambda forest: forest.proximity(sparse=False),
    "proximity: in bag": lambda forest: forest.proximity(rows="in_bag"),
    "proximity: out of bag": lambda forest: forest.proximity(rows="oob"),
    "kneighbors": lambda forest: forest.kneighbors(n_neighbors=2),
    "kneighbors: out of bag": lambda forest: forest.kneighbors(n_neighbors=2, rows="oob"),
    "kneighbors_graph": lambda forest: forest.kneighbors_graph(n_neighbors=2),
    "outlier_score": lambda forest: forest.outlier_score(),
    "remember": lambda forest: forest.remember(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda forest: pickle.loads(pickle.dumps(forest)),
    "save": lambda forest: _in_folder(lambda folder: forest.save(folder / "model.fol")),
}

# What rows are needed for; ``rows`` fit the forest.
OF_ROWS: dict[str, RowQuestion] = {
    "apply": lambda forest, rows: forest.apply(rows),
    "cells": lambda forest, rows: forest.cells(rows),
    "proximity: rows": lambda forest, rows: forest.proximity(rows),
    "kneighbors: rows": lambda forest, rows: forest.kneighbors(rows, n_neighbors=2),
    "kneighbors: rows, out of bag": lambda forest, rows: forest.kneighbors(rows, n_neighbors=2, rows="oob"),
    "transform": lambda forest, rows: forest.transform(rows, n_neighbors=2),
    "outlier_score: rows": lambda forest, rows: forest.outlier_score(rows),
    "remember: rows": lambda forest, rows: forest.remember(rows),
}

# What a classifier or a regressor can be asked besides.
OF_PREDICTORS: dict[str, RowQuestion] = {
    "predict": lambda forest, rows: forest.predict(rows),
    "predict_trees": lambda forest, rows: forest.predict_trees(rows),
    "predict_interval": lambda forest, rows: forest.predict_interval(rows),
    "standard_error": lambda forest, rows: forest.standard_error(rows),
    "leaf_weights": lambda forest, rows: forest.leaf_weights(rows),
    "score": lambda forest, rows: forest.score(rows, targets_of(forest)),
    "oob_score_": lambda forest, _: forest.oob_score_ if _has(forest, "oob_score") else None,
    "consistent": lambda forest, rows: repr(fo.consistent(forest, rows)),
    "evaluation.evaluate": lambda forest, rows: str(evaluation.evaluate(forest, rows, targets_of(forest))),
    "export.to_onnx": lambda forest, _: export.to_onnx(forest),
}
OF_CLASSIFIERS: dict[str, RowQuestion] = {
    "predict_proba": lambda forest, rows: forest.predict_proba(rows),
    "predict_log_proba": lambda forest, rows: forest.predict_log_proba(rows),
    "classes_": lambda forest, _: forest.classes_,
    "n_classes_": lambda forest, _: forest.n_classes_,
    "oob_decision_function_": lambda forest, _: forest.oob_decision_function_ if _has(forest, "oob_score") else None,
}
OF_REGRESSORS: dict[str, RowQuestion] = {
    "predict: quantiles": lambda forest, rows: forest.predict(rows, quantiles=[0.1, 0.5]),
    "predict: standard deviation": lambda forest, rows: forest.predict(rows, return_std=True),
    "oob_prediction_": lambda forest, _: forest.oob_prediction_ if _has(forest, "oob_score") else None,
}
OF_GEODESIC: dict[str, RowQuestion] = {
    "screened_": lambda forest, _: forest.screened_ if _has(forest, "screened") else None,
}
OF_KIND = {fo.ForestClassifier: OF_CLASSIFIERS, fo.ForestRegressor: OF_REGRESSORS, fo.GeodesicForest: OF_GEODESIC}

# What takes some tenths of a second each, most of it in matplotlib and scikit-learn.
SLOW: dict[str, RowQuestion] = {
    "plotting.ForestProfile": lambda forest, _: _drawn(plotting.ForestProfile.from_estimator(forest)),
    "plotting.ImportanceMap": lambda forest, rows: _drawn(plotting.ImportanceMap.from_estimator(forest, rows)),
    "plotting.PatchAtlas": lambda forest, _: _drawn(plotting.PatchAtlas.from_estimator(forest)),
    "plotting.ProximityMap": lambda forest, _: _drawn(plotting.ProximityMap.from_estimator(forest)),
    "plotting.TreeView": lambda forest, rows: _drawn(plotting.TreeView.from_estimator(forest, rows)),
}
SLOW_OF_PREDICTORS: dict[str, RowQuestion] = {
    "plotting.DecisionBoundary": lambda forest, rows: _drawn(
        plotting.DecisionBoundary.from_estimator(forest, rows, resolution=10)
    ),
    "report": lambda forest, rows: _in_folder(
        lambda folder: forest.report(rows, targets_of(forest), folder / "report.html")
    ),
}
SLOW_OF_GEODESIC: dict[str, RowQuestion] = {
    "embed": lambda forest, _: forest.embed(random_state=0),
    "embed: mds": lambda forest, _: forest.embed(method="mds", random_state=0),
}

_FIT = "grows trees from the caller's samples, as the parameters say; the target `training` does that"
_PARAMETERS = "reads or sets parameters, which `get_params` shows"
# What is not asked, and why.
UNASKED = {
    **dict.fromkeys(("fit", "fit_transform"), _FIT),
    **dict.fromkeys(("set_params", "set_callbacks", "set_output", "get_metadata_routing"), _PARAMETERS),
    **dict.fromkeys((f"set_{name}_request" for name in ("fit", "predict", "score", "transform")), _PARAMETERS),
    **{f"plotting.{name}.plot": "from_estimator calls it" for name in plotting.__all__},
    "foliation fit": _FIT,
    "foliation demo": "reads no file",
}


def consumers(forest: Forest) -> dict[str, Callable[[], object]]:
    """Return the fast questions that a forest, as it was loaded, can be asked, by name."""
    of_rows = OF_ROWS | (OF_PREDICTORS if forest.n_outputs_ else {}) | OF_KIND[type(forest)]
    questions: dict[str, Callable[[], object]] = {name: partial(ask, forest) for name, ask in OF_FILE.items()}
    return questions | {name: partial(_ask_of_rows, ask, forest) for name, ask in of_rows.items()}


def slow_consumers(forest: Forest, path: Path) -> dict[str, Callable[[], object]]:
    """Return the slow questions: pictures, reports, embeddings, and the commands, which load the file themselves."""
    of_rows = SLOW | (SLOW_OF_PREDICTORS if forest.n_outputs_ else SLOW_OF_GEODESIC)
    commands = COMMANDS | (COMMANDS_OF_PREDICTORS if forest.n_outputs_ else COMMANDS_OF_GEODESIC)
    questions: dict[str, Callable[[], object]] = {name: partial(_ask_of_rows, a, forest) for name, a in of_rows.items()}
    return questions | {name: partial(_ask_command, ask, forest, path) for name, ask in commands.items()}


def drawn_question(content: bytes, slow: dict[str, Callable[[], object]]) -> dict[str, Callable[[], object]]:
    """Return one of the slow questions for one in ``SLOW_SHARE`` files, as the bytes of the file say; else none."""
    number, is_other = divmod(int.from_bytes(hashlib.sha256(content).digest()[:8]), SLOW_SHARE)
    name = list(slow)[number % len(slow)]
    return {} if is_other else {name: slow[name]}


def rows_of(forest: Forest, n_rows: int = 3) -> Array:
    """Return rows of zeros that fit a forest; they take no memory, however many features it claims."""
    return np.broadcast_to(np.zeros(1, np.uint8), (n_rows, *forest.model_.grid.shape))


def targets_of(forest: Forest, n_rows: int = 3) -> Array:
    """Return targets for as many rows: all classes in turn, or numbers."""
    targets = forest.model_.targets
    columns = [np.resize(labels, n_rows) for labels in targets.classes] or [np.arange(n_rows)] * targets.n_outputs
    return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)


def _has(forest: Forest, field: str) -> bool:
    return getattr(forest.model_, field) is not None


def _drawn(display: Any) -> None:
    display.figure_.savefig(BytesIO(), format="png")


def _in_folder(call: Callable[[Path], object]) -> object:
    with tempfile.TemporaryDirectory() as folder:
        return call(Path(folder))


def _ask_of_rows(ask: RowQuestion, forest: Forest) -> object:
    return ask(forest, rows_of(forest))


def _ask_command(ask: Callable[..., object], forest: Forest, model: Path) -> object:
    def call(folder: Path) -> object:
        arrays: dict[str, Any] = {"X": rows_of(forest)} | ({"y": targets_of(forest)} if forest.n_outputs_ else {})
        np.savez(folder / "data.npz", **arrays)
        return ask(model, folder)

    return _in_folder(call)
