"""Workers on a tiny workload: in this process, and in a fresh one as the benchmark starts them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import foliation as fo
from foliation import simulations
from foliation_benchmarks import data
from foliation_benchmarks.benchmark import launch
from foliation_benchmarks.worker.contract import Patch, Serving, Task
from foliation_benchmarks.worker.measure import measure
from foliation_benchmarks.worker.memory import Peak, Samples
from foliation_benchmarks.worker.serving import Caller, ends
from foliation_benchmarks.workload import Data
from foliation_experiments.harness.worker import WorkerError


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    folder = data.write(Data("circle", 80, 50), tmp_path_factory.mktemp("circle"))
    return Task("", str(folder), trees=4, candidates=9, threads=1, shape=(100,), patch=Patch((3,), (12,), wrap=True))


@pytest.mark.parametrize("runner", ["ours_axis", "ours_sparse", "ours_patches", "scikit_learn"])
def test_a_worker_measures_everything(task: Task, runner: str) -> None:
    outcome = measure(replace(task, runner=runner, latency=True))
    assert (outcome["trees"], outcome["effective"], outcome["n_test"]) == (4, 9.0, 50)
    assert outcome["leaves"] == outcome["splits"] + 4
    assert outcome["pairs"] == 9 * outcome["row_splits"]
    assert outcome["row_splits"] > 80 * 0.4 * 4  # all distinct in-bag rows pass the roots
    assert outcome["visits"] >= 50 * 4
    assert 0 <= outcome["error"] <= 1
    assert min(outcome["fit_seconds"], outcome["predict_seconds"], outcome["latency_ms"]) > 0


def test_pairs_and_visits_agree_with_a_walk_down_the_trees(task: Task) -> None:
    """Ours and scikit-learn's counts on identical trees would agree; here ours against the trees themselves."""
    from foliation_benchmarks.worker import ours

    X, y = (np.load(Path(task.folder) / f"{name}_train.npy") for name in "Xy")
    forest = fo.ForestClassifier(3, projections=fo.Axis(), random_state=0).fit(X, y)
    outcome = ours.runner("axis").count(forest, X, X)
    depths = [forest.tree(tree).leaf_depths() for tree in range(3)]
    leaves = forest.apply(X)
    assert outcome.visits == sum(depths[tree][leaves[:, tree]].sum() for tree in range(3))
    bags = [np.unique(rows) for rows in forest.estimators_samples_]
    assert outcome.row_splits == sum(depths[t][leaves[bags[t], t]].sum() for t in range(3))


def test_an_honest_tree_is_grown_by_half_of_its_rows(task: Task) -> None:
    plain, honest = (measure(replace(task, runner=runner)) for runner in ("ours_sparse", "ours_sparse_honest"))
    assert (honest["trees"], honest["effective"]) == (4, 9.0)
    assert honest["row_splits"] < 0.7 * plain["row_splits"]


@pytest.mark.parametrize("runner", ["ours_sparse", "scikit_learn"])
def test_neighbors_of_all_training_rows(task: Task, runner: str) -> None:
    outcome = measure(replace(task, runner=runner, measure="neighbors", options={"min_samples_leaf": 5}))
    assert (outcome["n_neighbors"], outcome["trees"]) == (50, 4)
    assert min(outcome["fit_seconds"], outcome["neighbors_seconds"]) > 0
    assert outcome["neighbors_peak_bytes"] >= 0  # so little that no page may have been asked for


def test_ours_and_brute_force_find_the_same_neighbors() -> None:
    """In the same leaves; ties may be broken otherwise."""
    from foliation_benchmarks.worker.scikit_learn import brute_force_neighbors

    X, y = simulations.trunk(150, n_features=4, random_state=0)
    forest = fo.ForestClassifier(20, min_samples_leaf=5, random_state=0).fit(X, y)
    near = forest.proximity(sparse=False)
    ours, theirs = forest.kneighbors(n_neighbors=10)[1], brute_force_neighbors(forest, X, 10)
    np.testing.assert_allclose(np.take_along_axis(near, ours, 1), np.take_along_axis(near, theirs, 1))


def test_many_small_fits(task: Task) -> None:
    outcome = measure(replace(task, runner="ours_axis", measure="small_fits", repeats=3))
    assert outcome["fits"] == 3
    assert outcome["fit_seconds"] > 0


def test_a_mapped_file_is_fitted_where_it_is(tmp_path: Path) -> None:
    folder = data.write(Data("sparse_file", 2000, 0, (300, 10)), tmp_path)
    task = Task("ours_sparse", str(folder), 3, 20, measure="mapped", options={"max_samples": 50})
    outcome = measure(task)
    assert outcome["row_bytes"] == 2000 * 300 * 4
    assert outcome["anonymous_peak_bytes"] > 0


def test_a_fresh_process_answers(task: Task) -> None:
    outcome = launch(replace(task, runner="ours_patches"), "")
    assert outcome["trees"] == 4
    assert outcome["version"]


def test_processes_share_a_stored_model_of_a_fresh_process(task: Task) -> None:
    serving = Serving(processes=2, threads=2, calls=40, seconds=60)
    outcome = launch(replace(task, runner="ours_patches", measure="serving", serving=serving), "")
    assert (outcome["calls"], outcome["other_bits"]) == (40, 0)


def test_a_process_that_fails_says_why(task: Task) -> None:
    with pytest.raises(WorkerError, match="nobody"):
        launch(replace(task, runner="nobody"), "")


def test_peaks_see_what_is_allocated() -> None:
    with Peak() as peak, Samples("RssAnon", 0.005) as anonymous:
        # malloc maps a block of this size anew, whatever the process has freed before
        block = np.ones(16_000_000)
        assert block.sum() == 16_000_000
    if peak.bytes is None:
        pytest.skip("this system keeps no high-water mark that can be reset")
    assert peak.bytes > 100_000_000
    assert max(anonymous.bytes) > 100_000_000


@pytest.mark.parametrize("runner", ["ours_patches", "scikit_learn"])
@pytest.mark.parametrize(("processes", "threads"), [(1, 3), (2, 1)])
def test_callers_of_a_stored_model(task: Task, runner: str, processes: int, threads: int) -> None:
    serving = Serving(processes, threads, calls=60, seconds=60)
    outcome = measure(replace(task, runner=runner, measure="serving", serving=serving))
    assert (outcome["calls"], outcome["wrong"], outcome["other_bits"]) == (60, 0, 0)
    assert 0 < outcome["p50_ms"] <= outcome["p99_ms"] <= outcome["p999_ms"] <= outcome["longest_ms"]
    assert outcome["stored_bytes"] > 0
    assert outcome["first_bytes"] > 0


def test_callers_stop_in_time(task: Task) -> None:
    serving = Serving(1, 2, calls=10**6, seconds=0.2)
    outcome = measure(replace(task, runner="ours_axis", measure="serving", serving=serving))
    assert 2 <= outcome["calls"] < 10**6


def test_wrong_answers_are_counted() -> None:
    right = np.array([[0.25, 0.75]])
    answers = [right, right + 1e-9, right[:, ::-1]]
    caller = Caller([partial(np.asarray, answer) for answer in answers], np.repeat(right, 3, 0), Serving(1, 1, 6, 9), 0)
    caller.run(float("inf"))
    assert (caller.nanoseconds.n, caller.wrong, caller.other_bits) == (6, 2, 4)


def test_memory_is_compared_after_caches_are_filled() -> None:
    looks = [1] * 10 + [7] * 10 + [9] * 70 + [8] * 10
    assert ends(looks) == (7, 8)
    assert ends([3, 5]) == (5, 5)
