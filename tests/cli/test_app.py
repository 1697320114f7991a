"""The command line: commands are there, a missing extra is named."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from foliation import cli
from foliation.cli.app import app


def test_commands_explain_themselves() -> None:
    found = CliRunner().invoke(app, ["demo", "--help"])
    assert found.exit_code == 0
    assert "Usage" in found.output


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    assert 'pip install "foliation[cli]"' in capsys.readouterr().err


def test_the_package_does_not_import_the_command_line_or_what_it_runs() -> None:
    unwanted = ("typer", "matplotlib", "umap", "foliation.cli", "foliation_benchmarks", "foliation_experiments")
    code = f"import sys, foliation; print([name for name in sys.modules if name.startswith({unwanted})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
