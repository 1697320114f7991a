"""``foliation bench``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from foliation.cli.answers import plain_errors
from foliation.cli.bar import progress_bar

if TYPE_CHECKING:
    from foliation.bench.results import Results
    from foliation.bench.session import Request

_STYLES = {"held": "green", "missed": "red", "NOT COMPARABLE": "bold red", "not measured": "dim"}


def bench(
    quick: Annotated[bool, typer.Option("--quick/--full", help="Ten minutes, or an hour with everything.")] = False,
    only: Annotated[list[str] | None, typer.Option(help="A workload to run; may be given several times.")] = None,
    scale: Annotated[bool, typer.Option("--scale", help="Only how our time and memory grow.")] = False,
    rounds: Annotated[int, typer.Option(min=1, help="Times that everything is run, in turn.")] = 3,
    output: Annotated[Path, typer.Option(help="Folder for the page, the figures and the JSON.")] = Path(
        "results/bench"
    ),
    resume: Annotated[bool, typer.Option("--resume", help="Go on where a stopped run left off.")] = False,
) -> None:
    """Run our forests and their peers in turn, each in a fresh process; say which targets hold."""
    from foliation.bench.session import Request

    console = Console()
    request = Request(quick, scale, tuple(only or ()), rounds, output, resume)
    with plain_errors(f"Stopped. Finished runs are in {output}; add --resume to go on."):
        _show(console, _run(console, request), request)


def _run(console: Console, request: Request) -> Results:
    from foliation.bench.session import run

    with progress_bar(console) as tell:
        return run(request, tell)


def _show(console: Console, results: Results, request: Request) -> None:
    """Print the last table: target, measured, held."""
    from foliation.bench.page import tally, verdicts

    found = verdicts(results)
    shown = Table("target", "workload", "measured", "held?")
    for v in found:
        if v.outcome != "not measured":
            text = v.outcome + (f": {v.reason}" if v.reason else "")
            shown.add_row(v.target, v.where, v.measured, text, style=_STYLES[v.outcome])
    console.print(shown)
    console.print(tally(found) + ".", markup=False)
    for name, reason in results.skipped.items():
        console.print(f"Skipped: {name} ({reason})", markup=False, style="yellow")
    for (workload, contender, number), why in results.failures().items():
        console.print(f"Failed: {workload}, {contender}, round {number + 1}: {why}", markup=False, style="red")
    console.print(f"All figures: {request.output / 'benchmarks.md'}", markup=False)
