"""The commands, put together."""

from __future__ import annotations

import typer

from foliation.cli.bench import bench
from foliation.cli.demo import demo
from foliation.cli.reproduce import reproduce

app = typer.Typer(name="foliation", help="Decision forests for data that lives on something.", no_args_is_help=True)
app.command()(bench)
app.command()(demo)
app.command()(reproduce)


@app.callback()
def _commands() -> None:
    """Decision forests for data that lives on something: a line, a circle, an image, a grid, a graph."""
