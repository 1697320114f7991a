"""Contenders without labels: what they are asked for, what is measured, which limits hold."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from made_up import outcome, table

import foliation as fo
from foliation_benchmarks import data, limits, values
from foliation_benchmarks.contenders import GEODESIC, TREEPLE_GEODESIC, UMAP, Contender
from foliation_benchmarks.figure import scale_figure
from foliation_benchmarks.geodesic import GEODESIC_UMAP, NARROW, UNLABELED, WIDE
from foliation_benchmarks.page import page
from foliation_benchmarks.scale import GEODESIC_ROWS
from foliation_benchmarks.targets import HELD, MISSED
from foliation_benchmarks.worker import geodesic, treeple
from foliation_benchmarks.worker.contract import Task
from foliation_benchmarks.worker.measure import measure
from foliation_benchmarks.worker.runners import RUNNERS
from foliation_benchmarks.workload import Data, Workload
from foliation_experiments.harness.table import Table

BY_DEFAULT = (GEODESIC_UMAP, *GEODESIC_ROWS.points)


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    folder = data.write(Data("clusters", 300, 50, (10, 3)), tmp_path_factory.mktemp("clusters"))
    return Task("", str(folder), trees=20, candidates=3, threads=1, shape=(10,), neighbors=7, nonzeros=2)


def task_of(workload: Workload, contender: Contender, folder: Path) -> Task:
    np.save(folder / "X_train.npy", np.zeros((2, 3)))
    return workload.task(contender, 0, folder)


@pytest.mark.parametrize("workload", BY_DEFAULT, ids=lambda workload: workload.name)
def test_workloads_of_the_class_as_it_is_ask_for_its_defaults(workload: Workload, tmp_path: Path) -> None:
    X = data.clusters(replace(workload.data, n=300))[0]
    asked = RUNNERS[GEODESIC.runner]().fit(replace(task_of(workload, GEODESIC, tmp_path), trees=3), X, X)
    usual = fo.GeodesicForest(3, random_state=0).fit(X)
    np.testing.assert_array_equal(asked.model_.trees.atom_words, usual.model_.trees.atom_words)
    np.testing.assert_array_equal(asked.model_.trees.threshold, usual.model_.trees.threshold)
    assert workload.trees == fo.GeodesicForest().n_estimators
    assert workload.neighbors == fo.GeodesicForest().n_neighbors


@pytest.mark.parametrize("runner", ["ours_geodesic", "ours_geodesic_exact"])
def test_a_worker_measures_all_but_errors(task: Task, runner: str) -> None:
    found = measure(replace(task, runner=runner))
    assert found["error"] is None
    assert (found["trees"], found["effective"], found["n_test"]) == (20, 3.0, 50)
    assert found["leaves"] == found["splits"] + 20
    assert found["pairs"] == 3 * found["row_splits"]


def test_neighbors_without_labels_have_the_label_of_their_row(task: Task) -> None:
    found = measure(replace(task, runner="ours_geodesic", measure="neighbors"))
    assert found["n_neighbors"] == 7
    assert found["same_label"] > 0.6  # a third by chance
    assert found["total_seconds"] == found["fit_seconds"] + found["neighbors_seconds"]
    if found["process_peak_bytes"] is not None:
        assert found["process_peak_bytes"] > max(found["fit_peak_bytes"], found["neighbors_peak_bytes"])


class _Treeple:
    """Takes what treeple's forest takes, and keeps books of what ``fit`` goes on to."""

    def __init__(self, n_estimators: int, **options: Any) -> None:
        self.options = {"n_estimators": n_estimators, **options}
        self.went_on: list[str] = []

    def compute_similarity_matrix(self, rows: Any) -> str:
        self.went_on.append("matrix")
        return "matrix"

    def _assign_labels(self, matrix: Any) -> None:
        self.went_on.append("labels")

    def fit(self, rows: Any) -> _Treeple:
        self._assign_labels(self.compute_similarity_matrix(rows))
        return self


@pytest.mark.parametrize(("alone", "more"), [(False, ["matrix", "labels"]), (True, [])])
def test_trees_alone_leave_out_what_comes_after(alone: bool, more: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "treeple", SimpleNamespace(UnsupervisedObliqueRandomForest=_Treeple))
    asked = Task("", "", 5, 3, seed=4, options={"bootstrap": False, "patience": 0.0}, nonzeros=1.25)
    forest = geodesic.treeple_runner(alone).fit(asked, np.zeros((9, 2)), np.zeros(9))
    assert forest.went_on == more
    assert forest.options == {
        "n_estimators": 5, "criterion": "fastbic", "max_features": 4, "feature_combinations": 1.25, "n_jobs": 2,
        "random_state": 4, "bootstrap": False,
    }  # fmt: skip


@pytest.mark.parametrize("workload", [*WIDE, *NARROW], ids=lambda workload: workload.name)
def test_work_is_the_same(workload: Workload, tmp_path: Path) -> None:
    asked = task_of(workload, TREEPLE_GEODESIC, tmp_path)
    assert treeple.derived_candidates(asked).effective == pytest.approx(workload.candidates, rel=0.05)
    assert workload.options["bootstrap"] is False


def test_neighbors_in_a_layout_are_those_of_the_plane() -> None:
    layout = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]])
    found = geodesic._neighbors_in_layout(SimpleNamespace(embedding_=layout, n_jobs=1), layout, 1)
    assert found.ravel().tolist() == [1, 0, 3, 2]


def _umap_against_ours(umap: float) -> Table:
    ours = {"fit_seconds": 6.0, "neighbors_seconds": 4.0, "total_seconds": 10.0, "same_label": 0.9, "version": "1"}
    theirs = {**ours, "fit_seconds": umap, "same_label": 0.8}
    runs = {(GEODESIC_UMAP.name, who.name, 0): run for who, run in ((GEODESIC, ours), (UMAP, theirs))}
    return table(runs)


@pytest.mark.parametrize(("umap", "outcome"), [(10.0, HELD), (9.9, MISSED)])
def test_umap_is_held_to_its_graph_and_layout(umap: float, outcome: str) -> None:
    found = {v.target: v.outcome for v in limits.limit_verdicts(_umap_against_ours(umap))}
    assert found["geodesic fit and 15 neighbors in at most UMAP's time"] == outcome


def test_the_page_shows_neighbors_and_only_targets_that_were_run() -> None:
    text = page(_umap_against_ours(20.0), UNLABELED)
    assert "The 15 nearest of 100,000 rows, by 300 trees. 20 Gaussian clusters" in text
    assert "| UMAP | 20 | 4 | 1x | 0.8 | - | - |" in text
    assert text.count("| held |") == 1


def test_the_page_leaves_errors_out_where_there_are_none(tmp_path: Path) -> None:
    work = NARROW[0]
    runs = {
        (work.name, who.name, 0): {**outcome(task_of(work, who, tmp_path)), "error": None} for who in work.contenders
    }
    assert "| treeple geodesic | 5 | 0.1 | 1x | 1x | 100 |" in page(table(runs), UNLABELED)


def test_growth_and_memory_over_rows() -> None:
    runs = {}
    for point, seconds in zip(GEODESIC_ROWS.points, (1.0, 10.0, 100.0, 4000.0), strict=True):
        run = {"fit_seconds": seconds / 2, "neighbors_seconds": seconds / 2, "total_seconds": seconds, "threads": 2}
        runs[point.name, GEODESIC.name, 0] = {**run, "process_peak_bytes": 7e9, "fit_peak_bytes": 1e6}
    found = table(runs)
    assert values.geodesic_growth(found) == pytest.approx(2.0)
    verdicts = {v.target: (v.measured, v.outcome) for v in limits.limit_verdicts(found) if v.where == "geodesic rows"}
    assert sorted(verdicts.values()) == [("2 x", MISSED), ("7 GB", HELD)]
    assert "| rows n | fit s | neighbors s | peak MB | whole process MB |\n" in page(found, UNLABELED)
    figure = scale_figure(found)
    assert figure is not None and len(figure.axes) == 2
