"""A progress bar for long commands, and lines of text where the output is not a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from foliation.printable import printable

Tick = Callable[[int, int, str], None]  # steps done, steps in total, text


@contextmanager
def progress_bar(console: Console) -> Iterator[Tick]:
    """Show a bar; the function that it yields updates it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=None, visible=False)

        def tick(done: int, total: int, text: str) -> None:
            text = printable(text)
            progress.update(bar, completed=done, total=total, description=text, visible=True)
            if not console.is_terminal:
                console.print(f"{done}/{total} {text}", markup=False, highlight=False)

        yield tick
