"""Which run comes when: round by round, all contenders of a workload in turn, so that noise hits them alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foliation.bench.contenders import Contender
from foliation.bench.results import Key
from foliation.bench.worker.contract import Task
from foliation.bench.workload import Workload


@dataclass(frozen=True)
class Run:
    """One fresh process."""

    workload: Workload
    contender: Contender
    number: int  # of the round; also the seed

    @property
    def key(self) -> Key:
        return self.workload.name, self.contender.name, self.number

    def task(self, folder: str, shape: tuple[int, ...]) -> Task:
        w = self.workload
        return Task(
            self.contender.runner,
            folder,
            w.trees,
            w.candidates,
            w.threads,
            self.number,
            w.measure,
            w.repeats,
            w.latency,
            shape,
            w.patch,
            w.options,
            w.neighbors,
            w.nonzeros,
        )


def schedule(workloads: Sequence[Workload], rounds: int) -> Iterator[Run]:
    for workload in workloads:
        for number in range(min(rounds, workload.most_rounds)):
            for contender in workload.contenders:
                yield Run(workload, contender, number)
