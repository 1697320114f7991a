"""Measure one contender on one workload, inside this process.

Imports, conversions and a tiny fit come before the clock. What is timed is the public method alone.

- ``row_splits`` and ``visits`` count splits passed, by distinct in-bag training rows and by test rows.
- A pair is one row at one split and one effective candidate; nodes that were tried and did not split are not counted.
- Peak memory is resident memory above that after the data were loaded and prepared.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from .contract import Array, Outcome, Runner, Task
from .memory import Peak, Samples
from .runners import RUNNERS
from .serving import serve

_FEW = 5  # neighbors before the clock
_GLANCE = 0.005  # seconds between two looks at memory
_SHORT = 5.0  # seconds; longer predictions are timed once


def measure(task: Task) -> Outcome:
    runner = RUNNERS[task.runner]()
    measures = {"small_fits": _small_fits, "mapped": _mapped, "neighbors": _neighbors, "serving": _serving}
    outcome = measures.get(task.measure, _fit_and_predict)(task, runner)
    return {**outcome, "version": version(runner.package), "threads": task.threads}


def _load(task: Task, name: str, mapped: bool = False) -> Array:
    array: Array = np.load(Path(task.folder) / f"{name}.npy", mmap_mode="r" if mapped else None)
    return array


def warm_up(task: Task, runner: Runner, X: Any, y: Array) -> tuple[Any, Any]:
    """Fit two trees on a few rows of each class, so that nothing lazy is left for the clock; return model and rows."""
    some = np.concatenate([np.flatnonzero(y == label)[:10] for label in np.unique(y)])
    return runner.fit(replace(task, trees=2), X[some], y[some]), X[some]


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = call()
    return time.perf_counter() - begin, result


def _fit_and_predict(task: Task, runner: Runner) -> Outcome:
    y, y_test = _load(task, "y_train"), _load(task, "y_test")
    raw = _load(task, "X_train")
    candidates = runner.candidates(task, raw)
    train, test = runner.prepare(raw), runner.prepare(_load(task, "X_test"))
    del raw
    tiny, few = warm_up(task, runner, train, y)
    runner.predict(tiny, runner.for_test(tiny, few))
    with Peak() as fit_peak:
        fit_seconds, model = _timed(lambda: runner.fit(task, train, y))
    ready = runner.for_test(model, test)
    with Peak() as predict_peak:
        predict_seconds, scores = _predict(runner, model, ready)
    counts = runner.count(model, train, test)
    return {
        "fit_seconds": fit_seconds,
        "predict_seconds": predict_seconds,
        "error": None if runner.labels is None else float(np.mean(runner.labels(model, scores) != y_test)),
        "n_test": len(y_test),
        "fit_peak_bytes": fit_peak.bytes,
        "predict_peak_bytes": predict_peak.bytes,
        "row_bytes": int(train.nbytes),
        **asdict(counts),
        **asdict(candidates),
        "at_least": int(candidates.at_least),
        "effective": candidates.effective,
        "pairs": None if counts.row_splits is None else counts.row_splits * candidates.effective,
        "latency_ms": _latency(runner, model, test) if task.latency else None,
    }


def _predict(runner: Runner, model: Any, rows: Any) -> tuple[float, Array]:
    """Time a prediction of all test rows: the median of three, or one if it is long."""
    first, scores = _timed(lambda: runner.predict(model, rows))
    more = 0 if first > _SHORT else 2
    return statistics.median([first, *(_timed(lambda: runner.predict(model, rows))[0] for _ in range(more))]), scores


def _latency(runner: Runner, model: Any, test: Any) -> float | None:
    """Time the prediction of one row: the median of up to 1000 calls within two seconds."""
    if runner.one_row is None:
        return None
    call = runner.one_row(model, test)
    for _ in range(3):
        call()
    times: list[float] = []
    end = time.perf_counter() + 2.0
    while len(times) < 1000 and (time.perf_counter() < end or len(times) < 5):
        times.append(_timed(call)[0])
    return 1e3 * statistics.median(times)


def _small_fits(task: Task, runner: Runner) -> Outcome:
    """Time many fits of the same few rows, each with a seed of its own."""
    y = _load(task, "y_train")
    train = runner.prepare(_load(task, "X_train"))
    warm_up(task, runner, train, y)
    tasks = [replace(task, seed=seed) for seed in range(task.repeats)]
    begin = time.perf_counter()
    for one in tasks:
        runner.fit(one, train, y)
    return {"fit_seconds": time.perf_counter() - begin, "fits": task.repeats, "trees": task.trees}


def _mapped(task: Task, runner: Runner) -> Outcome:
    """Fit rows that stay in their file, and watch the memory that belongs to no file."""
    y, train = _load(task, "y_train"), _load(task, "X_train", mapped=True)
    with Samples("RssAnon", _GLANCE) as anonymous:
        fit_seconds, model = _timed(lambda: runner.fit(task, train, y))
    return {
        "fit_seconds": fit_seconds,
        "anonymous_peak_bytes": max(anonymous.bytes),
        "row_bytes": int(train.nbytes),
        "trees": model.model_.n_trees,
    }


def _neighbors(task: Task, runner: Runner) -> Outcome:
    """Time the fit, and the search for the neighbors of all training rows."""
    find = runner.neighbors
    if find is None:
        raise ValueError(f"{task.runner} cannot find neighbors")
    y = _load(task, "y_train")
    train = runner.prepare(_load(task, "X_train"))
    find(*warm_up(task, runner, train, y), _FEW)
    with Peak() as fit_peak:
        fit_seconds, model = _timed(lambda: runner.fit(task, train, y))
    with Peak() as peak:
        neighbors_seconds, indices = _timed(lambda: find(model, train, task.neighbors))
    if indices.shape != (len(y), task.neighbors):
        raise ValueError(f"neighbors have shape {indices.shape}: expected {(len(y), task.neighbors)}")
    return {
        "fit_seconds": fit_seconds,
        "neighbors_seconds": neighbors_seconds,
        "total_seconds": fit_seconds + neighbors_seconds,
        "same_label": float(np.mean(y[indices] == y[:, None])),
        "fit_peak_bytes": fit_peak.bytes,
        "neighbors_peak_bytes": peak.bytes,
        "process_peak_bytes": max((p.in_all for p in (fit_peak, peak) if p.in_all is not None), default=None),
        "n_neighbors": task.neighbors,
        "trees": task.trees,
    }


def _serving(task: Task, runner: Runner) -> Outcome:
    """Fit, store the model, and let many callers predict single rows with it."""
    train = runner.prepare(_load(task, "X_train"))
    model = runner.fit(task, train, _load(task, "y_train"))
    return {**serve(task, runner, model, runner.prepare(_load(task, "X_test"))), "trees": task.trees}
