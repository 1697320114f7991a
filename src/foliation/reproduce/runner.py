"""Runs in two worker processes, one thread each, or in one with all threads; recorded as they finish."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing

import joblib

from foliation.bench.machine import commit
from foliation.reproduce.experiment import Experiment, Run
from foliation.reproduce.results import Results, identity
from foliation.reproduce.table import Row

Tell = Callable[[int, int, str], None]  # runs done, runs in all, the run that was finished last

_WORKERS = 2  # and as many threads where runs are alone


class FailedRunError(Exception):
    """A run came to nothing; the message says which and why."""


def run_all(experiment: Experiment, runs: Sequence[Run], results: Results, tell: Tell) -> None:
    """Measure the runs that the results do not hold; the first that fails ends it."""
    todo = results.missing(runs)
    done = len(runs) - len(todo)
    tell(done, len(runs), "starting" if todo else "done")
    source = commit()
    with closing(_outcomes(experiment, todo)) as outcomes:
        for run, outcome in outcomes:
            if isinstance(outcome, str):
                raise FailedRunError(f"The run {run} failed: {outcome}.")
            results.add({**identity(run), "commit": source, **outcome})
            done += 1
            tell(done, len(runs), str(run))


def _outcomes(experiment: Experiment, todo: Sequence[Run]) -> Generator[tuple[Run, Row | str]]:
    """Yield the runs as they finish; closing this ends the workers at once."""
    tasks = (joblib.delayed(_one)(experiment.measure, run) for run in todo)
    at_once, threads = (1, _WORKERS) if experiment.alone else (_WORKERS + 1, 1)
    with joblib.parallel_config("loky", n_jobs=_WORKERS, inner_max_num_threads=threads), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "[0-9]+ tasks .*been (cancelled|successfully)")  # they run another time
        parallel = joblib.Parallel(return_as="generator_unordered", pre_dispatch=at_once, batch_size=1)
        try:
            with closing(parallel(tasks)) as found:
                yield from found
        except BrokenProcessPool as error:
            raise FailedRunError(
                "A process that did a run was ended from outside, perhaps for want of memory."
            ) from error


def _one(measure: Callable[[Run], dict[str, float]], run: Run) -> tuple[Run, Row | str]:
    """Do one run; return its figures and seconds, or what went wrong."""
    begin = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = measure(run)
    except Exception as error:  # named in the parent, whatever it is
        return run, f"{type(error).__name__}: {error}".splitlines()[0]
    return run, {"seconds": round(time.perf_counter() - begin, 4), **found}
