"""An experiment that takes no time, for tests of the runner; each of its runs leaves a line in a diary."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.harness.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def runs(scale: Scale) -> list[Run]:
    seeds = range(3 if scale == "quick" else 4)
    return [
        Run("only", "sum", method, at, seed) for method in ("plain", "doubled") for at in (0, 0.5) for seed in seeds
    ]


def measure(diary: Path, run: Run) -> dict[str, float]:
    with diary.open("a") as file:
        file.write(f"{run}, {run.scale}, {os.environ['OMP_NUM_THREADS']} thread, {os.getpid()}\n")
    value = run.seed + run.at
    return {"value": value} if run.method == "plain" else {"value": 2 * value, "twice": 1.0}


def measure_slowly(diary: Path, run: Run) -> dict[str, float]:
    with diary.open("a") as file:
        file.write(f"begins, {os.environ['OMP_NUM_THREADS']} thread\n")
    time.sleep(0.05)
    with diary.open("a") as file:
        file.write("ends\n")
    return {"value": 0.0}


def measure_or_fail(diary: Path, run: Run) -> dict[str, float]:
    if run.method == "doubled":
        raise RuntimeError("no memory\nand more")
    return measure(diary, run)


def measure_or_die(diary: Path, run: Run) -> dict[str, float]:
    if run.method == "doubled":
        os.kill(os.getpid(), signal.SIGKILL)
    return measure(diary, run)


def page(table: Table) -> str:
    return f"{table.scale}: {len(table.rows)} runs"


def figures(table: Table) -> dict[str, Figure]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2, 2))
    figure.subplots().plot(table.values("value", method="plain", at=0))
    return {"tiny_picture": figure}


def tiny(diary: Path) -> Experiment:
    return Experiment("tiny", "A sum.", runs, partial(measure, diary), page, figures, {"quick": 0.1, "full": 0.1})
