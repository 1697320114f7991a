"""Errors and warnings of commands: one sentence each, and an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from typer.core import TyperGroup

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


class Commands(TyperGroup):
    """Commands whose usage errors, which quote what was given, hold nothing that a terminal obeys."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read what is given before the command."""
        with _plain_usage():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Read what is given after the command, and run it."""
        with _plain_usage():
            return super().invoke(ctx)


@contextmanager
def _plain_usage() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:  # before a command begins, or after its end
        typer.echo("Stopped.", err=True)
        raise typer.Exit(130) from None
    except Exception as error:
        write = getattr(error, "format_message", None)  # of click's errors, wherever typer has them from
        if write is not None:
            text = printable(write(), keep="\n")
            error.format_message = lambda: text  # type: ignore[attr-defined]
        raise


def _sentence(text: str) -> str:
    """Return text on one line, without what a terminal would obey."""
    text = printable(" ".join(text.split()))
    return text if text.endswith((".", "!", "?")) else f"{text}."


def show_path(console: Console, label: str, path: os.PathLike[str]) -> None:
    """Print where a file is, on one line however long."""
    console.print(f"{label}: {printable(os.fspath(path))}", markup=False, highlight=False, soft_wrap=True)
