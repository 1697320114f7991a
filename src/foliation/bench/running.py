"""The benchmark from beginning to end: environments, data, runs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from foliation.bench import data, environments
from foliation.bench.launch import launch
from foliation.bench.results import Results
from foliation.bench.schedule import Run, schedule
from foliation.bench.workload import Workload

Tell = Callable[[int, int, str], None]  # runs done, runs in all, what comes now


def run_all(workloads: Sequence[Workload], rounds: int, results: Results, tell: Tell) -> None:
    """Measure what the results do not hold yet; what cannot be measured is recorded with its reason."""
    runs = list(schedule(workloads, rounds))
    _make_environments({run.contender.environment for run in runs}, results, lambda text: tell(0, len(runs), text))
    done = 0
    for workload in workloads:
        mine = [run for run in runs if run.workload is workload]
        todo = {run.key for run in mine if _to_run(run, results)}
        with tempfile.TemporaryDirectory(prefix="foliation-bench-") as root:
            folder = _write(workload, Path(root), results) if todo else None
            for number, run in enumerate(mine):
                tell(done + number, len(runs), f"{workload.name}: {run.contender.name}, round {run.number + 1}")
                if folder is not None and run.key in todo:
                    outcome = launch(run.task(str(folder), _shape(folder)), run.contender.environment)
                    results.add(run.key, outcome)
        done += len(mine)
    tell(done, len(runs), "done")


def _to_run(run: Run, results: Results) -> bool:
    finished = "failed" not in results.runs.get(run.key, {"failed": ""})
    return not finished and run.contender.environment not in results.skipped


def _make_environments(names: set[str], results: Results, say: Callable[[str], None]) -> None:
    for name in sorted(names):
        results.skipped.pop(name, None)
        if name:
            say(f"environment of {name}")
        try:
            environments.prepare(name)
        except environments.InstallError as reason:
            results.skipped[name] = str(reason)
    results.save()


def _write(workload: Workload, root: Path, results: Results) -> Path | None:
    """Write the data of a workload; None, with the reason recorded, where there are none."""
    results.skipped.pop(workload.name, None)
    try:
        return data.write(workload.data, root)
    except data.NoDataError as reason:
        results.skipped[workload.name] = str(reason)
        results.save()
        return None


def _shape(folder: Path) -> tuple[int, ...]:
    return tuple(int(side) for side in np.load(folder / "X_train.npy", mmap_mode="r").shape[1:])
