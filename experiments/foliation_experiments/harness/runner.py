"""Runs in two processes of one thread each, in one with all threads, or in this one; recorded as they finish."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing

import joblib

from foliation_experiments.harness.experiment import Experiment, Outcome, Run
from foliation_experiments.harness.machine import commit
from foliation_experiments.harness.results import Results, identity

Tick = Callable[[int, int, str], None]  # runs done, runs in all, the run that finished last or is under way
Outcomes = Generator[tuple[Run, Outcome | str]]  # runs as they finish, with what they measured or why they failed

_N_CORES = 2


class FailedRunError(Exception):
    """A run raised an exception; the message names both."""


def run_all(experiment: Experiment, runs: Sequence[Run], results: Results, tick: Tick) -> None:
    """Measure the runs that are missing in the results; stop at the first that raises an exception."""
    todo = results.missing(runs)
    done = len(runs) - len(todo)
    tick(done, len(runs), "starting" if todo else "done")
    source = commit()
    with closing(_outcomes(experiment, todo, lambda run: tick(done, len(runs), str(run)))) as outcomes:
        for run, outcome in outcomes:
            if isinstance(outcome, str):
                raise FailedRunError(f"The run {run} failed: {outcome}.")
            results.add({**identity(run), "commit": source, **outcome})
            done += 1
            tick(done, len(runs), str(run))


def _outcomes(experiment: Experiment, todo: Sequence[Run], announce: Callable[[Run], None]) -> Outcomes:
    if experiment.n_processes:
        yield from _in_processes(experiment, todo)
        return
    for run in todo:
        announce(run)
        yield _measured(experiment.measure, run)


def _in_processes(experiment: Experiment, todo: Sequence[Run]) -> Outcomes:
    """Yield the outcomes as they come; closing this generator ends the processes at once."""
    tasks = (joblib.delayed(_measured)(experiment.measure, run) for run in todo)
    timed = experiment.n_processes == 1
    at_once, threads = (1, _N_CORES) if timed else (_N_CORES + 1, 1)
    with joblib.parallel_config("loky", n_jobs=_N_CORES, inner_max_num_threads=threads), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "[0-9]+ tasks .*been (cancelled|successfully)")  # they run another time
        parallel = joblib.Parallel(return_as="generator_unordered", pre_dispatch=at_once, batch_size=1)
        try:
            with closing(parallel(tasks)) as outcomes:
                yield from outcomes
        except BrokenProcessPool as error:
            raise FailedRunError(
                "A process that did a run was ended from outside, perhaps for lack of memory."
            ) from error


def _measured(measure: Callable[[Run], Outcome], run: Run) -> tuple[Run, Outcome | str]:
    """Do one run; return its figures and seconds, or the exception in a line."""
    begin = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcome = measure(run)
    except Exception as error:  # named by run_all, whatever it is
        return run, f"{type(error).__name__}: {error}".splitlines()[0]
    return run, {"seconds": round(time.perf_counter() - begin, 4), **outcome}
