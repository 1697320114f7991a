"""Errors of commands: one sentence and an exit code; warnings are notes."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from foliation.cli.errors import CommandError, Commands, plain_errors, show_path


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (CommandError("invalid --shape [5]:\n expected 28x28"), "invalid --shape [5]: expected 28x28.\n"),
        (ValueError("X has no rows."), "X has no rows.\n"),
        (MemoryError(), "MemoryError.\n"),
    ],
)
def test_an_error_is_one_sentence(error: Exception, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as stopped, plain_errors():
        raise error
    assert stopped.value.exit_code == 2
    assert capsys.readouterr().err == text


def test_mistakes_of_ours_keep_their_traceback() -> None:
    with pytest.raises(ZeroDivisionError), plain_errors():
        raise ZeroDivisionError


def test_warnings_are_notes(capsys: pytest.CaptureFixture[str]) -> None:
    with plain_errors(), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("columns are left out", stacklevel=1)
    assert capsys.readouterr().err == "Note: columns are left out.\n"


def test_an_interruption_is_told_and_has_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as stopped, plain_errors("Stopped; nothing is lost."):
        raise KeyboardInterrupt
    assert stopped.value.exit_code == 130
    assert capsys.readouterr().err == "Stopped; nothing is lost.\n"


def test_a_path_stays_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("x" * 200)
    show_path(Console(width=40), "Page", path)
    assert capsys.readouterr().out == f"Page: {path}\n"


def test_an_interruption_outside_of_commands_is_told_too() -> None:
    app = typer.Typer(cls=Commands)

    def interrupt() -> None:
        raise KeyboardInterrupt

    app.command("one")(interrupt)
    app.command("two")(interrupt)
    result = CliRunner().invoke(app, ["one"])
    assert (result.exit_code, result.output) == (130, "Stopped.\n")
