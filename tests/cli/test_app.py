"""The command line as a whole: what it needs, what it imports, and its help without docstrings."""

from __future__ import annotations

import os
import subprocess
import sys

import commands
import pytest

import foliation
from foliation import cli
from foliation.cli.help import COMMANDS


def python(*arguments: str) -> str:
    wide = {**os.environ, "COLUMNS": "200"}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, env=wide).stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_help_of_the_table(name: str) -> None:
    assert COMMANDS[name].split("\n")[0] in commands.run(name, "--help")


def test_help_does_not_need_docstrings() -> None:
    text = " ".join(python("-OO", "-m", "foliation", "--help").split())
    for expected in ("Train a forest on a file of rows", "predict", "reproduce", "Show the version and exit."):
        assert expected in text


def test_help_of_fit_does_not_need_docstrings() -> None:
    text = " ".join(python("-OO", "-m", "foliation", "fit", "--help").split())
    for expected in ("A target of labels", "--n-estimators", "Number of trees.", "The model file to write."):
        assert expected in text


def test_the_version_is_that_of_the_package() -> None:
    assert commands.run("--version") == f"foliation {foliation.__version__}\n"


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    assert 'pip install "foliation[cli]"' in capsys.readouterr().err


def test_the_package_does_not_import_the_command_line_or_what_it_runs() -> None:
    unwanted = ("typer", "matplotlib", "umap", "foliation.cli", "foliation_benchmarks", "foliation_experiments")
    code = f"import sys, foliation; print([name for name in sys.modules if name.startswith({unwanted})])"
    assert python("-c", code).strip() == "[]"
