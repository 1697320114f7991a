"""What an experiment is: runs, how one is measured, and what is made of all of them. Data, no scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from foliation_experiments.harness.table import Table

Scale = Literal["quick", "full"]
Outcome = dict[str, Any]  # what a run measured, by name


@dataclass(frozen=True)
class Run:
    """One line of the results, by what identifies it; an experiment need not set the scale, the session does."""

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
    """An experiment: what it runs, measures and writes.

    Parameters
    ----------
    name, about : str
        Name of the page, and a sentence below its heading.
    runs : callable
        Returns all runs at a scale.
    measure : callable
        Does one run and returns its figures by name, such as ``{"precision@50": 0.8}``. A run that returns the reason
        why it ``"failed"`` or was ``"skipped"`` is not finished; an exception stops the session.
    page, figures : callable
        Make the Markdown and the figures of a `Table` of finished runs.
    minutes : dict
        Minutes that two cores need at each scale.
    needs : tuple of str
        Importable packages beyond those that Foliation depends on.
    data : tuple of str
        Files below the folder that FOLIATION_DATA names.
    variants : tuple of str
        Parts that are run only when they are asked for.
    n_processes : {2, 1, 0}
        2: two runs at once, one thread each. 1: runs that are timed, one after another with two threads. 0: one after
        another in this process, for a `measure` that starts processes of its own.
    environments : tuple of str
        Virtual environments of peers, by their names in ``harness.environments``; made before the first run.
    of_file : callable, optional
        Returns the experiment on a user's file. `source` is then the name of the file and its checksum.
    chosen_by : {"method", "problem"}
        What ``--only`` names.
    same_code : bool
        Whether runs of another commit or processor must not be resumed.
    own_heading : bool
        Whether `page` writes its heading and places its figures itself.
    """

    name: str
    about: str
    runs: Callable[[Scale], list[Run]]
    measure: Callable[[Run], Outcome]
    page: Callable[[Table], str]
    figures: Callable[[Table], dict[str, Figure]]
    minutes: dict[Scale, float]
    needs: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    n_processes: Literal[0, 1, 2] = 2
    environments: tuple[str, ...] = ()
    of_file: Callable[[Path], Experiment] | None = None
    source: str = ""
    chosen_by: Literal["method", "problem"] = "method"
    same_code: bool = False
    own_heading: bool = False
