"""``foliation bench``. Imports what it runs inside functions, so that other commands start quickly."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from foliation.cli.bar import progress_bar
from foliation.cli.errors import plain_errors

if TYPE_CHECKING:
    from foliation_experiments.harness.report import Report
    from foliation_experiments.harness.session import Request

_STYLES = {"held": "green", "missed": "red", "NOT COMPARABLE": "bold red", "not measured": "dim"}


def bench(
    quick: Annotated[bool, typer.Option("--quick/--full", help="Ten minutes, or an hour with everything.")] = False,
    only: Annotated[list[str] | None, typer.Option(help="A workload to run; may be given several times.")] = None,
    scale: Annotated[bool, typer.Option("--scale", help="Only how our time and memory grow.")] = False,
    rounds: Annotated[int, typer.Option(min=1, help="Times that everything is run, in turn.")] = 3,
    output: Annotated[Path, typer.Option(help="Folder for the runs, the page and the figures.")] = Path(
        "results/bench"
    ),
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")] = False,
) -> None:
    if scale and (quick or only):
        raise typer.BadParameter("--scale excludes --quick and --only.")
    console = Console()
    with plain_errors(f"Stopped. Finished runs are in {output}; add --resume to resume."):
        from foliation_benchmarks.scale import SCALE
        from foliation_experiments.harness.session import Request

        names = [workload.name for workload in SCALE] if scale else only or []
        request = Request(output, "quick" if quick else "full", tuple(names), fresh=not resume)
        _show(console, _run(console, request, rounds))


# Not a docstring, which python -OO would strip.
bench.__doc__ = "Run our forests and their peers in turn, each in a fresh process; show which targets hold."


def _run(console: Console, request: Request, rounds: int) -> Report:
    """Run the benchmark; an interrupted one has a page of what is finished, too."""
    from foliation_benchmarks.benchmark import benchmark
    from foliation_experiments.harness import session

    with tempfile.TemporaryDirectory(prefix="foliation-bench-") as folder, progress_bar(console) as tick:
        experiment = benchmark(rounds, Path(folder))
        try:
            return session.run(experiment, request, tick)
        except KeyboardInterrupt:
            session.page_of(experiment, request)
            raise


def _show(console: Console, report: Report) -> None:
    """Print the last table: target, measured, held."""
    from foliation_benchmarks.page import failures, skipped, tally, verdicts

    outcomes = verdicts(report.table)
    shown = Table("target", "workload", "measured", "held?")
    for v in outcomes:
        if v.outcome != "not measured":
            text = v.outcome + (f": {v.reason}" if v.reason else "")
            shown.add_row(v.target, v.where, v.measured, text, style=_STYLES[v.outcome])
    console.print(shown)
    console.print(tally(outcomes) + ".", markup=False)
    for reason in skipped(report.table):
        console.print(f"Skipped: {reason}", markup=False, style="yellow")
    for workload, contender, number, why in failures(report.table):
        console.print(f"Failed: {workload}, {contender}, round {number}: {why}", markup=False, style="red")
    console.print(f"All figures: {report.page}", markup=False)
