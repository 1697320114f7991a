"""``foliation bench``: found by its entry point, and mistakes are answered."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import typer
from made_up import table
from typer.testing import CliRunner

from foliation_benchmarks.command import bench
from foliation_experiments.harness import session
from foliation_experiments.harness.report import Report

app = typer.Typer()
app.command()(bench)


def test_the_entry_point_names_the_command() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    ((name, value),) = project["entry-points"]["foliation.commands"].items()
    assert name == "bench"
    assert EntryPoint(name, value, "foliation.commands").load() is bench


def test_help_does_not_need_docstrings() -> None:
    code = "from foliation_benchmarks.command import bench; print(bench.__doc__)"
    done = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Run our forests and their peers")


@pytest.mark.parametrize("wrong", [["--only", "barz"], ["--scale", "--quick"]])
def test_a_mistake_is_answered(wrong: list[str], tmp_path: Path) -> None:
    found = CliRunner().invoke(app, [*wrong, "--output", str(tmp_path)])
    assert found.exit_code == 2
    assert wrong[-1] in found.output
    assert ("circle" in found.output) == ("barz" in wrong)


def test_an_interrupt_keeps_what_is_finished_and_writes_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[object] = []

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "run", stop)
    monkeypatch.setattr(session, "page_of", lambda experiment, request: pages.append(request))
    found = CliRunner().invoke(app, ["--only", "bars"])
    assert found.exit_code == 130
    assert "--resume" in found.output
    assert len(pages) == 1


def test_targets_that_were_measured_are_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs: dict[tuple[str, str, int], dict[str, Any]] = {
        ("small fits", "foliation axis", 0): {"fit_seconds": 1.0},
        ("small fits", "scikit-learn RF", 0): {"fit_seconds": 2.0},
        ("circle", "UMAP", 0): {"failed": "MemoryError"},
        ("circle", "YDF RF", 0): {"skipped": "ydf (no wheel)"},
    }
    monkeypatch.setattr(session, "run", lambda *_: Report(tmp_path / "page.md", table(runs)))
    text = " ".join(CliRunner().invoke(app, []).output.split())
    assert "1 held, 0 missed" in text
    assert "Skipped: ydf (no wheel)" in text
    assert "Failed: circle, UMAP, round 1: MemoryError" in text
