"""``foliation reproduce``. Imports what it runs inside functions, so that other commands start quickly."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.console import Console
from rich.table import Table

from foliation.cli.bar import progress_bar
from foliation.cli.errors import plain_errors, show_path

if TYPE_CHECKING:
    from foliation_experiments.harness.experiment import Experiment, Scale
    from foliation_experiments.harness.session import Request


class _Scale(StrEnum):
    QUICK = "quick"
    FULL = "full"


def reproduce(
    name: Annotated[str | None, typer.Argument(help="The experiment; --list shows them.")] = None,
    show: Annotated[bool, typer.Option("--list", help="Show the experiments and how long they take.")] = False,
    scale: Annotated[_Scale | None, typer.Option(help="A look, or all of it; a look unless given.")] = None,
    output: Annotated[Path, typer.Option(help="Folder for a folder of runs, page and figures.")] = Path(
        "results/reproduce"
    ),
    only: Annotated[list[str] | None, typer.Option(help="A method to run; may be given several times.")] = None,
    variant: Annotated[str | None, typer.Option(help="Run a variant too: 003, as the first paper had it.")] = None,
    weights: Annotated[str | None, typer.Option(help="Run MORF with such weights too: uniform.")] = None,
    data: Annotated[Path | None, typer.Option(help="A file of your own, for an experiment that takes one.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Discard the runs that are there.")] = False,
    page: Annotated[bool, typer.Option("--page", help="Only make the page and the figures of finished runs.")] = False,
) -> None:
    console = Console()
    if show or name is None:
        _list(console)
        return
    if page and (fresh or only):
        raise typer.BadParameter("--page runs nothing, so it excludes --fresh and --only.")
    with plain_errors("Stopped. Finished runs are kept: run the same command to resume."):
        from foliation_experiments import load
        from foliation_experiments.harness.session import Request

        experiment = load(name, data)
        variants = (*([variant] if variant else []), *([f"weights {weights}"] if weights else []))
        asked = cast("Scale | None", scale and scale.value)
        request = Request(output / experiment.name, asked, tuple(only or ()), variants, fresh)
        show_path(console, "Page", _page_of(experiment, request) if page else _run(console, experiment, request))


# Not a docstring, which python -OO would strip.
reproduce.__doc__ = "Run an experiment of the papers from data to figure; an interrupted run is resumed."


def _page_of(experiment: Experiment, request: Request) -> Path:
    from foliation_experiments.harness import session

    return session.page_of(experiment, request).page


def _run(console: Console, experiment: Experiment, request: Request) -> Path:
    from foliation_experiments.harness import session
    from foliation_experiments.harness.runner import FailedRunError

    try:
        with progress_bar(console) as tick:
            return session.run(experiment, request, tick).page
    except FailedRunError as error:
        console.print(f"{error} Finished runs are kept.", style="red", markup=False)
        raise typer.Exit(1) from error


def _list(console: Console) -> None:
    from foliation_experiments import EXPERIMENTS, load

    shown = Table("experiment", "what it shows", "quick", "full")
    for experiment in map(load, EXPERIMENTS):
        minutes = [f"{experiment.minutes[scale]:g} min" for scale in ("quick", "full")]
        shown.add_row(experiment.name, experiment.about, *minutes)
    console.print(shown)
