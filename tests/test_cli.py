"""The command line: commands are there, a missing extra is named, mistakes are answered."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from foliation import cli
from foliation.cli.app import app


@pytest.mark.parametrize("command", ["bench", "demo"])
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


def test_the_package_does_not_import_the_command_line_or_the_benchmark() -> None:
    rooms = ("typer", "foliation.bench", "foliation.cli")
    code = f"import sys, foliation; print([name for name in sys.modules if name.startswith({rooms})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
