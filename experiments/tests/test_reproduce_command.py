"""``foliation reproduce``: found by its entry point, and mistakes are answered."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from foliation_experiments.command import reproduce
from foliation_experiments.harness.runner import FailedRunError

app = typer.Typer()
app.command()(reproduce)


def test_the_entry_point_names_the_command() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    ((name, value),) = project["entry-points"]["foliation.commands"].items()
    assert name == "reproduce"
    assert EntryPoint(name, value, "foliation.commands").load() is reproduce


def test_help_does_not_need_docstrings() -> None:
    code = "from foliation_experiments.command import reproduce; print(reproduce.__doc__)"
    done = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Run an experiment of the papers")


def test_experiments_are_listed_with_their_minutes() -> None:
    found = CliRunner().invoke(app, ["--list"])
    assert found.exit_code == 0
    assert "noise" in found.output
    assert "min" in found.output


def test_an_unknown_experiment_is_answered_with_the_known_ones() -> None:
    found = CliRunner().invoke(app, ["noize"])
    assert found.exit_code == 2
    assert "'noize'" in found.output
    assert "noise" in found.output


def test_a_missing_package_of_an_experiment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    session = "foliation_experiments.harness.session"
    monkeypatch.setattr(f"{session}.find_spec", lambda name: None if name == "umap" else object())
    found = CliRunner().invoke(app, ["noise"])
    assert found.exit_code == 2
    assert 'needs umap: run `pip install "./experiments[peers]"`' in " ".join(found.output.split())


def test_an_interrupted_experiment_says_how_to_resume(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("foliation_experiments.harness.session.run", stop)
    found = CliRunner().invoke(app, ["noise"])
    assert found.exit_code == 130
    assert "run the same command to resume" in found.output


def test_a_run_that_fails_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise FailedRunError("The run noise, helix failed: MemoryError.")

    monkeypatch.setattr("foliation_experiments.harness.session.run", fail)
    found = CliRunner().invoke(app, ["noise"])
    assert found.exit_code == 1
    assert "helix failed: MemoryError. Finished runs are kept." in " ".join(found.output.split())


def test_a_page_goes_with_nothing_that_runs(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["noise", "--page", "--fresh", "--output", str(tmp_path)])
    assert found.exit_code == 2
    assert "--page runs nothing" in found.output
    found = CliRunner().invoke(app, ["noise", "--page", "--output", str(tmp_path)])
    assert found.exit_code == 2
    assert "no runs to make a page of" in " ".join(found.output.split())
