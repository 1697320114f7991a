"""What a workload is: the data, how much work is asked for, who does it, and what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from foliation_benchmarks.contenders import Contender
from foliation_benchmarks.worker.contract import Patch, Serving, Task


@dataclass(frozen=True)
class Data:
    """A function of ``MAKERS`` in ``data.py``, rows to train on, rows to test on, and its other arguments."""

    maker: str
    n: int
    n_test: int = 10_000
    arguments: tuple[int, ...] = ()

    @property
    def folder(self) -> str:
        return "-".join(map(str, (self.maker, self.n, self.n_test, *self.arguments)))


@dataclass(frozen=True)
class Quick:
    """What a quick run changes."""

    trees: int
    n: int | None = None
    repeats: int = 1


@dataclass(frozen=True)
class Workload:
    """A problem and how it is run; all contenders get the same trees, candidates and threads."""

    name: str
    data: Data
    trees: int
    candidates: int
    contenders: Sequence[Contender]
    patch: Patch | None = None
    serving: Serving | None = None
    threads: int = 2
    measure: str = "fit"
    repeats: int = 1
    latency: bool = False
    options: dict[str, Any] = field(default_factory=dict)  # further arguments of the forests
    neighbors: int = 50  # of each row, where neighbors are measured
    nonzeros: float = 1.5  # features of a sparse candidate
    about: str = ""  # what else a reader has to know; sentences
    quick: Quick | None = None  # None: left out of a quick run
    most_rounds: int = 99
    at: float = 0.0  # place on the axis of a scale experiment

    def quickly(self) -> Workload | None:
        """Return the workload of a quick run."""
        if self.quick is None:
            return None
        data = replace(self.data, n=self.quick.n or self.data.n)
        forests = [contender for contender in self.contenders if contender.same_work]
        trees, repeats = self.quick.trees, self.quick.repeats
        return replace(self, data=data, trees=trees, contenders=forests, repeats=repeats)

    def task(self, contender: Contender, seed: int, folder: Path) -> Task:
        """Return what a worker is told; `folder` holds the arrays."""
        shape = np.load(folder / "X_train.npy", mmap_mode="r").shape[1:]
        shared = {field.name: getattr(self, field.name) for field in fields(Task) if hasattr(self, field.name)}
        return Task(**shared, runner=contender.runner, folder=str(folder), seed=seed, shape=shape)
