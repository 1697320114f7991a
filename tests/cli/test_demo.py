"""The demo as a command: its options reach it, its errors are sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import error_of, run

from foliation.cli import demo


def test_options_reach_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, Path]] = []
    monkeypatch.setattr(demo, "main", lambda trees, figure: calls.append((trees, figure)))
    run("demo", "--trees", "7", "--figure", "f.png")
    run("demo")
    assert calls == [(7, Path("f.png")), (200, Path("results/demo_importance.png"))]


def test_errors_are_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(trees: int, figure: Path) -> None:
        raise OSError(f"cannot write {figure}")

    monkeypatch.setattr(demo, "main", fail)
    assert error_of("demo", "--figure", "f.png") == "cannot write f.png."
