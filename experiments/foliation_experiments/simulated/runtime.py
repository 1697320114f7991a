"""Seconds of fit and predict of every classifier of the MORF paper, with one thread and with two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from foliation_experiments.classes.contenders import FORESTS, OTHERS, convnet, forest, other
from foliation_experiments.classes.learning import Contest, score
from foliation_experiments.classes.problems import SIZES, TREES, simulated
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.simulated import bars, circle, impulse
from foliation_experiments.simulated.runtime_page import figures, page

CONTESTS = {"circle": circle.CONTEST, "bars": bars.CONTEST, "impulse": impulse.CONTEST}
THREADS = {"1 thread": 1, "2 threads": 2}
REPEATS: dict[Scale, int] = {"full": 3, "quick": 1}
_SIZES: dict[Scale, tuple[int, ...]] = {"full": SIZES, "quick": (10, 100, 1000)}


def runs(scale: Scale) -> list[Run]:
    """Return repeats one after another, so that a slow minute of the machine does not hit all of one point."""
    methods = (*FORESTS, "MORF", *OTHERS, "ConvNet")
    everything = product(range(REPEATS[scale]), THREADS, CONTESTS, _SIZES[scale], methods)
    return [Run(part, problem, method, n, seed) for seed, part, problem, n, method in everything]


def measure(run: Run) -> dict[str, float]:
    """Return the seconds of one fit, and of predicting the test rows."""
    n_jobs = THREADS[run.part]
    with _threads(n_jobs):
        _awake(run.problem, run.method, n_jobs)
        return score(classifier(run, n_jobs), simulated(run))


def classifier(run: Run, n_jobs: int) -> Any:
    """Return the classifier of a run, not fitted."""
    contest: Contest = CONTESTS[run.problem]
    if run.method in OTHERS:
        return other(run.method, run.seed, n_jobs)
    if run.method == "ConvNet":
        return convnet(contest.layers, run.seed)
    options = {**FORESTS, **contest.forests}[run.method]
    return forest({"n_estimators": TREES[run.scale], **options}, run.seed, n_jobs)


@cache
def _awake(problem: str, method: str, n_jobs: int) -> None:
    """Let what a process does only once happen before the clock runs: imports, pools of threads."""
    run = Run("", problem, method, SIZES[0], 0, "quick")
    score(classifier(run, n_jobs), simulated(run))


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Hold the libraries that are not told how many threads to use to some."""
    import torch
    import xgboost  # noqa: F401  # loaded here, so that the limit below meets its threads too

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        with threadpool_limits(count):
            yield
    finally:
        torch.set_num_threads(before)


EXPERIMENT = Experiment(
    name="runtime",
    about="Seconds of fit and predict against training rows, one thread and two (MORF, figure S1).",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 3, "full": 20},
    needs=("torch", "xgboost"),
    n_processes=1,
)
