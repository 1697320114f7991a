"""The benchmark as an experiment: all contenders of a workload in turn, so that noise hits them alike."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from foliation_benchmarks import data
from foliation_benchmarks.contenders import CONTENDERS
from foliation_benchmarks.figure import figures
from foliation_benchmarks.page import page
from foliation_benchmarks.worker.contract import Task
from foliation_benchmarks.workload import Data, Workload
from foliation_benchmarks.workloads import workloads_at
from foliation_experiments.harness import environments
from foliation_experiments.harness.data import NoDataError
from foliation_experiments.harness.experiment import Experiment, Outcome, Run, Scale
from foliation_experiments.harness.worker import WorkerError, ask

Workloads = Callable[[Scale], Sequence[Workload]]

# The folder goes to the end of the path, so that nothing of ours hides a module of a peer.
_START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); sys.argv[0] = 'worker'; "
    "runpy.run_module('worker', run_name='__main__', alter_sys=True)"
)


def benchmark(rounds: int, folder: Path, workloads: Workloads = workloads_at) -> Experiment:
    """Return the benchmark of some rounds; `folder` holds the data of one workload at a time."""
    return Experiment(
        name="benchmarks",
        about="Our forests and their peers, each run in a fresh process.",
        runs=lambda scale: runs(workloads(scale), rounds),
        measure=Measure(folder, workloads),
        page=lambda table: page(table, workloads(table.scale)),
        figures=lambda table: figures(table, workloads(table.scale)),
        minutes={"quick": 10, "full": 60},
        n_processes=0,
        chosen_by="problem",
        same_code=True,
        own_heading=True,
    )


def runs(workloads: Iterable[Workload], rounds: int) -> list[Run]:
    """Return the runs in their order; the seed is the number of the round."""
    return [
        Run(workload.measure, workload.name, contender.name, workload.at, number)
        for workload in workloads
        for number in range(min(rounds, workload.most_rounds))
        for contender in workload.contenders
    ]


@dataclass(frozen=True)
class Measure:
    """Measures runs in fresh processes; `folder` holds the data of the present workload."""

    folder: Path
    workloads: Workloads

    def __call__(self, run: Run) -> Outcome:
        """Return what the worker measured, or why the run failed or was skipped."""
        workload = next(workload for workload in self.workloads(run.scale) if workload.name == run.problem)
        contender = CONTENDERS[run.method]
        if reason := _install(contender.environment):
            return {"skipped": f"{contender.environment} ({reason})"}
        try:
            task = workload.task(contender, run.seed, self._arrays(workload.data))
            return launch(task, contender.environment)
        except NoDataError as error:
            return {"skipped": f"{workload.name} ({error})"}
        except WorkerError as error:
            return {"failed": str(error)}

    def _arrays(self, described: Data) -> Path:
        """Write the data of a workload, in place of those of the last one."""
        for other in self.folder.iterdir():
            if other.name != described.folder:
                shutil.rmtree(other)
        return data.write(described, self.folder)


@cache
def _install(environment: str) -> str:
    """Make the environment of a peer; return the reason if that fails, the same for all of its runs."""
    try:
        environments.prepare(environment)
    except environments.InstallError as error:
        return str(error)
    return ""


def launch(task: Task, environment: str) -> Outcome:
    """Measure a task in a fresh process."""
    threads = str(task.threads)
    variables = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "PYTHONWARNINGS": "ignore"}
    return ask(environment, ["-c", _START, str(Path(__file__).parent)], asdict(task), variables)
