"""Many callers that predict one row after the other with one stored model: how long a call takes, and what memory does.

Every process loads the model from its file, mapped where the package can do that. Each answer is compared with that of
one prediction of all rows together. Memory is looked at from outside the calls, a hundred times over the run.
"""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .contract import Array, Outcome, Runner, Serving, Task
from .histogram import Histogram, merged
from .memory import Samples, private_bytes

_ROWS = 64  # that callers take in turn
_LOOKS = 100  # at the memory of a process
_CLOSE = 1e-6
_QUANTILES = {"p50_ms": 0.5, "p99_ms": 0.99, "p999_ms": 0.999, "longest_ms": 1.0}


@dataclass(frozen=True)
class Job:
    """What one process is told."""

    runner: str
    model: str
    rows: str
    serving: Serving


def serve(task: Task, runner: Runner, model: Any, rows: Array) -> Outcome:
    """Store the model, start the processes, and put their answers together."""
    serving = task.serving
    if serving is None:
        raise ValueError(f"{task.runner} needs callers, but the workload has serving=None")
    with tempfile.TemporaryDirectory(prefix="foliation-serving-") as folder:
        job = Job(task.runner, str(Path(folder) / "model"), str(Path(folder) / "rows.npy"), serving)
        runner.save(model, job.model)
        np.save(job.rows, rows[:_ROWS])
        with multiprocessing.get_context("spawn").Pool(serving.processes) as pool:
            begin = time.perf_counter()
            parts = pool.map(work, [job] * serving.processes, chunksize=1)
            seconds = time.perf_counter() - begin
        stored = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.name != "rows.npy")
    return {**_together(parts), "serving_seconds": seconds, "stored_bytes": stored}


def _together(parts: Sequence[dict[str, Any]]) -> Outcome:
    nanoseconds = merged(part["nanoseconds"] for part in parts)
    return {
        "calls": nanoseconds.n,
        "wrong": sum(part["wrong"] for part in parts),
        "other_bits": sum(part["other_bits"] for part in parts),
        "calls_per_second": sum(part["nanoseconds"].n / part["seconds"] for part in parts),
        **{name: 1e-6 * nanoseconds.quantile(share) for name, share in _QUANTILES.items()},
        "private_bytes": max(part["private_bytes"] for part in parts),
        "first_bytes": sum(part["looks"][0] for part in parts),
        "last_bytes": sum(part["looks"][1] for part in parts),
    }


def work(job: Job) -> dict[str, Any]:
    """Load the model and let all threads of this process predict; return what was measured."""
    from .runners import RUNNERS

    runner = RUNNERS[job.runner]()
    rows = np.load(job.rows)
    before = private_bytes()
    model = runner.load(job.model)
    expected = np.atleast_1d(runner.predict(model, runner.for_test(model, rows)))
    if runner.one_row is None:
        raise ValueError(f"{job.runner} cannot predict one row")
    calls = [runner.one_row(model, rows[i : i + 1]) for i in range(len(rows))]
    callers = [Caller(calls, expected, job.serving, first) for first in range(job.serving.threads)]
    end = time.perf_counter() + job.serving.seconds
    begin = time.perf_counter()
    with Samples("VmRSS", job.serving.seconds / _LOOKS) as resident, ThreadPoolExecutor(len(callers)) as pool:
        list(pool.map(lambda caller: caller.run(end), callers))
    return {
        "nanoseconds": merged(caller.nanoseconds for caller in callers),
        "wrong": sum(caller.wrong for caller in callers),
        "other_bits": sum(caller.other_bits for caller in callers),
        "seconds": time.perf_counter() - begin,
        "private_bytes": max(0, private_bytes() - before),
        "looks": ends(resident.bytes),
    }


class Caller:
    """One thread's calls; their times take the same memory for any number of calls."""

    def __init__(self, calls: Sequence[Callable[[], Any]], expected: Array, serving: Serving, first: int) -> None:
        self.calls, self.expected, self.first = calls, expected, first
        self.most = -(-serving.calls // (serving.processes * serving.threads))
        self.nanoseconds = Histogram()
        self.wrong = self.other_bits = 0

    def run(self, end: float) -> None:
        for number in range(self.most):
            row = (self.first + number) % len(self.calls)
            begin = time.perf_counter_ns()
            answer = self.calls[row]()
            self.nanoseconds.add(time.perf_counter_ns() - begin)
            self._compare(np.asarray(answer), self.expected[row : row + 1])
            if time.perf_counter() > end:
                return

    def _compare(self, answer: Array, expected: Array) -> None:
        if not np.array_equal(answer, expected):
            self.other_bits += 1
            self.wrong += not np.allclose(answer, expected, rtol=0, atol=_CLOSE)


def ends(looks: Sequence[int]) -> tuple[float, float]:
    """Return the medians of the second and of the last tenth; the first tenth fills caches."""
    tenth = max(1, len(looks) // 10)
    return statistics.median(looks[tenth : 2 * tenth]), statistics.median(looks[-tenth:])
