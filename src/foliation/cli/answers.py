"""What all commands do with what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console


@contextmanager
def plain_errors(console: Console) -> Iterator[None]:
    """Turn what a user can mend into one sentence and exit code 2, and Ctrl-C into exit code 130."""
    try:
        yield
    except (ValueError, TypeError, OSError, ImportError, MemoryError) as error:
        text = " ".join(str(error).split()) or type(error).__name__
        console.print(text if text.endswith((".", "!", "?")) else f"{text}.", style="red", markup=False)
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        console.print("Stopped; nothing was written.", markup=False)
        raise typer.Exit(130) from None
