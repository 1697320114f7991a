"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from foliation._version import __version__
from foliation.cli.demo import demo
from foliation.cli.describe import describe
from foliation.cli.errors import Commands
from foliation.cli.evaluate import evaluate
from foliation.cli.extensions import add_extensions
from foliation.cli.fit import fit
from foliation.cli.help import APP, COMMANDS
from foliation.cli.neighbors import embed, neighbors
from foliation.cli.predict import predict
from foliation.cli.report import explain, report

app = typer.Typer(name="foliation", cls=Commands, no_args_is_help=True, rich_markup_mode="markdown")
for command in (fit, predict, evaluate, explain, describe, report, neighbors, embed, demo):
    app.command(help=COMMANDS[command.__name__])(command)
add_extensions(app)


def _show_version(show: bool) -> None:
    if show:
        typer.echo(f"foliation {__version__}")
        raise typer.Exit


@app.callback(help=APP)
def _commands(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options that go before a command."""
