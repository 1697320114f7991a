"""YDF's random forest, axis-aligned and sparse oblique, grown as deep as the others."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from .contract import Array, Candidates, Counts, Runner, Task, flat32

_LEAST = 5  # projections that YDF tries at least, if there are so many features
_DISTINCT = 1.0 - math.exp(-1.0)  # of the rows of a bootstrap
_SAMPLED_TREES = 10
_THREADS = 2  # to predict; all workloads of YDF have as many


def n_projections(n_features: int, exponent: float, most: int) -> int:
    """Return how many projections YDF tries at a node: min(ceil(p^exponent), most), and at least five."""
    return max(min(int(0.5 + math.ceil(n_features**exponent)), most), min(_LEAST, n_features))


def exponent_for(n_features: int, candidates: int) -> float:
    """Return an exponent that asks for a little more than the candidates; the limit cuts the rest."""
    return math.log(candidates + 1) / math.log(max(2, n_features))


def _fit(family: str, task: Task, X: Array, y: Array) -> Any:
    import ydf

    ydf.verbose(0)
    shared = {
        "label": "y",
        "num_trees": task.trees,
        "max_depth": -1,
        "min_examples": 1,
        "winner_take_all": False,
        "compute_oob_performances": False,
        "num_threads": task.threads,
        "random_seed": task.seed,
    }
    if family == "axis":
        learner = ydf.RandomForestLearner(num_candidate_attributes=min(task.candidates, X.shape[1]), **shared)
    else:
        learner = ydf.RandomForestLearner(
            split_axis="SPARSE_OBLIQUE",
            sparse_oblique_num_projections_exponent=exponent_for(X.shape[1], task.candidates),
            sparse_oblique_max_num_projections=task.candidates,
            sparse_oblique_projection_density_factor=task.nonzeros,
            **shared,
        )
    return learner.train({"x": X, "y": y})


def _vertical(model: Any, X: Array) -> Any:
    import ydf

    names = model.input_feature_names()
    return ydf.create_vertical_dataset({"x": X}, data_spec=model.data_spec(), required_columns=names)


def _labels(model: Any, predictions: Array) -> Array:
    scores = predictions if predictions.ndim == 2 else np.stack([1.0 - predictions, predictions], axis=1)
    classes = np.array([int(name) for name in model.label_classes()])
    return np.asarray(classes[scores.argmax(axis=1)])


def tree_counts(root: Any) -> tuple[int, int, float, float]:
    """Return splits, leaves, rows of all splits together, and rows of the tree; rows as the bootstrap repeats them."""
    splits = leaves = 0
    passed = 0.0
    todo = [root]
    while todo:
        node = todo.pop()
        if hasattr(node, "pos_child"):
            splits += 1
            passed += node.value.num_examples
            todo += [node.pos_child, node.neg_child]
        else:
            leaves += 1
    return splits, leaves, passed, root.value.num_examples


def _count(model: Any, train: Array, test: Any) -> Counts:
    """Estimate rows and visits from some trees: a test row is taken to pass as many splits as a training row."""
    trees = model.num_trees()
    some = min(_SAMPLED_TREES, trees)
    counts = np.array([tree_counts(model.get_tree(number).root) for number in range(some)], dtype=float)
    passed, rows = counts[:, 2].sum(), counts[:, 3].sum()
    nodes = int(model.num_nodes())
    return Counts(
        trees,
        (nodes - trees) // 2,
        (nodes + trees) // 2,
        passed * _DISTINCT * trees / some,
        passed / rows * trees * test.shape[0],
    )


def _candidates(family: str, task: Task, X: Array) -> Candidates:
    p = int(np.prod(X.shape[1:]))
    if family == "axis":
        return Candidates(min(task.candidates, p), 0.0, "derived", at_least=True)
    return Candidates(n_projections(p, exponent_for(p, task.candidates), task.candidates), 0.0, "derived")


def _load(path: str) -> Any:
    import ydf

    return ydf.load_model(path)


def runner(family: str) -> Runner:
    return Runner(
        "ydf",
        prepare=flat32,
        fit=partial(_fit, family),
        predict=lambda model, rows: np.asarray(model.predict(rows, num_threads=_THREADS)),
        count=_count,
        candidates=partial(_candidates, family),
        labels=_labels,
        for_test=_vertical,
        one_row=lambda model, X: partial(model.predict, {"x": X[:1]}),
        save=lambda model, path: model.save(path),
        load=_load,
    )
