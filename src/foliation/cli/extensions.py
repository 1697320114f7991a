"""Commands that other packages bring, found by their entry points."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer

GROUP = "foliation.commands"
# Commands of this repository, and what to give pip for them
_PACKAGES = {"reproduce": '"./experiments[peers]"', "bench": "./experiments ./benchmarks"}


def add_extensions(app: typer.Typer) -> None:
    """Add the installed commands; a command of ours that is not installed tells how to install it."""
    installed = {point.name: point for point in entry_points(group=GROUP)}
    for name in sorted({*installed, *_PACKAGES}):
        try:
            app.command(name)(_load(name, installed.get(name)))
        except ImportError as error:
            lenient = {"allow_extra_args": True, "ignore_unknown_options": True}
            app.command(name, help=str(error), context_settings=lenient)(_refusal(str(error)))


def _load(name: str, point: EntryPoint | None) -> Callable[..., Any]:
    if point is None:
        text = f"run `pip install {_PACKAGES[name]}` in a checkout of Foliation"
        raise ImportError(f"`foliation {name}` is not installed: {text}.")
    command: Callable[..., Any] = point.load()
    return command


def _refusal(sentence: str) -> Callable[[], None]:
    def command() -> None:
        typer.echo(sentence, err=True)
        raise typer.Exit(2)

    return command
