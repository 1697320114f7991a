"""What an experiment is: runs, how one is measured, and what is made of all of them. Data, no scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from foliation.reproduce.table import Table

Scale = Literal["quick", "full"]


@dataclass(frozen=True)
class Run:
    """One line of the results, by what identifies it; an experiment need not set the scale, the runner does."""

    part: str
    problem: str
    method: str
    at: float
    seed: int
    scale: Scale = "full"

    def __str__(self) -> str:
        return f"{self.part}, {self.problem}, {self.method}, at {self.at:g}, seed {self.seed}"


@dataclass(frozen=True)
class Experiment:
    """One experiment of a paper.

    `measure` does one run on one thread in a process of its own and returns its figures by name, such as
    ``{"precision@50": 0.8}``. `minutes` are those that two cores need. `needs` are importable packages beyond
    those that Foliation depends on, and `data` are files below the folder that FOLIATION_DATA names. `variants` are
    parts that are run only when they are asked for. Runs that are timed are done `alone`: one after another, with as
    many threads as `measure` takes. `of_file` returns the experiment on a user's file, if it can be done on one, and
    `source` is then the name of the file and its checksum. `environments` are those of peers that are not installed
    beside Foliation, by their names in ``foliation.bench.environments``; they are made before the first run.
    """

    name: str
    about: str
    runs: Callable[[Scale], list[Run]]
    measure: Callable[[Run], dict[str, float]]
    page: Callable[[Table], str]
    figures: Callable[[Table], dict[str, Figure]]
    minutes: dict[Scale, float]
    needs: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    alone: bool = False
    environments: tuple[str, ...] = ()
    of_file: Callable[[Path], Experiment] | None = None
    source: str = ""
