"""What all commands do with what goes wrong."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console

_MENDED_BY_USERS = (ValueError, TypeError, OSError, ImportError, MemoryError, OverflowError)


class DataError(ValueError):
    """A file does not hold what was asked for; the message is for the user."""


@contextmanager
def plain_errors(stopped: str = "Stopped; no file is half-written.") -> Iterator[None]:
    """Turn what a user can mend into one sentence and exit code 2, warnings into notes, Ctrl-C into exit code 130."""
    console = Console(stderr=True)

    def note(message: Any, *_: Any, **__: Any) -> None:
        console.print(f"Note: {_sentence(str(message))}", style="yellow", markup=False, soft_wrap=True)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = note
            yield
    except BrokenPipeError:  # who reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except _MENDED_BY_USERS as error:
        text = _sentence(str(error) or type(error).__name__)
        console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        console.print(stopped, markup=False)
        raise typer.Exit(130) from None


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def show_path(console: Console, what: str, path: os.PathLike[str]) -> None:
    """Say where something is, on one line however long."""
    console.print(f"{what}: {os.fspath(path)}", markup=False, highlight=False, soft_wrap=True)
