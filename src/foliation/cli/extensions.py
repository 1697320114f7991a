"""Commands of other packages, found by their entry points."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

import typer

GROUP = "foliation.commands"
# Commands of this repository, and what to give pip for them
_PACKAGES = {"reproduce": '"./experiments[peers]"', "bench": "./experiments ./benchmarks"}

Command = Callable[..., None]


def add_extensions(app: typer.Typer) -> None:
    """Add the installed commands. A command of this repository that is not installed prints how to install it."""
    installed = {point.name: point for point in entry_points(group=GROUP)}
    for name in sorted({*installed, *_PACKAGES}):
        try:
            app.command(name)(_load(name, installed.get(name)))
        except ImportError as error:
            lenient = {"allow_extra_args": True, "ignore_unknown_options": True}
            app.command(name, help=str(error), context_settings=lenient)(_refusal(str(error)))


def _load(name: str, point: EntryPoint | None) -> Command:
    if point is None:
        install = f"run `pip install {_PACKAGES[name]}` in a checkout of Foliation"
        raise ImportError(f"`foliation {name}` is not installed: {install}.")
    command: Command = point.load()
    return command


def _refusal(sentence: str) -> Command:
    def command() -> None:
        typer.echo(sentence, err=True)
        raise typer.Exit(2)

    return command
