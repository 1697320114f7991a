"""Our own forests: single features, sparse sums, patches."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from .contract import Array, Candidates, Counts, Runner, Task
from .depths import leaf_depths

_SPLIT_ARRAYS = ("children", "threshold", "gain", "atom_start", "atom_words")


def _projections(family: str, task: Task) -> Any:
    import foliation as fo

    if family == "axis":
        return fo.Axis()
    if family == "sparse":
        return fo.Sparse(nonzeros=task.nonzeros)
    patch = task.patch_sizes()
    return fo.Patches(min_size=patch.low, max_size=patch.high, wrap=patch.wrap)


def _fit(family: str, honest: bool, task: Task, X: Array, y: Array) -> Any:
    import foliation as fo

    forest = fo.ForestClassifier(
        task.trees,
        projections=_projections(family, task),
        max_features=task.candidates,
        n_jobs=task.threads,
        random_state=task.seed,
        honest=honest,
        **task.options,
    )
    return forest.fit(X, y)


def count(forest: Any, train: Array, test: Array) -> Counts:
    from foliation.model.training import structure_samples

    model = forest.model_
    arrays = model.trees.arrays()
    n_splits, n_leaves = int(arrays["split_start"][-1]), int(arrays["leaf_start"][-1])
    at_train, at_test = forest.apply(train), forest.apply(test)
    row_splits = visits = 0
    for tree in range(len(arrays["split_start"]) - 1):
        growing, one = structure_samples(model, tree).rows, forest.tree(tree)
        depths = leaf_depths(one.children, one.n_leaves)
        row_splits += int(depths[at_train[growing, tree]].sum())
        visits += int(depths[at_test[:, tree]].sum())
    return Counts(
        len(arrays["split_start"]) - 1,
        n_splits,
        n_leaves,
        row_splits,
        visits,
        sum(arrays[name].nbytes for name in _SPLIT_ARRAYS) / max(1, n_splits),
        sum(array.nbytes for array in arrays.values()),
    )


def candidates(family: str, task: Task, X: Array) -> Candidates:
    """Return the candidates of a node; our families never draw an empty one."""
    asked = min(task.candidates, math.prod(X.shape[1:])) if family == "axis" else task.candidates
    return Candidates(asked, 0.0, "derived")


def neighbors(forest: Any, X: Array, k: int) -> Array:
    row_ids: Array = forest.kneighbors(n_neighbors=k, return_distance=False)
    return row_ids


def _one_row(forest: Any, X: Array) -> Any:
    forest.n_jobs = 1
    return partial(forest.predict_proba, X[:1])


def _load(path: str) -> Any:
    import foliation as fo

    return fo.load(path, mmap=True)


def runner(family: str, honest: bool = False) -> Runner:
    return Runner(
        "foliation",
        prepare=lambda X: X,
        fit=partial(_fit, family, honest),
        predict=lambda forest, X: forest.predict_proba(X),
        count=count,
        candidates=partial(candidates, family),
        one_row=_one_row,
        neighbors=neighbors,
        save=lambda forest, path: forest.save(path),
        load=_load,
    )
