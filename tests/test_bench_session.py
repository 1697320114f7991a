"""Requests, data, the order of runs, going on after a stop, and the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foliation.bench import data, environments, running, session
from foliation.bench.contenders import AXIS, CONTENDERS, PATCHES, SCIKIT_LEARN
from foliation.bench.page import page, tally, verdicts
from foliation.bench.results import Results
from foliation.bench.scale import SCALE
from foliation.bench.schedule import schedule
from foliation.bench.session import Request, chosen
from foliation.bench.worker.contract import Task
from foliation.bench.worker.runners import RUNNERS
from foliation.bench.workload import Data, Workload
from foliation.bench.workloads import WORKLOADS
from foliation.reproduce import EXPERIMENTS, load

TINY = Workload("tiny", Data("circle", 60, 30), 3, 5, (AXIS, SCIKIT_LEARN))
HEADER = {
    "version": "1", "commit": "abc", "date": "2030-01-01", "mode": "full", "rounds": 2, "processor": "chip",
    "cores": 2, "memory_bytes": 2**34, "instruction_set": "avx2", "load": 0.1, "system": "Linux", "python": "3.12",
}  # fmt: skip


def outcome(task: Task) -> dict[str, Any]:
    return {
        "fit_seconds": 1.0 if task.runner == "ours_axis" else 5.0, "predict_seconds": 0.1, "error": 0.2,
        "n_test": 30, "trees": task.trees, "effective": 5.0, "splits": 9, "leaves": 12, "pairs": 1e6, "visits": 1e5,
        "threads": 2, "fit_peak_bytes": 1e6, "version": "1.0",
    }  # fmt: skip


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Replace processes by made-up outcomes; returns who was called."""
    seen: list[tuple[str, int]] = []

    def launch(task: Task, environment: str) -> dict[str, Any]:
        seen.append((task.runner, task.seed))
        return outcome(task)

    monkeypatch.setattr(running, "launch", launch)
    monkeypatch.setattr(environments, "prepare", lambda name: None)
    return seen


def quiet(done: int, total: int, text: str) -> None:
    assert 0 <= done <= total


def test_contenders_take_turns(calls: list[tuple[str, int]]) -> None:
    running.run_all([TINY], 2, Results({}), quiet)
    assert calls == [("ours_axis", 0), ("scikit_learn", 0), ("ours_axis", 1), ("scikit_learn", 1)]


def test_finished_runs_are_not_repeated(calls: list[tuple[str, int]]) -> None:
    done = Results({}, {("tiny", AXIS.name, 0): {"fit_seconds": 1.0}})
    running.run_all([TINY], 1, done, quiet)
    assert calls == [("scikit_learn", 0)]


def test_a_peer_that_cannot_be_installed_is_skipped_with_the_reason(
    calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(name: str) -> None:
        if name:
            raise environments.InstallError("no compiler")

    monkeypatch.setattr(environments, "prepare", prepare)
    results = Results(HEADER)
    running.run_all([TINY], 1, results, quiet)
    assert calls == [("ours_axis", 0)]
    assert "Skipped: scikit-learn (no compiler)." in page(results, [TINY])


def test_mnist_is_skipped_where_it_is_not(calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(data.VARIABLE, raising=False)
    results = Results(HEADER)
    running.run_all([Workload("digits", Data("mnist", 10), 3, 5, (AXIS,))], 1, results, quiet)
    assert not calls
    assert data.VARIABLE in results.skipped["digits"]


def test_the_page_says_what_was_measured(calls: list[tuple[str, int]], tmp_path: Path) -> None:
    results = Results(HEADER, path=tmp_path / "results.json")
    running.run_all([TINY], 2, results, quiet)
    session.write(results, [TINY], tmp_path)
    text = (tmp_path / "benchmarks.md").read_text()
    assert "commit abc" in text
    assert "| scikit-learn RF | 5 | 0.1 | 5x | 1x | 0.2000 (" in text
    assert "NOT COMPARABLE: " not in text
    assert (tmp_path / "benchmarks.png").exists()


def test_unequal_work_is_loud() -> None:
    ours, peer = outcome(Task("ours_axis", "", 3, 5)), {**outcome(Task("", "", 3, 5)), "effective": 4.0}
    results = Results(HEADER, {("tiny", AXIS.name, 0): ours, ("tiny", SCIKIT_LEARN.name, 0): peer})
    assert "**NOT COMPARABLE: 4.0 effective candidates against 5.0**" in page(results, [TINY])


def test_a_page_of_nothing_holds_nothing() -> None:
    assert tally(verdicts(Results(HEADER))).startswith("0 held, 0 missed")


def test_a_run_is_resumed_only_on_the_same_code(tmp_path: Path) -> None:
    first = session.opened(Request(output=tmp_path))
    first.add(("tiny", AXIS.name, 0), {"fit_seconds": 1.0})
    assert session.opened(Request(output=tmp_path, resume=True)).runs == first.runs
    with pytest.raises(ValueError, match="mode"):
        session.opened(Request(output=tmp_path, resume=True, quick=True))
    assert not session.opened(Request(output=tmp_path)).runs


def test_what_is_chosen() -> None:
    assert chosen(Request()) == [*WORKLOADS, *SCALE]
    assert chosen(Request(scale_only=True)) == list(SCALE)
    assert [w.name for w in chosen(Request(only=("bars",)))] == ["bars"]
    assert all(w.quick for w in chosen(Request(quick=True)))
    with pytest.raises(ValueError, match=r"'barz'.*circle"):
        chosen(Request(only=("barz",)))


def test_names_are_unique_and_known() -> None:
    names = [workload.name for workload in (*WORKLOADS, *SCALE)]
    assert len(set(names)) == len(names)
    assert {who.runner for who in CONTENDERS.values()} == set(RUNNERS)
    used = {who.environment for who in CONTENDERS.values()} - {""}
    used |= {name for experiment in map(load, EXPERIMENTS) for name in experiment.environments}
    assert used == set(environments.ENVIRONMENTS)
    assert all(work.patch for work in (*WORKLOADS, *SCALE) if PATCHES in work.contenders)
    assert len(list(schedule(WORKLOADS, 3))) == sum(min(3, w.most_rounds) * len(w.contenders) for w in WORKLOADS)


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
