"""``foliation demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foliation.cli.errors import plain_errors


def demo(
    trees: Annotated[int, typer.Option(min=1, help="Trees of each forest.")] = 200,
    figure: Annotated[Path, typer.Option(help="Where to draw the importances.")] = Path("results/demo_importance.png"),
) -> None:
    """Train RF, SPORF and MORF on four problems; print a table, draw a figure."""
    from foliation.demo import main

    with plain_errors():
        main(trees, figure)
