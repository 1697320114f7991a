"""The benchmark on the harness: workloads, the order of runs, resuming, what is skipped, and the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up import outcome, table

from foliation_benchmarks import benchmark, data
from foliation_benchmarks.contenders import AXIS, CONTENDERS, PATCHES, SCIKIT_LEARN
from foliation_benchmarks.page import page, tally, verdicts
from foliation_benchmarks.scale import SCALE
from foliation_benchmarks.serving import MILLION, SERVING, SOAK
from foliation_benchmarks.targets import HELD, MISSED, NOT_MEASURED
from foliation_benchmarks.worker.contract import Task
from foliation_benchmarks.worker.runners import RUNNERS
from foliation_benchmarks.workload import Data, Workload
from foliation_benchmarks.workloads import WORKLOADS, workloads_at
from foliation_experiments import EXPERIMENTS, load
from foliation_experiments.harness import environments, machine, session
from foliation_experiments.harness.report import Report
from foliation_experiments.harness.session import Request
from foliation_experiments.harness.worker import WorkerError

TINY = Workload("tiny", Data("circle", 60, 30), 3, 5, (AXIS, SCIKIT_LEARN))
DIGITS = Workload("digits", Data("mnist", 10), 3, 5, (AXIS,))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int]]]:
    """Replace processes by made-up outcomes; returns who was called."""
    seen: list[tuple[str, int]] = []

    def launch(task: Task, environment: str) -> dict[str, Any]:
        seen.append((task.runner, task.seed))
        return outcome(task)

    monkeypatch.setattr(benchmark, "launch", launch)
    monkeypatch.setattr(environments, "prepare", lambda name: None)
    monkeypatch.setattr(machine, "commit", lambda: "abc")
    monkeypatch.setattr("foliation_experiments.harness.runner.commit", lambda: "abc")
    benchmark._install.cache_clear()
    yield seen
    benchmark._install.cache_clear()


def run(folder: Path, *workloads: Workload, rounds: int = 1, fresh: bool = False) -> Report:
    (folder / "data").mkdir(exist_ok=True)
    experiment = benchmark.benchmark(rounds, folder / "data", lambda scale: workloads)
    return session.run(experiment, Request(folder, "full", fresh=fresh), lambda done, total, text: None)


def test_contenders_take_turns(calls: list[tuple[str, int]], tmp_path: Path) -> None:
    run(tmp_path, TINY, rounds=2)
    assert calls == [("ours_axis", 0), ("scikit_learn", 0), ("ours_axis", 1), ("scikit_learn", 1)]


def test_finished_runs_are_not_repeated(calls: list[tuple[str, int]], tmp_path: Path) -> None:
    first = run(tmp_path, TINY)
    calls.clear()
    second = run(tmp_path, TINY, rounds=2)
    assert calls == [("ours_axis", 1), ("scikit_learn", 1)]
    assert [row["fit_seconds"] for row in second.table.rows[:2]] == [row["fit_seconds"] for row in first.table.rows]
    run(tmp_path, TINY, fresh=True)
    assert calls[2:] == [("ours_axis", 0), ("scikit_learn", 0)]


def test_a_failed_run_is_recorded_and_repeated(
    calls: list[tuple[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(task: Task, environment: str) -> dict[str, Any]:
        raise WorkerError("MemoryError")

    with monkeypatch.context() as broken:
        broken.setattr(benchmark, "launch", fail)
        text = run(tmp_path, TINY).page.read_text()
    assert "| tiny | foliation axis | 1 | MemoryError |" in text
    assert "MemoryError" not in run(tmp_path, TINY).page.read_text()
    assert len(calls) == 2


def test_a_run_is_resumed_only_on_the_same_code(
    calls: list[tuple[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, TINY)
    monkeypatch.setattr(machine, "commit", lambda: "def")
    with pytest.raises(ValueError, match="holds runs of commit abc, but this is def"):
        run(tmp_path, TINY)
    assert len(calls) == 2


def test_a_peer_that_cannot_be_installed_is_skipped_with_the_reason(
    calls: list[tuple[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def prepare(name: str) -> None:
        if name:
            tried.append(name)
            raise environments.InstallError("no compiler")

    monkeypatch.setattr(environments, "prepare", prepare)
    text = run(tmp_path, TINY, rounds=2).page.read_text()
    assert calls == [("ours_axis", 0), ("ours_axis", 1)]
    assert text.count("Skipped: scikit-learn (no compiler).") == 1
    assert tried == ["scikit-learn"]


def test_mnist_is_skipped_where_it_is_not(
    calls: list[tuple[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FOLIATION_DATA", raising=False)
    (row,) = run(tmp_path, DIGITS).table.rows
    assert not calls
    assert row["skipped"].startswith("digits (the environment variable FOLIATION_DATA is not set")


def test_data_of_one_workload_are_there_at_a_time(calls: list[tuple[str, int]], tmp_path: Path) -> None:
    other = Workload("other", Data("noise", 20, 5, (7, 3)), 3, 5, (AXIS,))
    run(tmp_path, TINY, other)
    assert [path.name for path in (tmp_path / "data").iterdir()] == [other.data.folder]


def test_the_page_says_what_was_measured(calls: list[tuple[str, int]], tmp_path: Path) -> None:
    text = run(tmp_path, TINY, rounds=2).page.read_text()
    assert text.startswith("# Benchmarks\n\nfoliation ")
    assert "commit abc" in text and "full run of 2 rounds" in text
    assert "| scikit-learn RF | 5 | 0.1 | 5x | 1x | 0.2000 (" in text
    assert "NOT COMPARABLE: " not in text
    assert (tmp_path / "benchmarks.png").exists()


def test_unequal_work_is_loud() -> None:
    ours, peer = outcome(Task("ours_axis", "", 3, 5)), {**outcome(Task("", "", 3, 5)), "effective": 4.0}
    results = table({("tiny", AXIS.name, 0): ours, ("tiny", SCIKIT_LEARN.name, 0): peer})
    assert "**NOT COMPARABLE: 4.0 effective candidates against 5.0**" in page(results, [TINY])


def test_a_page_of_nothing_holds_nothing() -> None:
    assert tally(verdicts(table({}))).startswith("0 held, 0 missed")


def test_workloads_at_each_scale() -> None:
    assert workloads_at("full") == [*WORKLOADS, *SCALE]
    assert all(workload.quick for workload in workloads_at("quick"))
    assert len(workloads_at("quick")) < len(WORKLOADS)


def test_names_are_unique_and_known() -> None:
    names = [workload.name for workload in (*WORKLOADS, *SCALE)]
    assert len(set(names)) == len(names)
    assert {who.runner for who in CONTENDERS.values()} == set(RUNNERS)
    used = {who.environment for who in CONTENDERS.values()} - {""}
    used |= {name for experiment in map(load, EXPERIMENTS) for name in experiment.environments}
    assert used == set(environments.ENVIRONMENTS)
    assert all(work.patch for work in (*WORKLOADS, *SCALE) if PATCHES in work.contenders)
    n_runs = sum(min(3, work.most_rounds) * len(work.contenders) for work in WORKLOADS)
    assert len(set(benchmark.runs(WORKLOADS, 3))) == n_runs


@pytest.mark.parametrize(
    "made",
    [
        Data("noise", 20, 5, (7, 3)),
        Data("noise_images", 20, 5, (6,)),
        Data("trunk", 20, 5, (4,)),
        Data("clusters", 20, 5, (4, 3)),
    ],
)
def test_data_are_written_once(made: Data, tmp_path: Path) -> None:
    folder = data.write(made, tmp_path)
    before = (folder / "X_train.npy").stat().st_mtime_ns
    assert data.write(made, tmp_path) == folder
    assert (folder / "X_train.npy").stat().st_mtime_ns == before
    arrays = [np.load(folder / f"{name}.npy") for name in ("X_train", "y_train", "X_test", "y_test")]
    assert [len(array) for array in arrays] == [20, 20, 5, 5]


def test_the_last_line_of_pips_error_is_the_reason() -> None:
    text = "Collecting x\nERROR: Could not build wheels for x\n[notice] A new release of pip\n\n"
    assert environments.last_line(text) == "ERROR: Could not build wheels for x"


def test_callers_have_a_table_and_limits() -> None:
    serving = {
        "calls": 1_000_000, "calls_per_second": 5000.0, "p50_ms": 0.25, "p99_ms": 1.5, "p999_ms": 3.0,
        "longest_ms": 40.0, "serving_seconds": 600.5,
        "wrong": 0, "other_bits": 0, "private_bytes": 2.5e6, "first_bytes": 100e6, "last_bytes": 100.5e6,
        "stored_bytes": 1e6, "trees": 100, "version": "1.0",
    }  # fmt: skip
    results = table({(load.name, PATCHES.name, 0): serving for load in SERVING})
    text = page(results, SERVING)
    assert (
        "| foliation patches | 1,000,000 | 5,000 | 0.25 | 1.5 | 3 | 40 | 0 | 0 | 2.5 | 100.0 to 100.5 | 1.0 |" in text
    )
    assert "benchmarks.png" not in text  # nobody was timed on whole tables
    outcomes = {v.where: v.outcome for v in verdicts(results) if v.where in {load.name for load in SERVING}}
    assert outcomes == {load.name: HELD for load in (*MILLION, SOAK)}
    grown = table({(SOAK.name, PATCHES.name, 0): serving | {"last_bytes": 102e6}})
    assert [v.outcome for v in verdicts(grown) if v.where == SOAK.name] == [MISSED]
    short = table({(SOAK.name, PATCHES.name, 0): serving | {"serving_seconds": 599.0}})
    assert [v.outcome for v in verdicts(short) if v.where == SOAK.name] == [NOT_MEASURED]
