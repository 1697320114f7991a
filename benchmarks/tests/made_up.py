"""Made-up runs of the benchmark."""

from __future__ import annotations

from typing import Any

from foliation_benchmarks.worker.contract import Task
from foliation_experiments.harness.table import Table

SETTINGS = {
    "versions": {"foliation": "1"}, "commits": ["abc"], "date": "2030-01-01", "scale": "full", "seed": [0, 1],
    "machine": {"processor": "chip", "cores": 2, "memory_bytes": 2**34, "instruction_set": "avx2", "load": 0.1,
                "system": "Linux", "python": "3.12"},
}  # fmt: skip


def table(runs: dict[tuple[str, str, int], dict[str, Any]]) -> Table:
    """Return a table of outcomes by workload, contender and round."""
    rows = [
        {"part": "fit", "problem": workload, "method": contender, "at": 0.0, "seed": number, **outcome}
        for (workload, contender, number), outcome in runs.items()
    ]
    return Table(rows, "full", SETTINGS)


def outcome(task: Task) -> dict[str, Any]:
    return {
        "fit_seconds": 1.0 if task.runner == "ours_axis" else 5.0, "predict_seconds": 0.1, "error": 0.2,
        "n_test": 30, "trees": task.trees, "effective": 5.0, "splits": 9, "leaves": 12, "pairs": 1e6, "visits": 1e5,
        "threads": 2, "fit_peak_bytes": 1e6, "version": "1.0", "at_least": 0,
    }  # fmt: skip
