"""Errors and warnings of commands: one sentence each, and an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

from foliation.printable import printable

_USER_ERRORS = (ValueError, TypeError, OSError, ImportError, MemoryError, OverflowError)


class CommandError(ValueError):
    """An invalid option, or a file that cannot be used; the message is shown to the user."""


@contextmanager
def plain_errors(stopped: str = "Stopped; no file is half-written.") -> Iterator[None]:
    """Show errors that a user can correct as one sentence (exit code 2), warnings as notes; exit with 130 on Ctrl-C."""
    console = Console(stderr=True)

    def note(message: Warning | str, *_: object, **__: object) -> None:
        console.print(f"Note: {_sentence(str(message))}", style="yellow", markup=False, soft_wrap=True)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = note
            yield
    except BrokenPipeError:  # the reader of the output has closed it, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except _USER_ERRORS as error:
        text = _sentence(str(error) or type(error).__name__)
        console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        console.print(stopped, markup=False)
        raise typer.Exit(130) from None


def _sentence(text: str) -> str:
    """Return text on one line, without what a terminal would obey."""
    text = printable(" ".join(text.split()))
    return text if text.endswith((".", "!", "?")) else f"{text}."


def show_path(console: Console, label: str, path: os.PathLike[str]) -> None:
    """Print where a file is, on one line however long."""
    console.print(f"{label}: {printable(os.fspath(path))}", markup=False, highlight=False, soft_wrap=True)
