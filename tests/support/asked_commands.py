"""The commands that read a model file, as questions to a forest: called as functions, with their options."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import typer

from foliation.cli.describe import describe
from foliation.cli.evaluate import evaluate
from foliation.cli.neighbors import embed, neighbors
from foliation.cli.predict import predict
from foliation.cli.report import explain, report

Command = Callable[[Path, Path], None]  # of a model file, and a folder with data.npz


def quietly(call: Callable[[], None]) -> None:
    """Run a command. Raise the error that it printed as a sentence, so that no defect passes for a user's error."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            call()
        except typer.Exit as end:
            if end.__cause__ is not None:
                raise end.__cause__ from None


COMMANDS: dict[str, Command] = {
    "foliation describe": lambda model, _: quietly(lambda: describe(model)),
    "foliation explain": lambda model, folder: quietly(lambda: explain(model, folder / "new.png")),
    "foliation explain: csv": lambda model, folder: quietly(lambda: explain(model, folder / "new.csv")),
    "foliation neighbors": lambda model, folder: quietly(lambda: neighbors(model, folder / "data.npz")),
}
COMMANDS_OF_GEODESIC: dict[str, Command] = {
    "foliation embed": lambda model, folder: quietly(lambda: embed(model, output=folder / "new.csv")),
}
COMMANDS_OF_PREDICTORS: dict[str, Command] = {
    "foliation predict": lambda model, folder: quietly(lambda: predict(model, folder / "data.npz")),
    "foliation predict: file": lambda model, folder: quietly(
        lambda: predict(model, folder / "data.npz", output=folder / "new.parquet")
    ),
    "foliation evaluate": lambda model, folder: quietly(
        lambda: evaluate(model, folder / "data.npz", output=folder / "new.json")
    ),
    "foliation report": lambda model, folder: quietly(
        lambda: report(model, folder / "data.npz", output=folder / "new.html")
    ),
}
