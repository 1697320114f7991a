"""Everything that a forest from a file can be asked: one table for the tests and the fuzzers.

A file may be strange, so that a question may be refused by one of ``REFUSALS``. Nothing else may come of it.
"""

from __future__ import annotations

import copy
import pickle
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import foliation as fo
from foliation.analysis.atlas import atlas, chosen_atoms
from foliation.analysis.description import facts
from foliation.data.arrays import Array

Forest = Any
Question = Callable[[Forest], object]
RowQuestion = Callable[[Forest, Array], object]

REFUSALS = (ValueError, MemoryError)

# What the file alone answers.
OF_FILE: dict[str, Question] = {
    "repr": repr,
    "facts": lambda forest: facts(forest.model_, type(forest).__name__),
    "attributes": lambda forest: (forest.n_features_in_, forest.n_outputs_, forest.n_nodes_.sum(), forest.grid_shape_),
    "tree text": lambda forest: forest.tree(0).text(),
    "tree atom": lambda forest: [forest.tree(0).atom(split) for split in range(min(3, forest.tree(0).n_splits))],
    "tree paths": lambda forest: [forest.tree(0).path(leaf) for leaf in range(min(3, forest.tree(0).n_leaves))],
    "tree leaves": lambda forest: (forest.tree(-1).leaf_depths(), forest.tree(-1).leaves_below(~0)),
    "leaf_polytope": lambda forest: forest.leaf_polytope(0, 0),
    "importance by count": lambda forest: forest.importance(),
    "importance by gain": lambda forest: forest.importance("gain"),
    "feature_importances_": lambda forest: forest.feature_importances_,
    "atlas": lambda forest: atlas(forest.model_),
    "chosen atoms": lambda forest: chosen_atoms(forest.model_, 5),
    "to_onnx": lambda forest: fo.export.to_onnx(forest) if forest.n_outputs_ else None,
    "estimators_samples_": lambda forest: forest.estimators_samples_,
    "proximity": lambda forest: forest.proximity(),
    "dense proximity": lambda forest: forest.proximity(sparse=False),
    "proximity in bag": lambda forest: forest.proximity(rows="in_bag"),
    "proximity out of bag": lambda forest: forest.proximity(rows="oob"),
    "kneighbors": lambda forest: forest.kneighbors(n_neighbors=2),
    "kneighbors out of bag": lambda forest: forest.kneighbors(n_neighbors=2, rows="oob"),
    "kneighbors_graph": lambda forest: forest.kneighbors_graph(n_neighbors=2),
    "outlier_score": lambda forest: forest.outlier_score(),
    "oob_score_": lambda forest: getattr(forest, "oob_score_", None),
    "oob prediction": lambda forest: getattr(forest, "oob_prediction_", getattr(forest, "oob_decision_function_", 0)),
    "screened_": lambda forest: getattr(forest, "screened_", None),
    "deepcopy": copy.deepcopy,
    "pickle": lambda forest: pickle.loads(pickle.dumps(forest)),
    "save": lambda forest: _save(forest),
}

# What rows are needed for; ``rows`` fit the forest.
OF_ROWS: dict[str, RowQuestion] = {
    "apply": lambda forest, rows: forest.apply(rows),
    "proximity of rows": lambda forest, rows: forest.proximity(rows),
    "kneighbors of rows": lambda forest, rows: forest.kneighbors(rows, n_neighbors=2),
    "kneighbors of rows out of bag": lambda forest, rows: forest.kneighbors(rows, n_neighbors=2, rows="oob"),
    "transform": lambda forest, rows: forest.transform(rows, n_neighbors=2),
    "outlier_score of rows": lambda forest, rows: forest.outlier_score(rows),
}

# What a classifier or a regressor can be asked besides.
OF_PREDICTORS: dict[str, RowQuestion] = {
    "predict": lambda forest, rows: forest.predict(rows),
    "predict_trees": lambda forest, rows: forest.predict_trees(rows),
    "predict_interval": lambda forest, rows: forest.predict_interval(rows),
    "standard_error": lambda forest, rows: forest.standard_error(rows),
    "leaf_weights": lambda forest, rows: forest.leaf_weights(rows),
}
OF_CLASSIFIERS: dict[str, RowQuestion] = {
    "predict_proba": lambda forest, rows: forest.predict_proba(rows),
    "predict_log_proba": lambda forest, rows: forest.predict_log_proba(rows),
}
OF_REGRESSORS: dict[str, RowQuestion] = {
    "quantiles": lambda forest, rows: forest.predict(rows, quantiles=[0.1, 0.5]),
    "standard deviation": lambda forest, rows: forest.predict(rows, return_std=True),
}
_OF_KIND = {fo.ForestClassifier: OF_CLASSIFIERS, fo.ForestRegressor: OF_REGRESSORS}

# Pictures take some tenths of a second each, of which matplotlib takes most.
PICTURES: dict[str, Question] = {
    "ImportanceMap": lambda forest: fo.plotting.ImportanceMap.from_estimator(forest),
    "PatchAtlas": lambda forest: fo.plotting.PatchAtlas.from_estimator(forest),
    "ForestProfile": lambda forest: fo.plotting.ForestProfile.from_estimator(forest),
    "TreeView": lambda forest: fo.plotting.TreeView.from_estimator(forest, rows_of(forest)),
    "ProximityMap": lambda forest: fo.plotting.ProximityMap.from_estimator(forest),
}


def _save(forest: Forest) -> None:
    with tempfile.TemporaryDirectory() as folder:
        forest.save(Path(folder) / "model.fol")


def rows_of(forest: Forest, n_rows: int = 3) -> Array:
    """Return rows of zeros that fit a forest; they take no memory, however many features it claims."""
    return np.broadcast_to(np.zeros(1, np.uint8), (n_rows, *forest.model_.grid.shape))


def consumers(forest: Forest, *, pictures: bool = False) -> dict[str, Callable[[], object]]:
    """Return all questions that a forest, as it was loaded, can be asked, by name."""
    of_file = OF_FILE | (PICTURES if pictures else {})
    of_rows = OF_ROWS | (OF_PREDICTORS if forest.n_outputs_ else {}) | _OF_KIND.get(type(forest), {})
    questions: dict[str, Callable[[], object]] = {name: partial(ask, forest) for name, ask in of_file.items()}
    return questions | {name: partial(_ask_of_rows, ask, forest) for name, ask in of_rows.items()}


def _ask_of_rows(ask: RowQuestion, forest: Forest) -> object:
    return ask(forest, rows_of(forest))
