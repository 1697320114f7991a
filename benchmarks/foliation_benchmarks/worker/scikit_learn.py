"""scikit-learn's random forest, and the counts of everything that keeps its trees."""

from __future__ import annotations

from functools import partial
from typing import Any

from .contract import Array, Candidates, Counts, Runner, Task, flat32
from .depths import node_depths


def count_trees(forest: Any, train: Array, test: Array) -> Counts:
    """Look into trees of scikit-learn's kind; ``n_node_samples`` are the distinct in-bag rows of a node."""
    at_test = forest.apply(test)
    splits = leaves = row_splits = visits = 0
    for number, estimator in enumerate(forest.estimators_):
        tree = estimator.tree_
        left, right = tree.children_left, tree.children_right
        inner = left >= 0
        splits += int(inner.sum())
        leaves += int((~inner).sum())
        row_splits += int(tree.n_node_samples[inner].sum())
        visits += int(node_depths(left, right)[at_test[:, number]].sum())
    return Counts(len(forest.estimators_), splits, leaves, row_splits, visits)


def one_row(forest: Any, X: Array) -> Any:
    forest.n_jobs = 1  # threads cost it more than they bring here
    return partial(forest.predict_proba, X[:1])


def _fit(task: Task, X: Array, y: Array) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(
        task.trees,
        max_features=min(task.candidates, X.shape[1]),
        n_jobs=task.threads,
        random_state=task.seed,
        **task.options,
    )
    return forest.fit(X, y)


def brute_force_neighbors(forest: Any, X: Array, k: int) -> Array:
    """Compare the leaves of all rows with those of all others."""
    from sklearn.neighbors import NearestNeighbors

    leaves = forest.apply(X)
    search = NearestNeighbors(n_neighbors=k, metric="hamming", algorithm="brute", n_jobs=forest.n_jobs)
    row_ids: Array = search.fit(leaves).kneighbors(return_distance=False)
    return row_ids


def _candidates(task: Task, X: Array) -> Candidates:
    return Candidates(min(task.candidates, X.shape[1]), 0.0, "derived")


def runner() -> Runner:
    return Runner(
        "scikit-learn",
        prepare=flat32,
        fit=_fit,
        predict=lambda forest, X: forest.predict_proba(X),
        count=count_trees,
        candidates=_candidates,
        one_row=one_row,
        neighbors=brute_force_neighbors,
    )
