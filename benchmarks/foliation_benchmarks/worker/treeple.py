"""treeple's oblique and patch forests, asked for so many candidates that the non-empty ones are as many as ours."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .contract import Array, Candidates, Runner, Task, flat32
from .scikit_learn import count_trees, one_row

_MATRICES = 50


def oblique_empty_share(n_candidates: int, nonzeros: float) -> float:
    """Return the expected share of empty candidates when ``nonzeros`` signs for each of m are thrown over all m."""
    return (1.0 - 1.0 / n_candidates) ** int(nonzeros * n_candidates)


def asked_for(task: Task) -> int:
    """Return the number of oblique candidates of which about as many as the task wants are not empty."""
    wanted = task.candidates
    around = range(wanted, 2 * wanted + 2)
    return min(around, key=lambda m: abs(m * (1.0 - oblique_empty_share(m, task.nonzeros)) - wanted))


def derived_candidates(task: Task) -> Candidates:
    asked = asked_for(task)
    return Candidates(asked, oblique_empty_share(asked, task.nonzeros), "derived")


def _patch_dims(task: Task) -> dict[str, Any]:
    patch, shape = task.patch_sizes(), task.shape
    lead = [1] * (2 - len(shape))  # a line is an image of one row
    dims = {"min_patch_dims": patch.low, "max_patch_dims": patch.high, "data_dims": shape}
    return {name: np.array([*lead, *sizes], dtype=np.intp) for name, sizes in dims.items()}


def _fit(family: str, task: Task, X: Array, y: Array) -> Any:
    from treeple import ObliqueRandomForestClassifier, PatchObliqueRandomForestClassifier

    shared = {"n_jobs": task.threads, "random_state": task.seed, **task.options}
    if family == "patches":
        forest = PatchObliqueRandomForestClassifier(
            task.trees, max_features=task.candidates, **_patch_dims(task), **shared
        )
    else:
        forest = ObliqueRandomForestClassifier(
            task.trees, max_features=asked_for(task), feature_combinations=task.nonzeros, **shared
        )
    return forest.fit(X, y)


def _neighbors(forest: Any, X: Array, k: int) -> Array:
    """Take the nearest from its matrix of all similarities."""
    similarity = forest.compute_similarity_matrix(X)
    np.fill_diagonal(similarity, -1.0)
    return np.argpartition(-similarity, k, axis=1)[:, :k]


def _splitter(family: str, task: Task, asked: int) -> Any:
    """Return treeple's own test double of the splitter that such a forest uses."""
    from treeple._lib.sklearn.tree._criterion import Gini
    from treeple.tree._oblique_splitter import BestObliqueSplitterTester
    from treeple.tree.manifold._morf_splitter import BestPatchSplitterTester

    shared = (Gini(1, np.array([2], dtype=np.intp)), asked, 1, 0.0, np.random.RandomState(0), None, task.nonzeros)
    if family == "oblique":
        return BestObliqueSplitterTester(*shared)
    dims = _patch_dims(task)
    ordered = np.ones(len(dims["data_dims"]), dtype=bool)
    sizes = (dims["min_patch_dims"], dims["max_patch_dims"], ordered, dims["data_dims"])
    return BestPatchSplitterTester(*shared, *sizes, None, None)


def _candidates(family: str, task: Task, X: Array) -> Candidates:
    derived = derived_candidates(task) if family == "oblique" else Candidates(task.candidates, 0.0, "derived")
    try:
        splitter = _splitter(family, task, derived.asked)
        rows = flat32(X[:40])
        targets = (np.arange(len(rows)) % 2).astype(np.float64)[:, None]
        splitter.init_test(rows, targets, np.ones(len(rows)), np.zeros(rows.shape[1], dtype=np.uint8))
        drawn = [np.asarray(splitter.sample_projection_matrix_py()) for _ in range(_MATRICES)]
    except (ImportError, AttributeError, TypeError, ValueError):
        return derived
    return Candidates(derived.asked, float(np.mean([~matrix.any(axis=1) for matrix in drawn])), "counted")


def runner(family: str) -> Runner:
    return Runner(
        "treeple",
        prepare=flat32,
        fit=partial(_fit, family),
        predict=lambda forest, X: forest.predict_proba(X),
        count=count_trees,
        candidates=partial(_candidates, family),
        one_row=one_row,
        neighbors=_neighbors,
    )
