"""``foliation describe``: a model on one screen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from foliation.analysis.description import facts
from foliation.cli.errors import plain_errors
from foliation.estimators.forest import Forest
from foliation.estimators.load import load
from foliation.printable import printable


def describe(model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)]) -> None:
    """Print the facts about a model file."""
    console = Console()
    with plain_errors():
        describe_forest(console, load(model, mmap=True), model)


def describe_forest(console: Console, forest: Forest, path: Path) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    for name, text in facts(forest.model_, type(forest).__name__, path).items():
        table.add_row(Text(name, style="bold"), Text(printable(text)))
    console.print(table, highlight=False)
