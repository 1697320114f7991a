"""What all commands do with what goes wrong, and with files they write."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Let something write a file that is then there as a whole, or not at all."""
    if not path.parent.is_dir():
        raise OSError(f"{path.parent} is no folder to write {path.name} to")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        unfinished = Path(folder) / path.name
        write(unfinished)
        os.replace(unfinished, path)  # noqa: PTH105  # over what is there
