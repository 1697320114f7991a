"""A bar for long commands, and lines of text where nothing can move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def progress_bar(console: Console) -> Iterator[Callable[[int, int, str], None]]:
    """Show a bar; call what this gives with the steps done, those in all, and a text."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=None, visible=False)

        def tell(done: int, total: int, text: str) -> None:
            progress.update(bar, completed=done, total=total, description=text, visible=True)
            if not console.is_terminal:
                console.print(f"{done}/{total} {text}", markup=False, highlight=False)

        yield tell
