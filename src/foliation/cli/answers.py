"""What all commands do with what goes wrong."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console


@contextmanager
def plain_errors(console: Console, stopped: str = "Stopped; nothing was written.") -> Iterator[None]:
    """Turn what a user can mend into one sentence and exit code 2, warnings into notes, Ctrl-C into exit code 130."""

    def note(message: Any, *_: Any, **__: Any) -> None:
        console.print(f"Note: {_sentence(str(message))}", style="yellow", markup=False)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = note
            yield
    except (ValueError, TypeError, OSError, ImportError, MemoryError) as error:
        console.print(_sentence(str(error) or type(error).__name__), style="red", markup=False)
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        console.print(stopped, markup=False)
        raise typer.Exit(130) from None


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."
