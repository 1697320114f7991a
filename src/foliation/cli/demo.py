"""``foliation demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foliation.cli.errors import plain_errors
from foliation.demo import FIGURE, main


def demo(
    trees: Annotated[int, typer.Option(min=1, help="Number of trees of each forest.")] = 200,
    figure: Annotated[Path, typer.Option(help="Where to draw the importances.")] = FIGURE,
) -> None:
    """Run ``foliation.demo``."""
    with plain_errors():
        main(trees, figure)
