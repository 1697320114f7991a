"""The command line: commands are there, a missing extra is named, mistakes are answered."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from foliation import cli
from foliation.cli.app import app
from foliation.reproduce.runner import FailedRunError


@pytest.mark.parametrize("command", ["bench", "demo", "reproduce"])
def test_commands_explain_themselves(command: str) -> None:
    found = CliRunner().invoke(app, [command, "--help"])
    assert found.exit_code == 0
    assert "Usage" in found.output


def test_an_unknown_workload_is_answered_with_the_known_ones() -> None:
    found = CliRunner().invoke(app, ["bench", "--only", "barz"])
    assert found.exit_code == 2
    assert "barz" in found.output
    assert "circle" in found.output


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    assert 'pip install "foliation[cli]"' in capsys.readouterr().err


def test_an_interrupt_keeps_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("foliation.bench.session.run", stop)
    found = CliRunner().invoke(app, ["bench"])
    assert found.exit_code == 130
    assert "--resume" in found.output


def test_experiments_are_listed_with_their_minutes() -> None:
    found = CliRunner().invoke(app, ["reproduce", "--list"])
    assert found.exit_code == 0
    assert "noise" in found.output
    assert "min" in found.output


def test_an_unknown_experiment_is_answered_with_the_known_ones() -> None:
    found = CliRunner().invoke(app, ["reproduce", "noize"])
    assert found.exit_code == 2
    assert "'noize'" in found.output
    assert "noise" in found.output


def test_a_missing_extra_of_an_experiment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foliation.reproduce.session.find_spec", lambda name: None if name == "umap" else object())
    found = CliRunner().invoke(app, ["reproduce", "noise"])
    assert found.exit_code == 2
    assert 'umap, which `pip install "foliation[reproduce]"` brings' in " ".join(found.output.split())


def test_an_interrupted_experiment_says_that_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("foliation.reproduce.session.run", stop)
    found = CliRunner().invoke(app, ["reproduce", "noise"])
    assert found.exit_code == 130
    assert "goes on" in found.output


def test_a_run_that_fails_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise FailedRunError("The run noise, helix failed: MemoryError.")

    monkeypatch.setattr("foliation.reproduce.session.run", fail)
    found = CliRunner().invoke(app, ["reproduce", "noise"])
    assert found.exit_code == 1
    assert "helix failed: MemoryError. Finished runs are kept." in " ".join(found.output.split())


def test_a_page_goes_with_nothing_that_runs(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["reproduce", "noise", "--page", "--fresh", "--output", str(tmp_path)])
    assert found.exit_code == 2
    assert "--page runs nothing" in found.output
    found = CliRunner().invoke(app, ["reproduce", "noise", "--page", "--output", str(tmp_path)])
    assert found.exit_code == 2
    assert "no runs to make a page of" in " ".join(found.output.split())


def test_the_package_does_not_import_the_command_line_or_what_it_runs() -> None:
    rooms = ("typer", "matplotlib", "umap", "foliation.bench", "foliation.cli", "foliation.reproduce")
    code = f"import sys, foliation; print([name for name in sys.modules if name.startswith({rooms})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
