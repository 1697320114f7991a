"""Commands of the command line, run in this process."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typer.testing import CliRunner

from foliation.cli.app import app

FEW = ("--n-estimators", "10")


def run(*arguments: object, code: int = 0) -> str:
    """Run a command on a wide screen; return what it prints."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)  # which commands show as notes
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def error_of(*arguments: object) -> str:
    """Run a command that fails; return its sentence on one line."""
    text = run(*arguments, code=2)
    assert "Traceback" not in text
    return " ".join(text.split())


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def read_npz(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file, and close it."""
    with np.load(path, allow_pickle=False) as file:
        return dict(file)
