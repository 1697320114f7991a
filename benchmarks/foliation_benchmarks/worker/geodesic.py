"""Contenders that see no labels: our geodesic forest, treeple's unsupervised one, UMAP.

treeple's ``fit`` ends with a matrix of all similarities and a clustering; a forest that stops after its trees is
measured as well. Its draws have the form of those of its oblique classifier.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from . import ours, treeple
from .contract import Array, Candidates, Counts, Runner, Task, flat32
from .scikit_learn import count_trees


def _fit_ours(splitter: str, task: Task, X: Array, y: Array) -> Any:
    import foliation as fo

    forest = fo.GeodesicForest(
        task.trees,
        projections=fo.Sparse(nonzeros=task.nonzeros),
        splitter=splitter,
        max_features=task.candidates,
        n_jobs=task.threads,
        random_state=task.seed,
        **task.options,
    )
    return forest.fit(X)


def ours_runner(splitter: str) -> Runner:
    return Runner(
        "foliation",
        prepare=lambda X: X,
        fit=partial(_fit_ours, splitter),
        predict=lambda forest, X: forest.apply(X),
        count=ours.count,
        candidates=partial(ours.candidates, "sparse"),
        labels=None,
        neighbors=ours.neighbors,
    )


def _fit_treeple(trees_alone: bool, task: Task, X: Array, y: Array) -> Any:
    from treeple import UnsupervisedObliqueRandomForest

    forest = UnsupervisedObliqueRandomForest(
        task.trees,
        criterion="fastbic",
        max_features=treeple.asked_for(task),
        feature_combinations=task.nonzeros,
        n_jobs=task.threads,
        random_state=task.seed,
        **{name: value for name, value in task.options.items() if name != "patience"},  # its nodes never draw on
    )
    if trees_alone:
        forest.compute_similarity_matrix = forest._assign_labels = lambda rows: None
    return forest.fit(X)


def treeple_runner(trees_alone: bool) -> Runner:
    return Runner(
        "treeple",
        prepare=flat32,
        fit=partial(_fit_treeple, trees_alone),
        predict=lambda forest, X: forest.apply(X),
        count=count_trees,
        candidates=lambda task, X: treeple.derived_candidates(task),
        labels=None,
    )


def _fit_umap(task: Task, X: Array, y: Array) -> Any:
    """Build the graph and the layout. With a seed it would use one thread; few rows are to go the way of many."""
    from umap import UMAP

    return UMAP(n_neighbors=task.neighbors, n_jobs=task.threads, force_approximation_algorithm=True).fit(X)


def _neighbors_in_layout(model: Any, X: Array, k: int) -> Array:
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=k, n_jobs=model.n_jobs).fit(model.embedding_)
    row_ids: Array = search.kneighbors(return_distance=False)
    return row_ids


def umap_runner() -> Runner:
    return Runner(
        "umap-learn",
        prepare=flat32,
        fit=_fit_umap,
        predict=lambda model, X: model.transform(X),
        count=lambda model, train, test: Counts(0),
        candidates=lambda task, X: Candidates(0, 0.0, "not a forest"),
        labels=None,
        neighbors=_neighbors_in_layout,
    )
